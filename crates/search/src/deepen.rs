//! Iterative deepening: depth 1, 2, 3, …, each iteration ordered by the hash moves of the last one.

use mnemon_table::replace::Replace;
use mnemon_table::{Bound, Layout, Score};

use crate::alpha_beta::{NEGAMAX, PVS};
use crate::limits::{Control, Stopped};
use crate::node::INFINITY;
use crate::searcher::Searcher;
use crate::{Game, Iteration, PathScore, Report};

/// How the value of an iteration is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Alpha-beta with an open window.
    Negamax,
    /// Principal variation search.
    #[default]
    Pvs,
    /// MTD(f): null windows, from the last iteration's value on.
    Mtdf,
    /// Null windows that bisect the range of scores.
    Bisection,
}

impl Algorithm {
    /// Every algorithm, for tests and measurements.
    pub const ALL: [Algorithm; 4] = [Algorithm::Negamax, Algorithm::Pvs, Algorithm::Mtdf, Algorithm::Bisection];

    /// The root's exact value at a depth; `guess` is the value that is expected.
    fn search_root<G: Game, L: Layout, R: Replace>(
        self,
        searcher: &mut Searcher<'_, G, L, R>,
        root: &G,
        depth: u8,
        guess: Score,
    ) -> Result<PathScore, Stopped> {
        match self {
            Algorithm::Negamax => searcher.alpha_beta::<NEGAMAX>(root, depth, -INFINITY, INFINITY, 0),
            Algorithm::Pvs => searcher.alpha_beta::<PVS>(root, depth, -INFINITY, INFINITY, 0),
            Algorithm::Mtdf => searcher.mtdf(root, depth, guess),
            Algorithm::Bisection => searcher.bisect(root, depth),
        }
    }
}

/// Searches to each of the depths in turn and reports each; returns the last finished iteration, if any.
pub(crate) fn deepen<G: Game, L: Layout, R: Replace>(
    searcher: &mut Searcher<'_, G, L, R>,
    root: &G,
    algorithm: Algorithm,
    depths: impl IntoIterator<Item = u8>,
    control: &Control<'_>,
    report: &mut impl Report<G::Move>,
) -> Option<Iteration<G::Move>> {
    let mut last: Option<Iteration<G::Move>> = None;
    for depth in depths {
        let guess = last.as_ref().map_or_else(|| root.evaluate(), |iteration| iteration.score);
        let Ok(PathScore { score, depends_on }) = algorithm.search_root(searcher, root, depth, guess) else { break };
        // A finished iteration counts, even if it used up the limits.
        let _ = searcher.report_nodes();
        let iteration = Iteration {
            depth,
            score,
            bound: Bound::Exact,
            nodes: control.nodes(),
            time: control.elapsed(),
            pv: searcher.principal_variation(root, depth),
            hashfull: searcher.hashfull(),
            tainted: depends_on.taints(0),
        };
        report.iteration(&iteration);
        last = Some(iteration);
        if searcher.report_nodes().is_err() {
            break;
        }
    }
    last
}

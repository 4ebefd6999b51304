//! Iterative deepening: depth 1, 2, 3, …, each iteration guided by what the last one left in the table.

use mnemon_table::replace::Replace;
use mnemon_table::{Bound, Layout, Score};

use crate::limits::{Stopped, Watch};
use crate::node::INFINITY;
use crate::path_score::PathScore;
use crate::searcher::Searcher;
use crate::{Game, Iteration, Report};

/// How the value of one iteration is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Alpha-beta with the whole window.
    Negamax,
    /// Principal variation search.
    #[default]
    Pvs,
    /// MTD(f): null windows from the last iteration's value.
    Mtdf,
    /// Null windows by bisection of the whole range.
    Bisection,
}

impl Algorithm {
    /// Every algorithm, for tests and measurements.
    pub const ALL: [Algorithm; 4] = [Algorithm::Negamax, Algorithm::Pvs, Algorithm::Mtdf, Algorithm::Bisection];

    /// The root's value at a depth; `guess` is the value expected.
    fn value<G: Game, L: Layout, R: Replace>(
        self,
        searcher: &mut Searcher<'_, G, L, R>,
        root: &G,
        depth: u8,
        guess: Score,
    ) -> Result<PathScore, Stopped> {
        match self {
            Algorithm::Negamax => searcher.negamax(root, depth, -INFINITY, INFINITY, 0),
            Algorithm::Pvs => searcher.pvs(root, depth, -INFINITY, INFINITY, 0),
            Algorithm::Mtdf => searcher.mtdf(root, depth, guess),
            Algorithm::Bisection => searcher.bisect(root, depth),
        }
    }
}

/// Searches to each of the depths in turn and reports each; gives the last that was finished, if any.
pub(crate) fn deepen<G: Game, L: Layout, R: Replace>(
    searcher: &mut Searcher<'_, G, L, R>,
    root: &G,
    algorithm: Algorithm,
    depths: impl IntoIterator<Item = u8>,
    watch: &Watch<'_>,
    report: &mut impl Report<G::Move>,
) -> Option<Iteration<G::Move>> {
    let mut last: Option<Iteration<G::Move>> = None;
    for depth in depths {
        let guess = last.as_ref().map_or_else(|| root.evaluate(), |iteration| iteration.score);
        let Ok(PathScore { score, depends_on }) = algorithm.value(searcher, root, depth, guess) else { break };
        // A finished iteration counts, even if it used up the limits.
        let _ = searcher.tell_nodes();
        let iteration = Iteration {
            depth,
            score,
            bound: Bound::Exact,
            nodes: watch.nodes(),
            time: watch.elapsed(),
            pv: searcher.principal_variation(root, depth),
            hashfull: searcher.hashfull(),
            tainted: depends_on.taints(0),
        };
        report.iteration(&iteration);
        last = Some(iteration);
        if searcher.tell_nodes().is_err() {
            break;
        }
    }
    last
}

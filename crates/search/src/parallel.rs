//! A whole search: one thread answers, and others beside it fill the same table (lazy SMP).
//!
//! The helpers search the same root in a slightly different order and never deeper than the limit, so that they find
//! early what the main thread will ask the table for. They share nothing else.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mnemon_table::replace::Replace;
use mnemon_table::{Layout, Score, Table};

use crate::deepen::deepen;
use crate::limits::Watch;
use crate::searcher::Searcher;
use crate::{Algorithm, Game, Iteration, Keep, Limits, Report, Silent, Stats};

/// How to search. Take [`Search::new`] and change what you like.
///
/// Call [`Table::new_generation`] before each search of a new position, and before anything is recalled into the
/// table for it.
///
/// ```
/// use mnemon_search::games::{Rules, Synthetic};
/// use mnemon_search::{Iteration, Limits, Search};
/// use mnemon_table::Table;
///
/// let table: Table = Table::new(1 << 20)?;
/// let root = Synthetic::new(Rules::noise(7, 5, 20, 100));
/// let search = Search { limits: Limits::depth(6), threads: 2, ..Search::new(&table) };
/// let mut depths = Vec::new();
/// let answer = search.run(&root, &mut |iteration: &Iteration<u8>| depths.push(iteration.depth));
/// assert_eq!(depths, [1, 2, 3, 4, 5, 6]);
/// assert_eq!(answer.pv.first(), answer.best.as_ref());
/// # Ok::<(), mnemon_table::TableError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Search<'a, L: Layout, R: Replace> {
    /// The table, which several searches may share at once.
    pub table: &'a Table<L, R>,
    /// How each iteration's value is found.
    pub algorithm: Algorithm,
    /// What is kept in the table.
    pub keep: Keep,
    /// Whether the move that the table remembers is searched first.
    pub hash_moves: bool,
    /// Whether the table is also asked where the depth is used up, before the static evaluation. A score remembered
    /// there makes the search effectively deeper: Samuel's rote learning (1959).
    pub probe_leaves: bool,
    /// Threads; 0 counts as 1. With one, the same input gives the same number of nodes.
    pub threads: usize,
    /// How far to go.
    pub limits: Limits,
    /// In a game [with cycles](Game::CYCLES), the [keys](Game::key) of the positions that were played before the root,
    /// without the root itself: to reach one of them again is a draw. Each node looks through all of them, so leave out
    /// those that cannot come back.
    pub history: &'a [u64],
    /// Set it from another thread to end the search.
    pub stop: &'a AtomicBool,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOutcome<M> {
    /// The best move; `None` only if the game is over.
    pub best: Option<M>,
    /// The value of the last finished iteration, from the side to move's point of view; the static evaluation if none
    /// was finished.
    pub score: Score,
    /// The depth of the last finished iteration; 0 if none was.
    pub depth: u8,
    /// Whether the score depends on what was played before the root, or on a move counter: then it is this game's, and
    /// not the position's.
    pub tainted: bool,
    /// The best line of play.
    pub pv: Vec<M>,
    /// What it took, all threads together.
    pub stats: Stats,
    /// How long it took.
    pub time: Duration,
}

/// A flag that nobody sets.
static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a, L: Layout, R: Replace> Search<'a, L, R> {
    /// Principal variation search on one thread, without limits, keeping all it can.
    pub fn new(table: &'a Table<L, R>) -> Self {
        Search {
            table,
            algorithm: Algorithm::default(),
            keep: Keep::default(),
            hash_moves: true,
            probe_leaves: false,
            threads: 1,
            limits: Limits::default(),
            history: &[],
            stop: &NEVER,
        }
    }

    /// Searches the position deeper and deeper until a limit is reached or the search is stopped, and tells `report`
    /// of each finished iteration.
    pub fn run<G: Game>(&self, root: &G, report: &mut impl Report<G::Move>) -> SearchOutcome<G::Move> {
        let watch = Watch::new(self.limits, self.stop);
        let helpers = if self.keep == Keep::Nothing { 0 } else { self.threads.saturating_sub(1) };
        let (last, stats) = std::thread::scope(|scope| {
            let watch = &watch;
            let helpers: Vec<_> =
                (1..=helpers).map(|number| scope.spawn(move || self.help(root, number, watch))).collect();
            let (last, mut stats) = self.answer(root, watch, report);
            watch.finish();
            for helper in helpers {
                // A helper's panic is ours: nothing is hidden.
                stats += helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
            (last, stats)
        });
        let last = last.unwrap_or_else(|| unsearched(root));
        let Iteration { depth, score, tainted, pv, .. } = last;
        SearchOutcome { best: pv.first().copied(), score, depth, tainted, pv, stats, time: watch.elapsed() }
    }

    /// The main thread's part.
    fn answer<G: Game>(
        &self,
        root: &G,
        watch: &Watch<'_>,
        report: &mut impl Report<G::Move>,
    ) -> (Option<Iteration<G::Move>>, Stats) {
        let mut searcher = Searcher::new(self, watch, 0);
        let depths = 1..=self.limits.last_depth();
        let last = deepen(&mut searcher, root, self.algorithm, depths, watch, report);
        (last, searcher.stats)
    }

    /// A helper's part: every other one starts a depth later, and each breaks ties in its own way.
    fn help<G: Game>(&self, root: &G, number: usize, watch: &Watch<'_>) -> Stats {
        let mut searcher = Searcher::new(self, watch, number as u64);
        let last = self.limits.last_depth();
        let first = if number % 2 == 1 { last.min(2) } else { 1 };
        deepen(&mut searcher, root, self.algorithm, first..=last, watch, &mut Silent);
        searcher.stats
    }
}

/// The answer when not even the first iteration was finished: any legal move is better than none.
fn unsearched<G: Game>(root: &G) -> Iteration<G::Move> {
    let mut moves = Vec::new();
    root.moves(&mut moves);
    let score = root.outcome().map_or_else(|| root.evaluate(), |outcome| outcome.score(0));
    Iteration {
        depth: 0,
        score,
        bound: mnemon_table::Bound::Exact,
        nodes: 0,
        time: Duration::ZERO,
        pv: moves.into_iter().take(1).collect(),
        hashfull: 0,
        tainted: false,
    }
}

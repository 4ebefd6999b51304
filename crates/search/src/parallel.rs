//! A whole search: a main thread, whose result counts, and helpers that fill the same table (lazy SMP).
//!
//! Helpers search the same root with another move order and never deeper than the limit, so that the main thread finds
//! their results in the table. They share nothing else.

use std::sync::atomic::AtomicBool;
use std::thread::Builder;
use std::time::Duration;

use mnemon_table::replace::Replace;
use mnemon_table::{Layout, Score, Table};

use crate::deepen::deepen;
use crate::limits::Control;
use crate::searcher::Searcher;
use crate::{Algorithm, Game, Iteration, Keep, Limits, Report, Silent, Stats};

/// The settings of a search: those of [`Search::new`], with the fields that should differ.
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
/// let outcome = search.run(&root, &mut |iteration: &Iteration<u8>| depths.push(iteration.depth));
/// assert_eq!(depths, [1, 2, 3, 4, 5, 6]);
/// assert_eq!(outcome.pv.first(), outcome.best.as_ref());
/// # Ok::<(), mnemon_table::TableError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Search<'a, L: Layout, R: Replace> {
    /// The table, which several searches may share at once.
    pub table: &'a Table<L, R>,
    /// A second table for the lower bounds, so that `table` keeps the upper ones only; `None` where one table keeps both
    /// in an entry. For measurements: an entry of each is as large as one with both.
    pub lower_bounds: Option<&'a Table<L, R>>,
    /// How the value of an iteration is found.
    pub algorithm: Algorithm,
    /// What is stored in the table and used from it.
    pub keep: Keep,
    /// Whether the hash move, the table's best move, is searched first.
    pub hash_moves: bool,
    /// Whether the table is probed at leaves too, before the static evaluation. A stored score makes the search
    /// effectively deeper there: Samuel's rote learning (1959).
    pub probe_leaves: bool,
    /// Threads; 0 counts as 1. With one, the same input gives the same number of nodes.
    pub threads: usize,
    /// How far to go.
    pub limits: Limits,
    /// In a game [with cycles](Game::CYCLES), the [keys](Game::key) of the positions that were played before the root,
    /// without the root itself: to reach one of them again is a draw. Each node compares its key with all of them, so
    /// leave out those that cannot come back.
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
    /// Whether the score depends on what was played before the root, or on a move counter: then it holds for this game,
    /// and not for the position.
    pub tainted: bool,
    /// The principal variation.
    pub pv: Vec<M>,
    /// Counts of all threads together.
    pub stats: Stats,
    /// How long it took.
    pub time: Duration,
}

/// A stop flag that is never set.
static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a, L: Layout, R: Replace> Search<'a, L, R> {
    /// Principal variation search on one thread, without limits, with full use of the table.
    pub fn new(table: &'a Table<L, R>) -> Self {
        Search {
            table,
            lower_bounds: None,
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

    /// Searches deeper and deeper until a limit is reached or the search is stopped, and reports each finished
    /// iteration. Where the system refuses threads, it goes on with fewer and reports that.
    pub fn run<G: Game>(&self, root: &G, report: &mut impl Report<G::Move>) -> SearchOutcome<G::Move> {
        self.run_on(Builder::new, root, report)
    }

    fn run_on<G: Game>(
        &self,
        builder: impl Fn() -> Builder,
        root: &G,
        report: &mut impl Report<G::Move>,
    ) -> SearchOutcome<G::Move> {
        let control = Control::new(self.limits, self.stop);
        let asked = if self.keep == Keep::Nothing { 1 } else { self.threads.max(1) };
        let (last, stats) = std::thread::scope(|scope| {
            let control = &control;
            let start = |number| builder().spawn_scoped(scope, move || self.run_helper(root, number, control)).ok();
            let helpers: Vec<_> = (1..asked).map_while(start).collect();
            if helpers.len() + 1 < asked {
                report.fewer_threads(helpers.len() + 1, asked);
            }
            let (last, mut stats) = self.run_main(root, control, report);
            control.finish();
            for helper in helpers {
                // A helper's panic is passed on.
                stats += helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
            (last, stats)
        });
        let last = last.unwrap_or_else(|| unsearched(root));
        let Iteration { depth, score, tainted, pv, .. } = last;
        SearchOutcome { best: pv.first().copied(), score, depth, tainted, pv, stats, time: control.elapsed() }
    }

    /// The main thread: returns its last finished iteration, if any.
    fn run_main<G: Game>(
        &self,
        root: &G,
        control: &Control<'_>,
        report: &mut impl Report<G::Move>,
    ) -> (Option<Iteration<G::Move>>, Stats) {
        let mut searcher = Searcher::new(self, control, 0);
        let depths = 1..=self.limits.last_depth();
        let last = deepen(&mut searcher, root, self.algorithm, depths, control, report);
        (last, searcher.stats)
    }

    /// A helper thread: every other one starts a depth later, and each breaks ties between moves in its own way.
    fn run_helper<G: Game>(&self, root: &G, number: usize, control: &Control<'_>) -> Stats {
        let mut searcher = Searcher::new(self, control, number as u64);
        let last = self.limits.last_depth();
        let first = if number % 2 == 1 { last.min(2) } else { 1 };
        deepen(&mut searcher, root, self.algorithm, first..=last, control, &mut Silent);
        searcher.stats
    }
}

/// What counts as the last iteration if not even the first was finished: any legal move is better than none.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Rules, Synthetic};

    #[derive(Default)]
    struct Recorder {
        iterations: usize,
        fewer: Vec<(usize, usize)>,
    }

    impl<M> Report<M> for Recorder {
        fn iteration(&mut self, _iteration: &Iteration<M>) {
            self.iterations += 1;
        }

        fn fewer_threads(&mut self, started: usize, asked: usize) {
            self.fewer.push((started, asked));
        }
    }

    #[test]
    fn without_helpers_the_main_thread_searches_alone_and_that_is_reported() {
        let root = Synthetic::new(Rules::noise(7, 5, 20, 100));
        let table: Table = Table::new(1 << 20).expect("a small table");
        let search = Search { limits: Limits::depth(6), threads: 4, ..Search::new(&table) };
        let mut recorder = Recorder::default();
        // No system has room for this stack.
        let alone = search.run_on(|| Builder::new().stack_size(usize::MAX / 4), &root, &mut recorder);
        assert_eq!((recorder.iterations, &recorder.fewer[..]), (6, &[(1, 4)][..]));
        let table: Table = Table::new(1 << 20).expect("a small table");
        let mut recorder = Recorder::default();
        let together = Search { table: &table, ..search }.run(&root, &mut recorder);
        assert_eq!((alone.score, recorder.fewer.len()), (together.score, 0));
    }
}

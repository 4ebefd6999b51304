//! Searches of [`mnemon_search`] with a memory, one position after the other.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mnemon_search::{Game, Iteration, Report, Search, SearchOutcome};
use mnemon_table::replace::{Aged, Replace};
use mnemon_table::{Layout, Score, Table, Wide};

use crate::policy::Searched;
use crate::recall::{Budget, RecallSummary};
use crate::{Memory, Result, unix_time};

/// A game or an analysis with the searches of [`mnemon_search`]: each recalls before and learns after.
///
/// ```
/// use std::sync::Arc;
/// use mnemon_memory::policy::{Policy, Resume};
/// use mnemon_memory::{Memory, RamStore, Session, Source};
/// use mnemon_search::games::TicTacToe;
/// use mnemon_search::{Limits, Search, Silent};
///
/// let store = Arc::new(RamStore::new());
/// let everything = Policy::Resume(Resume { least_depth: 1, ..Resume::default() });
/// let nodes = [(); 2].map(|()| {
///     // A new table each time, as after a restart.
///     let memory = Memory::new(store.clone(), Source::engine("example", "1"), everything);
///     let mut session: Session = Session::new(memory, Arc::new(mnemon_table::Table::new(1 << 20).unwrap()));
///     let outcome = session.search(&TicTacToe::new(), 0, |search| search.limits = Limits::depth(9), &mut Silent).unwrap();
///     outcome.search.stats.nodes
/// });
/// assert!(nodes[1] < 20 && nodes[0] > 1000, "{nodes:?}");
/// ```
pub struct Session<L: Layout = Wide, R: Replace = Aged> {
    memory: Memory,
    table: Arc<Table<L, R>>,
    /// How much a recall may read.
    pub budget: Budget,
    /// The keys of the positions of the game before the next root: a search scores their repetition as a draw.
    pub history: Vec<u64>,
    /// Set it from another thread to end a search.
    pub stop: Arc<AtomicBool>,
    /// The score of each side's last search.
    previous: [Option<Score>; 2],
}

/// What a session found about a position.
#[derive(Clone, Debug)]
pub struct SessionOutcome<M> {
    /// What the search found.
    pub search: SearchOutcome<M>,
    /// What the memory contributed.
    pub recalled: RecallSummary,
}

impl<L: Layout + 'static, R: Replace + 'static> Session<L, R> {
    /// A session with this memory and table.
    pub fn new(memory: Memory, table: Arc<Table<L, R>>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        Session { memory, table, budget: Budget::ANALYSING, history: Vec::new(), stop, previous: [None; 2] }
    }

    /// The memory.
    pub fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Begins another game: clears the history and the last scores; the table and the memory stay.
    pub fn new_game(&mut self) {
        self.history.clear();
        self.previous = [None; 2];
    }

    /// Recalls what is known, searches, and learns in the background. `settings` may change the search; `ply` is the
    /// position's ply in its game.
    ///
    /// # Errors
    /// A memory that cannot be read. [`Memory::sync`] returns the error of one that cannot be written.
    pub fn search<G: Game + 'static>(
        &mut self,
        root: &G,
        ply: u16,
        settings: impl FnOnce(&mut Search<'_, L, R>),
        report: &mut impl Report<G::Move>,
    ) -> Result<SessionOutcome<G::Move>> {
        self.table.new_generation();
        let recalled = self.memory.begin(root, &self.table, self.budget, None)?;
        let mut iterations = Vec::new();
        let outcome = {
            let mut search = Search { history: &self.history, stop: &self.stop, ..Search::new(&self.table) };
            settings(&mut search);
            search.run(root, &mut |iteration: &Iteration<G::Move>| {
                iterations.push(iteration.score);
                report.iteration(iteration);
            })
        };
        let side = usize::from(ply % 2);
        let searched = Searched {
            iterations,
            previous: self.previous[side],
            game_ply: ply,
            time: unix_time(),
            ..Searched::new(root, &outcome)
        };
        self.previous[side] = (outcome.depth > 0).then_some(outcome.score);
        self.memory.finish(root, &self.table, searched, recalled.used_by(&outcome.used));
        Ok(SessionOutcome { search: outcome, recalled })
    }
}

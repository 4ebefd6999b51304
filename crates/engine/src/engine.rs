//! A chess engine: a game, a table, a memory, and a search that runs on a thread of its own.
//!
//! ```text
//! go ─► allot time ─► recall ─► search ─► wait for stop or ponderhit ─► best move ─► learn
//! ```
//!
//! The engine prints nothing: it reports to a [`Listener`].

mod memory;

use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mnemon_chess::Color;
use mnemon_memory::{Memory, MemoryId, Source};
use mnemon_table::replace::AnyScheme;
use mnemon_table::{SnapshotError, TableError};

use crate::Table;
use crate::book::OpeningBook;
use crate::divide::divide;
use crate::event::{Event, Listener};
use crate::game_history::GameHistory;
use crate::go::{Go, GoParams};
use crate::recall::Previous;
use crate::search::Searcher;
use crate::settings::Settings;
use crate::signals::Signals;
use crate::state::EngineState;
use crate::tablebase::Tablebase;

pub use memory::Forgotten;

/// The scheme of the Zobrist keys: a table that was saved with other keys must not be loaded.
const KEYS: &str = "mnemon-chess: cozy-chess 0.3 zobrist, en passant if legal";

/// A chess engine with a memory.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use mnemon_engine::{GoParams, Engine, Event, GameHistory};
///
/// let best = Arc::new(Mutex::new(None));
/// let log = Arc::clone(&best);
/// let mut engine = Engine::new(1 << 20, Arc::new(move |event: Event<'_>| {
///     if let Event::Best { position, best: Some(best), .. } = event {
///         *log.lock().unwrap() = Some(position.uci(best));
///     }
/// }))?;
/// let mate_in_one = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1".parse()?;
/// engine.set_game(GameHistory::new(mate_in_one, [])?);
/// engine.go(GoParams { depth: Some(3), ..GoParams::default() });
/// engine.wait();
/// assert_eq!(best.lock().unwrap().as_deref(), Some("a1a8"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    /// The settings from the next [`go`](Self::go) on.
    pub settings: Settings,
    game: GameHistory,
    table: Arc<Table>,
    tablebase: Option<Arc<Tablebase>>,
    /// The book of the next search.
    pub(crate) book: Option<OpeningBook>,
    threads: usize,
    listener: Arc<dyn Listener>,
    /// `None` while a search has it.
    state: Option<EngineState>,
    running: Option<Running>,
    /// Memories that were set before and are still being written.
    retired: Vec<Memory>,
    /// The contributors whose scores an earlier memory put into the table.
    beliefs: BTreeSet<MemoryId>,
    /// The contributors that are trusted beside those whom the memory's owner trusts.
    trusted: Vec<String>,
}

struct Running {
    signals: Arc<Signals>,
    thread: JoinHandle<Option<EngineState>>,
}

impl Engine {
    /// An engine with a table of `table_bytes`, one thread and no memory.
    ///
    /// # Errors
    /// A table that does not fit.
    pub fn new(table_bytes: usize, listener: Arc<dyn Listener>) -> Result<Self, TableError> {
        Ok(Self::with_table(Table::new(table_bytes)?, listener))
    }

    /// An engine with this table, one thread and no memory.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use mnemon_engine::{Engine, Event, Table};
    /// use mnemon_table::replace::AnyScheme;
    ///
    /// let table = Table::with_entries(8192, AnyScheme::TwoTier)?;
    /// let engine = Engine::with_table(table, Arc::new(|_: Event<'_>| ()));
    /// assert_eq!((engine.table_entries(), engine.replacement()), (8192, AnyScheme::TwoTier));
    /// # Ok::<(), mnemon_table::TableError>(())
    /// ```
    pub fn with_table(table: Table, listener: Arc<dyn Listener>) -> Self {
        Engine {
            settings: Settings::default(),
            game: GameHistory::default(),
            table: Arc::new(table),
            tablebase: None,
            book: None,
            threads: 1,
            listener,
            state: None,
            running: None,
            retired: Vec::new(),
            beliefs: BTreeSet::new(),
            trusted: Vec::new(),
        }
    }

    /// The source under which this engine learns.
    pub fn source() -> Source {
        Source::engine("mnemon", env!("CARGO_PKG_VERSION"))
    }

    /// The game on the board.
    pub fn game(&self) -> &GameHistory {
        &self.game
    }

    /// Puts another game on the board. A search that runs goes on with the one it has.
    pub fn set_game(&mut self, game: GameHistory) {
        self.game = game;
        if !self.game.position().has_moves() && !self.is_searching() {
            let game = self.game.clone();
            self.idle().log.note_end(&game);
        }
    }

    /// The game that the engine has played was won by this side, or by none: the memory learns from it, if its policy does.
    /// Without this call the engine concludes the result from the last position or score when another game begins.
    pub fn game_over(&mut self, winner: Option<Color>) {
        let listener = Arc::clone(&self.listener);
        self.idle().game_over(winner, &*listener);
    }

    /// No more moves will follow in the present game: what its last position or score says of the result is learned.
    pub fn conclude_game(&mut self) {
        let listener = Arc::clone(&self.listener);
        self.idle().conclude_game(&*listener);
    }

    /// Begins a search of the position on the board. The best move is reported as [`Event::Best`], exactly once for each
    /// call; a search that still runs is stopped, and reports its own before.
    pub fn go(&mut self, params: GoParams) {
        let start = Instant::now();
        let game = self.game.clone();
        let (settings, table, listener) = (self.settings, Arc::clone(&self.table), Arc::clone(&self.listener));
        let tablebase = self.tablebase.clone();
        self.idle().book = self.book.clone();
        self.start(params.ponder, |signals| {
            let go = Arc::new(Go { params, game, settings, table, tablebase, signals, listener, start });
            let failed = Arc::clone(&go);
            (move |state: &mut EngineState| go.run(state), move || failed.report_after_panic())
        });
    }

    /// Begins to count the move sequences of `depth` plies (perft), and reports [`Event::Divided`] and [`Event::Counted`].
    pub fn count(&mut self, depth: u8) {
        let (position, listener) = (self.game.position().clone(), Arc::clone(&self.listener));
        let rescuer = Arc::clone(&listener);
        self.start(false, |signals| {
            let uncounted = move || rescuer.notify(Event::Counted(None, Duration::ZERO));
            (move |_: &mut EngineState| divide(&position, depth, &signals, &*listener), uncounted)
        });
    }

    /// Runs `work` on a thread of its own. If it panics, or there is no thread, that is reported, and `rescue` ends the
    /// command.
    fn start<W, R>(&mut self, ponder: bool, work: impl FnOnce(Arc<Signals>) -> (W, R))
    where
        W: FnOnce(&mut EngineState) + Send + 'static,
        R: FnOnce() + Send + 'static,
    {
        self.idle();
        let state = self.state.take().unwrap_or_else(|| EngineState::new(self.threads));
        let signals = Arc::new(Signals::new(ponder));
        let (work, rescue) = work(Arc::clone(&signals));
        let (listener, threads) = (Arc::clone(&self.listener), self.threads);
        // The thread is handed its work once it runs: of a thread that cannot be started nothing comes back.
        let (hand_over, received) = std::sync::mpsc::channel::<(EngineState, W, R)>();
        let spawned = std::thread::Builder::new().name("engine".to_owned()).spawn(move || {
            let (mut state, work, rescue) = received.recv().ok()?;
            // After a panic only two parts of the search are used again: its table, where every entry is verified, and its
            // memory, whose writes are another thread's.
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(&mut state))) {
                state.searcher = Searcher::new(threads);
                listener.notify(Event::Failed(message(&*panic)));
                rescue();
            }
            Some(state)
        });
        match spawned {
            Ok(thread) => {
                // The thread waits for this before anything else.
                let _ = hand_over.send((state, work, rescue));
                self.running = Some(Running { signals, thread });
            }
            Err(error) => {
                self.state = Some(state);
                self.listener.notify(Event::NotStarted(&error));
                signals.stop();
                rescue();
            }
        }
    }

    /// Ends the running search; its best move is reported soon after.
    pub fn stop(&self) {
        if let Some(running) = &self.running {
            running.signals.stop();
        }
    }

    /// The move that the running search ponders on was played: its clock counts from now on.
    pub fn ponderhit(&self) {
        if let Some(running) = &self.running {
            running.signals.ponderhit();
        }
    }

    /// Whether a search has not reported its best move yet.
    pub fn is_searching(&self) -> bool {
        self.running.as_ref().is_some_and(|running| !running.thread.is_finished() && !running.signals.is_reported())
    }

    /// Waits for the end of the running search. Without limits it has none.
    pub fn wait(&mut self) {
        if let Some(Running { thread, .. }) = self.running.take() {
            match thread.join() {
                Ok(state) => self.state = state,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    }

    /// Stops the running search and waits for its end; returns what searches pass on to each other.
    fn idle(&mut self) -> &mut EngineState {
        self.stop();
        self.wait();
        self.state.get_or_insert_with(|| EngineState::new(self.threads))
    }

    /// Sets the number of search threads; 0 counts as 1.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
        let threads = self.threads;
        self.idle().searcher = Searcher::new(threads);
    }

    /// Another game begins: learns from the present one's result, if it is known, and clears the table and the search's
    /// history. The memory stays.
    pub fn clear(&mut self) {
        self.conclude_game();
        let is_written = self.settle();
        let state = self.idle();
        state.searcher.new_game();
        state.previous = Previous::default();
        // What is not written yet is still to be read from the old table.
        let new_table = if is_written { None } else { Table::with_scheme(self.table.bytes(), self.replacement()).ok() };
        match new_table {
            Some(table) => self.table = Arc::new(table),
            None => self.table.clear(self.threads),
        }
        self.set_beliefs(BTreeSet::new());
    }

    /// An empty table of another size.
    ///
    /// # Errors
    /// A table that does not fit; then the old one stays.
    pub fn resize(&mut self, bytes: usize) -> Result<(), TableError> {
        self.replace_table(bytes, self.replacement())
    }

    /// An empty table of the same size with another replacement scheme; with the same scheme the table stays as it is.
    ///
    /// # Errors
    /// Memory that the system refuses; then the old table stays.
    pub fn set_replacement(&mut self, scheme: AnyScheme) -> Result<(), TableError> {
        if scheme == self.replacement() { Ok(()) } else { self.replace_table(self.table_bytes(), scheme) }
    }

    /// The table's replacement scheme.
    pub fn replacement(&self) -> AnyScheme {
        self.table.scheme()
    }

    fn replace_table(&mut self, bytes: usize, scheme: AnyScheme) -> Result<(), TableError> {
        self.settle();
        // The old table is given back before the new one's memory is used, so that both need not fit at once.
        self.table = Arc::new(Table::lazy(bytes, scheme)?);
        self.table.touch();
        self.set_beliefs(BTreeSet::new());
        Ok(())
    }

    /// The table's size in bytes.
    pub fn table_bytes(&self) -> usize {
        self.table.bytes()
    }

    /// The number of entries that the table has room for.
    pub fn table_entries(&self) -> usize {
        self.table.capacity()
    }

    /// Writes the whole table to a file.
    ///
    /// # Errors
    /// As [`Table::save`].
    pub fn save_table(&mut self, path: &Path) -> Result<(), SnapshotError> {
        self.idle();
        self.table.save(path, KEYS)
    }

    /// Replaces the table by one that was saved in a file, with its size. The replacement scheme stays.
    ///
    /// # Errors
    /// As [`Table::load`], also for a table whose buckets had another number of ways; then the old one stays.
    pub fn load_table(&mut self, path: &Path) -> Result<(), SnapshotError> {
        self.settle();
        self.table = Arc::new(Table::load_with_scheme(path, KEYS, self.replacement())?);
        Ok(())
    }

    /// Probes this tablebase from now on, or none.
    pub fn set_tablebase(&mut self, tablebase: Option<Arc<Tablebase>>) {
        self.idle();
        self.tablebase = tablebase;
    }
}

/// A panic's message.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message")
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        if let Some(Running { thread, .. }) = self.running.take() {
            // The panic hook has already reported a panic.
            let _ = thread.join();
        }
    }
}

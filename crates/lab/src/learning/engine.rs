//! The engine in this process as a player, driven as a GUI drives it: one `go` for each move.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mnemon_chess::{Color, Move};
use mnemon_engine::search::OpenWindow;
use mnemon_engine::{Clock, Engine, Event, GoParams, Table};
use mnemon_memory::policy::{EntryRules, Policy};
use mnemon_memory::{MemoryError, Store};
use mnemon_table::replace::AnyScheme;
use mnemon_table::{Bound, Score};

use crate::play::{Choice, Game};
use crate::{LabError, Result};

/// The table of every player: its entries, and which of them a full bucket gives up. Recall fills at most a quarter of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableSetup {
    pub(super) entries: usize,
    pub(super) scheme: AnyScheme,
    pub(super) entry_rules: EntryRules,
    pub(super) open_window: OpenWindow,
}

/// The most positions that are recalled before a move: what a store in a file gives in a tenth of a quick game's time.
const RECALL_POSITIONS: usize = 1_000;

/// The clock's milliseconds at each move. The node limit ends the search long before, but with a clock the engine plays a
/// game instead of resuming an analysis, so it searches from the first iteration on.
const CLOCK: i64 = 1_000_000_000;

/// An engine that plays with a fixed number of nodes.
pub(super) struct EnginePlayer {
    engine: Engine,
    last: Arc<Mutex<LastSearch>>,
}

/// What the engine reported of its last search.
#[derive(Default)]
struct LastSearch {
    best: Option<Move>,
    score: Score,
    memory_error: Option<String>,
}

impl EnginePlayer {
    /// A player with a memory or without one.
    pub(super) fn new(table: TableSetup, memory: Option<(Arc<dyn Store>, Policy)>) -> Result<Self> {
        let last = Arc::new(Mutex::new(LastSearch::default()));
        let shared = Arc::clone(&last);
        let listener = move |event: Event<'_>| {
            let mut last = shared.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                Event::Line(_, info) if info.bound == Bound::Exact => last.score = info.score,
                Event::Best { best, .. } => last.best = best,
                Event::MemoryFailed(error) | Event::MemoryReadOnly(error) => {
                    last.memory_error = Some(MemoryError::to_string(error))
                }
                _ => {}
            }
        };
        let (rules, open_window) = (table.entry_rules, table.open_window);
        let table = Table::with_entries(table.entries, table.scheme)?;
        let mut engine = Engine::with_table(table, Arc::new(listener));
        engine.settings.entry_rules = rules;
        engine.settings.open_window = open_window;
        // What is recalled and learned must not depend on how busy the machine is: the number of positions is limited, and
        // not the time.
        engine.settings.recall_budget = Duration::from_secs(600);
        engine.settings.recall_positions = RECALL_POSITIONS;
        engine.settings.time = Some(0);
        engine.set_memory(memory);
        Ok(EnginePlayer { engine, last })
    }

    /// A new game begins: as after `ucinewgame`, nothing is kept but the memory.
    pub(super) fn clear(&mut self) {
        self.engine.clear();
    }

    /// The game is over; the memory learns from its result, if its policy does.
    pub(super) fn learn(&mut self, winner: Option<Color>) {
        self.engine.game_over(winner);
    }

    /// The move and its score after a search of this many nodes.
    pub(super) fn search(&mut self, game: &Game, nodes: u64) -> Result<Choice> {
        self.go(game, nodes, Clock { remaining: Some(CLOCK), ..Clock::default() })
    }

    /// Analyses the position with this many nodes: what is known of it is resumed.
    pub(super) fn analyse(&mut self, game: &Game, nodes: u64) -> Result {
        self.go(game, nodes, Clock::default()).map(drop)
    }

    fn go(&mut self, game: &Game, nodes: u64, clock: Clock) -> Result<Choice> {
        // A second for every search: which of two records is newer must not depend on the hour.
        self.engine.settings.time = self.engine.settings.time.map(|time| time + 1);
        self.engine.set_game(game.history().clone());
        self.engine.go(GoParams { clock, nodes: Some(nodes), ..GoParams::default() });
        self.engine.wait();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = last.memory_error.take() {
            return Err(LabError::EngineMemory(error));
        }
        let mv = last.best.take().ok_or_else(|| LabError::NoMove { fen: game.position().to_string() })?;
        Ok(Choice { mv, score: Some(last.score.into()) })
    }
}

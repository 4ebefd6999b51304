//! A player: an engine as a GUI would have it, asked for a move at a time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mnemon_chess::Move;
use mnemon_engine::{Clock, Engine, Event, GameHistory, GoParams};
use mnemon_memory::policy::Policy;
use mnemon_memory::{MemoryError, Store};
use mnemon_table::{Bound, Score};

use crate::{LabError, Result};

/// The table's size: much for a few thousand nodes. Recall fills a quarter of it at the most.
const TABLE_BYTES: usize = 1 << 20;

/// The clock shows so many milliseconds at each move. Nodes end the search long before; but against a clock the engine
/// plays, rather than going on with an analysis, and looks at its moves from the first iteration on.
const CLOCK: i64 = 1_000_000_000;

/// An engine that plays by fixed nodes.
pub(super) struct Player {
    engine: Engine,
    told: Arc<Mutex<Told>>,
}

/// The engine's last words.
#[derive(Default)]
struct Told {
    best: Option<Move>,
    score: Score,
    trouble: Option<String>,
}

impl Player {
    /// A player that remembers, or not.
    pub(super) fn new(memory: Option<(Arc<dyn Store>, Policy)>) -> Result<Self> {
        let told = Arc::new(Mutex::new(Told::default()));
        let heard = Arc::clone(&told);
        let listener = move |event: Event<'_>| {
            let mut told = heard.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                Event::Line(_, info) if info.bound == Bound::Exact => told.score = info.score,
                Event::Best { best, .. } => told.best = best,
                Event::MemoryFailed(error) => told.trouble = Some(MemoryError::to_string(error)),
                _ => {}
            }
        };
        let mut engine = Engine::new(TABLE_BYTES, Arc::new(listener))?;
        // What is recalled and learned must not depend on how busy the machine is.
        engine.settings.recall_budget = Duration::from_secs(600);
        engine.set_memory(memory);
        Ok(Player { engine, told })
    }

    /// Another game begins: all but the memory is forgotten, as `ucinewgame` has it.
    pub(super) fn new_game(&mut self) {
        self.engine.clear();
    }

    /// The move, and the score from the mover's point of view.
    pub(super) fn choose(&mut self, game: &GameHistory, nodes: u64) -> Result<(Move, Score)> {
        self.engine.set_game(game.clone());
        let clock = Clock { left: Some(CLOCK), ..Clock::default() };
        self.engine.go(GoParams { clock, nodes: Some(nodes), ..GoParams::default() });
        self.engine.wait();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(trouble) = told.trouble.take() {
            return Err(LabError::EngineMemory(trouble));
        }
        let best = told.best.take().ok_or_else(|| LabError::NoMove { fen: game.position().to_string() })?;
        Ok((best, told.score))
    }
}

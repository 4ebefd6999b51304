//! Somebody who analyses with a memory, and notes what the engine tells.

#![allow(dead_code, unreachable_pub, reason = "each test file uses some of these")]

use std::sync::{Arc, Mutex};

use mnemon_engine::search::Info;
use mnemon_engine::{Engine, Event, GameHistory, GoParams};
use mnemon_memory::policy::Policy;
use mnemon_memory::{RamStore, Store};
use mnemon_table::Bound;

/// What one search told.
#[derive(Clone, Debug, Default)]
pub struct Thought {
    /// How many positions the memory gave.
    pub recalled: usize,
    /// What it knew of the position before any search.
    pub known: Option<Info>,
    /// The exact lines of whole iterations, and the last word.
    pub lines: Vec<Info>,
    /// The move.
    pub best: String,
}

impl Thought {
    /// The last word on the position.
    pub fn last(&self) -> &Info {
        self.lines.last().expect("a line")
    }

    /// Its score.
    pub fn score(&self) -> i16 {
        self.last().score
    }

    fn hear(&mut self, event: &Event<'_>) {
        match event {
            Event::Recalled(recalled) => self.recalled = recalled.entries,
            Event::Known(_, info) => self.known = Some((*info).clone()),
            Event::Line(_, info) if info.bound == Bound::Exact => self.lines.push((*info).clone()),
            Event::Best { position, best, .. } => {
                self.best = best.map_or_else(String::new, |best| position.uci(best));
            }
            _ => {}
        }
    }
}

/// An engine on one thread with a memory, from its start to its end.
pub struct Analyst {
    engine: Engine,
    notes: Arc<Mutex<Thought>>,
}

impl Analyst {
    /// One who remembers in this store.
    pub fn new(store: &Arc<RamStore>, policy: Policy) -> Self {
        let mut analyst = Self::without_memory();
        analyst.engine.set_memory(Some((Arc::clone(store) as Arc<dyn Store>, policy)));
        analyst
    }

    /// One who remembers nothing.
    pub fn without_memory() -> Self {
        let notes = Arc::new(Mutex::new(Thought::default()));
        let log = Arc::clone(&notes);
        let listener = move |event: Event<'_>| log.lock().expect("no panic").hear(&event);
        Analyst { engine: Engine::new(4 << 20, Arc::new(listener)).expect("a small table"), notes }
    }

    /// Searches the position after these moves to a depth; what was learned of it is in the store afterwards.
    pub fn think(&mut self, fen: &str, moves: &str, depth: u8) -> Thought {
        let start = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        self.engine.set_game(GameHistory::new(start, moves.split_whitespace()).expect("legal moves"));
        self.engine.go(GoParams { depth: Some(depth), ..GoParams::default() });
        self.engine.wait();
        self.engine.settle();
        std::mem::take(&mut self.notes.lock().expect("no panic"))
    }
}

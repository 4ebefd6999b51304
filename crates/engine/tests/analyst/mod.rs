//! An engine with a memory, and a log of what it reports.

#![allow(dead_code, unreachable_pub, reason = "each test file uses some of these")]

use std::sync::{Arc, Mutex};

use mnemon_engine::search::Info;
use mnemon_engine::{Engine, Event, GameHistory, GoParams};
use mnemon_memory::policy::Policy;
use mnemon_memory::{RamStore, Store};
use mnemon_table::Bound;

/// What one search reported.
#[derive(Clone, Debug, Default)]
pub struct SearchLog {
    /// The number of positions that were recalled.
    pub recalled: usize,
    /// What the memory knew of the position.
    pub known: Option<Info>,
    /// The exact lines of finished iterations, and the final line.
    pub lines: Vec<Info>,
    /// The best move.
    pub best: String,
}

impl SearchLog {
    /// The final line.
    pub fn last(&self) -> &Info {
        self.lines.last().expect("a line")
    }

    /// Its score.
    pub fn score(&self) -> i16 {
        self.last().score
    }

    fn add(&mut self, event: &Event<'_>) {
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
    log: Arc<Mutex<SearchLog>>,
}

impl Analyst {
    /// With a memory in this store.
    pub fn new(store: &Arc<RamStore>, policy: Policy) -> Self {
        let mut analyst = Self::without_memory();
        analyst.engine.set_memory(Some((Arc::clone(store) as Arc<dyn Store>, policy)));
        analyst
    }

    /// Without a memory.
    pub fn without_memory() -> Self {
        let shared = Arc::new(Mutex::new(SearchLog::default()));
        let log = Arc::clone(&shared);
        let listener = move |event: Event<'_>| log.lock().expect("no panic").add(&event);
        Analyst { engine: Engine::new(4 << 20, Arc::new(listener)).expect("a small table"), log: shared }
    }

    /// Searches the position after these moves to a depth; what is learned is in the store when this returns.
    pub fn search(&mut self, fen: &str, moves: &str, depth: u8) -> SearchLog {
        let start = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        self.engine.set_game(GameHistory::new(start, moves.split_whitespace()).expect("legal moves"));
        self.engine.go(GoParams { depth: Some(depth), ..GoParams::default() });
        self.engine.wait();
        self.engine.settle();
        std::mem::take(&mut self.log.lock().expect("no panic"))
    }
}

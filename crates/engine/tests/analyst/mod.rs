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
    /// All lines that it knew, the best first.
    pub known_lines: Vec<Info>,
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
            Event::Known(_, info) => {
                self.known = Some((*info).clone());
                self.known_lines.push((*info).clone());
            }
            Event::Line(_, info) if info.bound == Bound::Exact => self.lines.push((*info).clone()),
            Event::Best { position, best, .. } => {
                self.best = best.map_or_else(String::new, |best| position.uci(best));
            }
            _ => {}
        }
    }
}

/// A position with a losing move, its refutation, and the depths at which the move is played and the loss is found.
pub struct Trap {
    pub fen: &'static str,
    pub mistake: &'static str,
    pub refutation: &'static str,
    pub shallow_depth: u8,
    pub deep_depth: u8,
}

impl Trap {
    /// The mistake and its refutation.
    pub fn line(&self) -> String {
        format!("{} {}", self.mistake, self.refutation)
    }
}

/// The queen takes a rook, and is too far away when Black's goes to h3: mate on g2.
pub const MATE: Trap = Trap {
    fen: "5rk1/3q1ppp/8/r7/8/5pP1/5P1P/Q3R1K1 w - - 0 1",
    mistake: "a1a5",
    refutation: "d7h3",
    shallow_depth: 2,
    deep_depth: 2,
};

/// The bishop takes a pawn, and is trapped by another.
pub const BISHOP: Trap = Trap {
    fen: "2k5/ppp2ppp/5n2/8/8/4B3/1PP2PPP/6K1 w - - 0 1",
    mistake: "e3a7",
    refutation: "b7b6",
    shallow_depth: 3,
    deep_depth: 8,
};

/// An engine on one thread with a memory, from its start to its end.
pub struct Analyst {
    engine: Engine,
    log: Arc<Mutex<SearchLog>>,
}

impl Analyst {
    /// With a memory in this store.
    pub fn new(store: &Arc<RamStore>, policy: Policy) -> Self {
        Self::with_store(Arc::clone(store) as Arc<dyn Store>, policy)
    }

    /// With a memory in any store.
    pub fn with_store(store: Arc<dyn Store>, policy: Policy) -> Self {
        let mut analyst = Self::without_memory();
        analyst.engine.set_memory(Some((store, policy)));
        analyst
    }

    /// Without a memory.
    pub fn without_memory() -> Self {
        let shared = Arc::new(Mutex::new(SearchLog::default()));
        let log = Arc::clone(&shared);
        let listener = move |event: Event<'_>| log.lock().expect("no panic").add(&event);
        Analyst { engine: Engine::new(4 << 20, Arc::new(listener)).expect("a small table"), log: shared }
    }

    /// With this many lines of each search.
    pub fn set_lines(&mut self, lines: usize) {
        self.engine.settings.lines = lines;
    }

    /// No recall and no search ends by time; a recall ends after this many positions.
    pub fn limit_by_positions(&mut self, positions: usize) {
        self.engine.settings.untimed = true;
        self.engine.settings.recall_positions = positions;
    }

    /// Searches the position after these moves to a depth; what is learned is in the store when this returns.
    pub fn search(&mut self, fen: &str, moves: &str, depth: u8) -> SearchLog {
        self.go(fen, moves, GoParams { depth: Some(depth), ..GoParams::default() })
    }

    /// As [`search`](Self::search), with any limits.
    pub fn go(&mut self, fen: &str, moves: &str, params: GoParams) -> SearchLog {
        let start = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        self.engine.set_game(GameHistory::new(start, moves.split_whitespace()).expect("legal moves"));
        self.engine.go(params);
        self.engine.wait();
        self.engine.settle();
        std::mem::take(&mut self.log.lock().expect("no panic"))
    }
}

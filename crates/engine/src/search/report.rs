//! What a search reports while it runs.

use std::time::Duration;

use cozy_chess::Move;
use mnemon_table::{Bound, Score};

/// One principal variation of an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// The depth of the iteration.
    pub depth: u8,
    /// The deepest ply that was searched (selective depth).
    pub seldepth: u8,
    /// Which of the best lines this is (MultiPV), counted from 0.
    pub line: usize,
    /// Its score, from the side to move's point of view.
    pub score: Score,
    /// Whether the score is exact, or a bound because it is outside the aspiration window.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in per mille.
    pub hashfull: u32,
    /// Tablebase hits.
    pub tbhits: u64,
    /// The principal variation.
    pub pv: Vec<Move>,
    /// Whether the score depends on the moves before the root, or on the halfmove clock.
    pub tainted: bool,
}

/// How far a search has come, during an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The depth of the iteration.
    pub depth: u8,
    /// The root move that is being searched, and its number, counted from 1; `None` in the first seconds.
    pub current: Option<(Move, usize)>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in per mille.
    pub hashfull: u32,
    /// Tablebase hits.
    pub tbhits: u64,
}

/// Receives what a search reports.
pub trait Report {
    /// Called for each line of each finished iteration, and when a score falls out of its aspiration window.
    fn info(&mut self, info: &Info);

    /// Called about once a second, and after some seconds for each root move.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// Called when the system has refused memory or threads: of the `asked` threads only `started` search.
    fn fewer_threads(&mut self, started: usize, asked: usize) {
        let _ = (started, asked);
    }
}

impl<F: FnMut(&Info)> Report for F {
    fn info(&mut self, info: &Info) {
        self(info);
    }
}

/// Ignores every report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Report for Silent {
    fn info(&mut self, _info: &Info) {}
}

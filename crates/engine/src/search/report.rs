//! What a search tells while it runs.

use std::time::Duration;

use cozy_chess::Move;
use mnemon_table::{Bound, Score};

/// One line of what a search has found so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// The depth of the iteration.
    pub depth: u8,
    /// The seldepth ply that was looked at.
    pub seldepth: u8,
    /// Which of the best lines this is, counted from 0.
    pub line: usize,
    /// Its score, from the side to move's point of view.
    pub score: Score,
    /// What the score is to the value.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in per mille.
    pub hashfull: u32,
    /// Positions that endgame tables decided.
    pub tbhits: u64,
    /// The line of play.
    pub pv: Vec<Move>,
    /// Whether the score depends on the moves before the root.
    pub tainted: bool,
}

/// How far a search has come, in the middle of an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The depth of the iteration.
    pub depth: u8,
    /// The root's move that is being searched, and its number, counted from 1; `None` in the first seconds.
    pub current: Option<(Move, usize)>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in per mille.
    pub hashfull: u32,
    /// Positions that endgame tables decided.
    pub tbhits: u64,
}

/// Someone who wants to hear of what a search finds.
pub trait Report {
    /// Called for each line of each iteration, and when a score falls out of its window.
    fn info(&mut self, info: &Info);

    /// Called about once a second, and after some seconds for each move of the root.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }
}

impl<F: FnMut(&Info)> Report for F {
    fn info(&mut self, info: &Info) {
        self(info);
    }
}

/// Listens to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Report for Silent {
    fn info(&mut self, _info: &Info) {}
}

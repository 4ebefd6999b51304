//! What the solver tells its caller while it works. The library prints nothing.

use std::time::Duration;

/// How far a solve has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The score, seen by the side to move, is at least this.
    pub lower: i32,
    /// The score, seen by the side to move, is at most this.
    pub upper: i32,
    /// Positions searched so far, by all threads.
    pub nodes: u64,
    /// Time since the solve began.
    pub elapsed: Duration,
}

/// Receives the progress of a solve: whenever the window narrows, and about every million positions between.
pub trait Report: Sync {
    /// Called from a searching thread; should return soon.
    fn progress(&self, progress: Progress);
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Report for Silent {
    fn progress(&self, _progress: Progress) {}
}

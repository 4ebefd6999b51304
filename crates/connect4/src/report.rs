//! Progress reports of a running solve. The library prints nothing.

use std::time::Duration;

/// The progress of a solve.
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
    /// Called from a searching thread, so it should return soon.
    fn progress(&self, progress: Progress);

    /// Called once for a solve if the system has refused threads: this many search of those that were asked for.
    fn fewer_threads(&self, _started: usize, _asked: usize) {}
}

/// Ignores all reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Report for Silent {
    fn progress(&self, _progress: Progress) {}
}

//! How much a recall may read.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mnemon_table::replace::Replace;
use mnemon_table::{Layout, Table};

/// How far a recall may go through the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The most positions to find.
    pub positions: usize,
    /// How many plies to go below the root.
    pub plies: u16,
    /// The most time to take.
    pub time: Duration,
}

impl Budget {
    /// For a game against the clock: five milliseconds.
    pub const PLAYING: Budget = Budget { positions: 100_000, plies: u16::MAX, time: Duration::from_millis(5) };
    /// For analysis: half a second.
    pub const ANALYSING: Budget = Budget { positions: 1_000_000, plies: u16::MAX, time: Duration::from_millis(500) };
    /// Without limits.
    pub const UNLIMITED: Budget = Budget { positions: usize::MAX, plies: u16::MAX, time: Duration::MAX };

    /// The same budget, with no more positions than a quarter of the table's slots: the rest is for the search.
    #[must_use]
    pub fn fitting<L: Layout, R: Replace>(self, table: &Table<L, R>) -> Self {
        const TABLE_SHARE: usize = 4;
        Budget { positions: self.positions.min(table.capacity() / TABLE_SHARE), ..self }
    }

    /// How many positions to look up at once. Large batches are faster, but the clock is read only between two batches,
    /// and a lookup takes a few microseconds.
    pub(super) fn chunk(&self) -> usize {
        (self.time.as_micros() / 40).clamp(32, 4096) as usize
    }
}

/// A budget in use: since when, and the flag that ends it early.
#[derive(Clone, Copy)]
pub(super) struct Deadline<'a> {
    pub(super) start: Instant,
    time: Duration,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Deadline<'a> {
    /// Starts now.
    pub(super) fn new(budget: Budget, stop: Option<&'a AtomicBool>) -> Self {
        Deadline { start: Instant::now(), time: budget.time, stop }
    }

    /// The same, with half of the time.
    pub(super) fn half(&self) -> Self {
        Deadline { time: self.time / 2, ..*self }
    }

    pub(super) fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) || self.start.elapsed() >= self.time
    }
}

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
}

/// How many positions to look up at once. Large batches are faster, but the clock is read only between two batches: a batch
/// takes no more than a tenth of the time that is left, by what the last one took.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchSize(usize);

impl BatchSize {
    const FIRST: usize = 32;
    const LARGEST: usize = 4096;

    pub(super) fn first() -> Self {
        BatchSize(Self::FIRST)
    }

    pub(super) fn get(self) -> usize {
        self.0
    }

    /// The next size, after a batch of this many positions that took `took`, with `left` to go.
    pub(super) fn next(self, positions: usize, took: Duration, left: Duration) -> Self {
        let one = took.as_nanos().max(1) / positions.max(1) as u128;
        let fitting = left.as_nanos() / 10 / one.max(1);
        BatchSize(usize::try_from(fitting).unwrap_or(usize::MAX).min(self.0 * 2).clamp(1, Self::LARGEST))
    }
}

/// What reading the store takes of the time that a recall may take. What is read then has to be judged, sorted and put into
/// a table, which takes about a third of the time that reading takes.
const READING_SHARE: f64 = 0.65;

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

    /// The part of the time in which the store is read: the rest is for what becomes of it, up to the filling of a table.
    pub(super) fn reading(&self) -> Self {
        Deadline {
            time: if self.time == Duration::MAX { self.time } else { self.time.mul_f64(READING_SHARE) },
            ..*self
        }
    }

    /// The time that is left.
    pub(super) fn left(&self) -> Duration {
        self.time.saturating_sub(self.start.elapsed())
    }

    pub(super) fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) || self.start.elapsed() >= self.time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time that reading takes until it is over, where the lookup of the n-th position costs `cost(n)`.
    fn reading_time(budget: Duration, cost: impl Fn(usize) -> Duration) -> Duration {
        let (limit, mut spent) = (budget.mul_f64(READING_SHARE), Duration::ZERO);
        let (mut size, mut positions) = (BatchSize::first(), 0);
        while spent < limit {
            let batch = size.get();
            let took: Duration = (positions..positions + batch).map(&cost).sum();
            (positions, spent) = (positions + batch, spent + took);
            size = size.next(batch, took, limit.saturating_sub(spent));
        }
        spent
    }

    #[test]
    fn a_budget_is_kept_on_stores_of_any_speed() {
        let budget = Duration::from_millis(500);
        for microseconds in [1, 10, 100, 1_000, 10_000] {
            let one = Duration::from_micros(microseconds);
            let spent = reading_time(budget, |_| one);
            assert!(spent <= budget.mul_f64(READING_SHARE) + one, "{microseconds} us each: {spent:?}");
            // From the cache at first, then from a disk that takes ten times as long.
            let spent = reading_time(budget, |number| if number < 200 { one / 10 } else { one });
            assert!(spent <= budget, "{microseconds} us each in the end: {spent:?}");
        }
    }
}

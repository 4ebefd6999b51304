//! The progress of a long solve, on stderr: shown on a terminal, not in files and pipes, and only when it takes a while.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Once, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use mnemon_connect4::{Progress, Report};

/// Nothing is shown before this; most positions are solved by then.
const SHOWN_AFTER: Duration = Duration::from_millis(400);

/// The progress of one position's solve.
pub(crate) struct SolveProgress {
    what: String,
    table_bytes: usize,
    started: Instant,
    /// The column that is being solved, counted from 1; 0 for the position itself.
    column: AtomicUsize,
    bar: OnceLock<ProgressBar>,
}

impl SolveProgress {
    /// Begins now; `what` says which position it is.
    pub(crate) fn new(what: impl Into<String>, table_bytes: usize) -> Self {
        let started = Instant::now();
        Self { what: what.into(), table_bytes, started, column: AtomicUsize::new(0), bar: OnceLock::new() }
    }

    /// Says which column, counted from 0, is solved next.
    pub(crate) fn column(&self, column: usize) {
        self.column.store(column + 1, Relaxed);
    }

    fn message(&self, progress: Progress) -> String {
        let Progress { lower, upper, nodes, elapsed } = progress;
        let (column, lower, upper) = match self.column.load(Relaxed) {
            0 => (String::new(), lower, upper),
            // The solver sees the position after the move, where the other side is to move.
            column => (format!(", column {column}"), -upper, -lower),
        };
        // The position comes last, where a narrow terminal cuts.
        format!(
            "score {lower} to {upper} for the side to move, {:.1} M nodes, {:.1} M/s, {}: {}{column}",
            nodes as f64 / 1e6,
            nodes as f64 / 1e6 / elapsed.as_secs_f64().max(1e-3),
            HumanBytes(self.table_bytes as u64),
            self.what,
        )
    }
}

impl Report for SolveProgress {
    fn progress(&self, progress: Progress) {
        if self.started.elapsed() >= SHOWN_AFTER {
            self.bar.get_or_init(spinner).set_message(self.message(progress));
        }
    }

    fn fewer_threads(&self, started: usize, asked: usize) {
        /// Once for all positions of a run.
        static SAID: Once = Once::new();
        SAID.call_once(|| {
            eprintln!("mnemon: the system gives no memory or processes for more: {started} of {asked} threads search");
        });
    }
}

impl Drop for SolveProgress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    let bar = ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_seen_by_the_side_that_plays_there() {
        let solve = SolveProgress::new("4455", 64 << 20);
        let progress = Progress { lower: -2, upper: 5, nodes: 3_000_000, elapsed: Duration::from_secs(2) };
        let message = solve.message(progress);
        assert_eq!(message, "score -2 to 5 for the side to move, 3.0 M nodes, 1.5 M/s, 64.00 MiB: 4455");
        solve.column(2);
        let message = solve.message(progress);
        assert_eq!(message, "score -5 to 2 for the side to move, 3.0 M nodes, 1.5 M/s, 64.00 MiB: 4455, column 3");
    }
}

//! Progress bars on stderr: shown on a terminal, not in files and pipes.

use std::cell::{Cell, OnceCell};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of `steps` equal steps.
pub(crate) fn bar(steps: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(steps).with_style(style).with_message(what);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A sign that a job of unknown length is under way.
pub(crate) fn spinner(what: &'static str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(what);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Nothing is shown before this time; most jobs are done by then.
const SHOWN_AFTER: Duration = Duration::from_secs(1);

/// The number of steps between two looks at the clock.
const STEPS_PER_CLOCK_CHECK: u64 = 256;

/// A bar that only shows itself when the job takes a while.
pub(crate) struct DelayedBar {
    what: &'static str,
    total: u64,
    started: Instant,
    done: Cell<u64>,
    next_check: Cell<u64>,
    bar: OnceCell<Shown>,
    is_hidden: bool,
}

impl DelayedBar {
    /// A bar of `total` equal steps; 0 where their number is not known.
    pub(crate) fn new(total: u64, what: &'static str) -> Self {
        let (done, next_check, bar) = (Cell::new(0), Cell::new(0), OnceCell::new());
        DelayedBar { what, total, started: Instant::now(), done, next_check, bar, is_hidden: false }
    }

    /// The same bar, never shown if something else is written to the terminal meanwhile.
    pub(crate) fn hidden_if(self, is_hidden: bool) -> Self {
        DelayedBar { is_hidden, ..self }
    }

    /// Adds `count` steps to those that are done.
    pub(crate) fn steps(&self, count: u64) {
        let done = self.done.get() + count;
        self.done.set(done);
        if done >= self.next_check.get() {
            self.next_check.set(done + STEPS_PER_CLOCK_CHECK);
            self.set(done, self.total);
        }
    }

    /// Says that `done` steps of `total` are done.
    pub(crate) fn set(&self, done: u64, total: u64) {
        if !self.is_hidden && self.started.elapsed() >= SHOWN_AFTER {
            let Shown(bar) = self.bar.get_or_init(|| Shown(bar(total, self.what)));
            bar.set_length(total.max(done));
            bar.set_position(done);
        }
    }
}

/// A bar that disappears when its job is done.
pub(crate) struct Shown(pub(crate) ProgressBar);

impl Drop for Shown {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Does a job that cannot say how far it is, and shows that it is under way when it takes a while.
pub(crate) fn during<T>(what: &'static str, job: impl FnOnce() -> T) -> T {
    let (done, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        // Without a thread nothing is shown, and the job is done all the same.
        let _ = thread::Builder::new().spawn_scoped(scope, move || {
            // The sender is dropped when the job is done.
            if wait.recv_timeout(SHOWN_AFTER) == Err(mpsc::RecvTimeoutError::Timeout) {
                let _shown = Shown(spinner(what));
                let _ = wait.recv();
            }
        });
        let result = job();
        drop(done);
        result
    })
}

//! Progress bars on stderr: shown to people, not to files and pipes.

use std::cell::{Cell, OnceCell};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for so many equal steps.
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

/// Nothing is shown before this; most jobs are done by then.
const PATIENCE: Duration = Duration::from_secs(1);

/// The clock is looked at after so many steps.
const STEPS_A_LOOK: u64 = 256;

/// A bar that only shows itself when the job takes a while.
pub(crate) struct Patient {
    what: &'static str,
    total: u64,
    started: Instant,
    done: Cell<u64>,
    next_look: Cell<u64>,
    bar: OnceCell<Shown>,
    is_hidden: bool,
}

impl Patient {
    /// A bar for so many equal steps; 0 where nobody knows how many.
    pub(crate) fn new(total: u64, what: &'static str) -> Self {
        let (done, next_look, bar) = (Cell::new(0), Cell::new(0), OnceCell::new());
        Patient { what, total, started: Instant::now(), done, next_look, bar, is_hidden: false }
    }

    /// The same bar, never shown if something else is written to the terminal meanwhile.
    pub(crate) fn hidden_if(self, is_hidden: bool) -> Self {
        Patient { is_hidden, ..self }
    }

    /// So many steps more are done.
    pub(crate) fn steps(&self, count: u64) {
        let done = self.done.get() + count;
        self.done.set(done);
        if done >= self.next_look.get() {
            self.next_look.set(done + STEPS_A_LOOK);
            self.set(done, self.total);
        }
    }

    /// So many steps of so many are done.
    pub(crate) fn set(&self, done: u64, total: u64) {
        if !self.is_hidden && self.started.elapsed() >= PATIENCE {
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
        scope.spawn(move || {
            // The other end hangs up when the job is done.
            if wait.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                let _shown = Shown(spinner(what));
                let _ = wait.recv();
            }
        });
        let result = job();
        drop(done);
        result
    })
}

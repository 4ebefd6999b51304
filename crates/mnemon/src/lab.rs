//! `mnemon lab`: the experiments of `mnemon-lab` on a terminal. Results go to stdout, remarks and progress to stderr.

use std::io;
use std::sync::{Mutex, PoisonError};

use mnemon_lab::{Console, Experiment, LabError};

use crate::output::{escape_controls, say};
use crate::progress::Shown;
use crate::{Result, UsageError, progress};

/// Runs the experiment and prints its lines.
pub(crate) fn run(experiment: &Experiment) -> Result {
    mnemon_lab::run(experiment, &Terminal::default()).map_err(|error| match error {
        LabError::Usage(reason) => UsageError(reason).into(),
        LabError::Console(error) => error.into(),
        error => error.into(),
    })
}

/// The terminal. Lines are printed above the progress bar, if one is shown.
#[derive(Default)]
struct Terminal {
    bar: Mutex<Option<Shown>>,
}

impl Terminal {
    /// Writes something while the bar is out of the way.
    fn above_bar<T>(&self, write: impl FnOnce() -> T) -> T {
        let bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        match &*bar {
            Some(Shown(bar)) => bar.suspend(write),
            None => write(),
        }
    }

    fn set_bar(&self, shown: Option<Shown>) {
        *self.bar.lock().unwrap_or_else(PoisonError::into_inner) = shown;
    }
}

impl Console for Terminal {
    fn line(&self, text: &str) -> io::Result<()> {
        self.above_bar(|| say(escape_controls(text)))
    }

    fn remark(&self, text: &str) {
        self.above_bar(|| eprintln!("{}", escape_controls(text)));
    }

    fn begin(&self, job: &'static str, done: u64, total: Option<u64>) {
        let bar = match total {
            Some(total) => progress::bar(total, job),
            None => progress::spinner(job),
        };
        bar.set_position(done);
        self.set_bar(Some(Shown(bar)));
    }

    fn advance(&self, steps: u64) {
        if let Some(Shown(bar)) = &*self.bar.lock().unwrap_or_else(PoisonError::into_inner) {
            bar.inc(steps);
        }
    }

    fn end(&self) {
        self.set_bar(None);
    }
}

//! Where an experiment writes its lines and shows its progress. The lab itself prints nothing.

use std::fmt::Display;
use std::io;

use crate::{LabError, Result};

/// Receives the lines and the progress of an experiment. A shell prints them, a server may keep them, [`Silent`] drops them.
///
/// Every method may be called from several threads. At most one job is under way at a time.
pub trait Console: Sync {
    /// A line of the result, or several lines. The text may quote files and other programs, so it may hold control
    /// characters.
    ///
    /// # Errors
    /// Whoever reads the lines has gone. The experiment then stops.
    fn line(&self, text: &str) -> io::Result<()>;

    /// A remark on how the experiment gets on, which is no part of the result.
    fn remark(&self, text: &str);

    /// A job begins of which `done` steps of `total` are done; `None` if the number of steps is not known.
    fn begin(&self, job: &'static str, done: u64, total: Option<u64>);

    /// Steps of the current job are done.
    fn advance(&self, steps: u64);

    /// The current job ends, finished or not.
    fn end(&self);
}

/// A console that drops everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Console for Silent {
    fn line(&self, _text: &str) -> io::Result<()> {
        Ok(())
    }

    fn remark(&self, _text: &str) {}

    fn begin(&self, _job: &'static str, _done: u64, _total: Option<u64>) {}

    fn advance(&self, _steps: u64) {}

    fn end(&self) {}
}

/// Writes a line of the result.
pub(crate) fn say(console: &dyn Console, line: impl Display) -> Result {
    console.line(&line.to_string()).map_err(LabError::Console)
}

/// A job under way; dropping it ends the job, also when an error ends it early.
pub(crate) struct ProgressBar<'c> {
    console: &'c dyn Console,
}

impl<'c> ProgressBar<'c> {
    /// A job of equal steps.
    pub(crate) fn of(console: &'c dyn Console, job: &'static str, steps: u64) -> Self {
        Self::resumed(console, job, 0, steps)
    }

    /// A job of equal steps, some of which an earlier run has done.
    pub(crate) fn resumed(console: &'c dyn Console, job: &'static str, done: u64, steps: u64) -> Self {
        console.begin(job, done, Some(steps));
        ProgressBar { console }
    }

    /// A job whose length is not known.
    pub(crate) fn unmeasured(console: &'c dyn Console, job: &'static str) -> Self {
        console.begin(job, 0, None);
        ProgressBar { console }
    }

    /// Steps are done.
    pub(crate) fn advance(&self, steps: u64) {
        self.console.advance(steps);
    }
}

impl Drop for ProgressBar<'_> {
    fn drop(&mut self) {
        self.console.end();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Writes down every call.
    #[derive(Default)]
    struct Log(Mutex<Vec<String>>);

    impl Log {
        fn add(&self, call: String) {
            self.0.lock().expect("no panic").push(call);
        }
    }

    impl Console for Log {
        fn line(&self, text: &str) -> io::Result<()> {
            self.add(text.to_owned());
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn remark(&self, text: &str) {
            self.add(text.to_owned());
        }

        fn begin(&self, job: &'static str, done: u64, total: Option<u64>) {
            self.add(format!("{job} {done} {total:?}"));
        }

        fn advance(&self, steps: u64) {
            self.add(format!("+{steps}"));
        }

        fn end(&self) {
            self.add("end".to_owned());
        }
    }

    #[test]
    fn an_error_ends_the_job_and_is_passed_on() {
        let log = Log::default();
        let job = || -> Result {
            let progress = ProgressBar::resumed(&log, "games", 3, 10);
            progress.advance(2);
            say(&log, "a line")?;
            progress.advance(1);
            Ok(())
        };
        assert!(matches!(job(), Err(LabError::Console(error)) if error.kind() == io::ErrorKind::BrokenPipe));
        assert_eq!(*log.0.lock().expect("no panic"), ["games 3 Some(10)", "+2", "a line", "end"]);
    }
}

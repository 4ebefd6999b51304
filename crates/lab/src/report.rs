//! How an experiment speaks to whoever started it. The lab itself prints nothing.

use std::fmt::Display;
use std::io;

use crate::{LabError, Result};

/// Receives what an experiment has to say while it runs. A shell prints it, a server may keep it, [`Silent`] drops it.
///
/// Every method may be called from several threads. At most one job is under way at a time.
pub trait Report: Sync {
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

/// Drops every report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Report for Silent {
    fn line(&self, _text: &str) -> io::Result<()> {
        Ok(())
    }

    fn remark(&self, _text: &str) {}

    fn begin(&self, _job: &'static str, _done: u64, _total: Option<u64>) {}

    fn advance(&self, _steps: u64) {}

    fn end(&self) {}
}

/// Reports a line of the result.
pub(crate) fn say(report: &dyn Report, line: impl Display) -> Result {
    report.line(&line.to_string()).map_err(LabError::Report)
}

/// A job under way; dropping it ends the job, also when an error ends it early.
pub(crate) struct Progress<'r> {
    report: &'r dyn Report,
}

impl<'r> Progress<'r> {
    /// A job of equal steps.
    pub(crate) fn of(report: &'r dyn Report, job: &'static str, steps: u64) -> Self {
        Self::resumed(report, job, 0, steps)
    }

    /// A job of equal steps, some of which an earlier run has done.
    pub(crate) fn resumed(report: &'r dyn Report, job: &'static str, done: u64, steps: u64) -> Self {
        report.begin(job, done, Some(steps));
        Progress { report }
    }

    /// A job whose length is not known.
    pub(crate) fn unmeasured(report: &'r dyn Report, job: &'static str) -> Self {
        report.begin(job, 0, None);
        Progress { report }
    }

    /// Steps are done.
    pub(crate) fn advance(&self, steps: u64) {
        self.report.advance(steps);
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.report.end();
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

    impl Report for Log {
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
            let progress = Progress::resumed(&log, "games", 3, 10);
            progress.advance(2);
            say(&log, "a line")?;
            progress.advance(1);
            Ok(())
        };
        assert!(matches!(job(), Err(LabError::Report(error)) if error.kind() == io::ErrorKind::BrokenPipe));
        assert_eq!(*log.0.lock().expect("no panic"), ["games 3 Some(10)", "+2", "a line", "end"]);
    }
}

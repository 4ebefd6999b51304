//! Writing in the background: one thread that runs jobs in order.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crate::{MemoryError, Merged, Result};

/// What was learned since the last [sync](crate::Memory::sync).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// What was merged.
    pub merged: Merged,
    /// Records that were deleted because the policy limits their number.
    pub deleted: u64,
}

impl std::ops::AddAssign for Learned {
    fn add_assign(&mut self, other: Self) {
        self.merged += other.merged;
        self.deleted += other.deleted;
    }
}

type Job = Box<dyn FnOnce() -> Result<Learned> + Send>;

enum Message {
    Run(Job),
    /// Asks for the result of all jobs before it.
    Report(Sender<Result<Learned>>),
}

/// The thread, started by the first job. Dropping it waits until all jobs are done.
#[derive(Default)]
pub(crate) struct Writer {
    thread: Option<WriterThread>,
    /// The message of the job's panic that has ended the thread: from then on every sync reports it.
    panic: Option<String>,
    /// Why the last job found no thread, until a sync reports it.
    refused: Option<io::Error>,
    /// The report that a [`sync_within`](Self::sync_within) asked for and did not wait for.
    pending: Option<Receiver<Result<Learned>>>,
}

struct WriterThread {
    messages: Sender<Message>,
    handle: JoinHandle<()>,
}

impl WriterThread {
    fn start(builder: Builder) -> io::Result<Self> {
        let (messages, received) = channel();
        let handle = builder.spawn(move || work(&received))?;
        Ok(WriterThread { messages, handle })
    }
}

impl Writer {
    /// Queues the job. Its error, also that there is no thread to run it, is returned by the next [`sync`](Self::sync).
    pub(crate) fn run(&mut self, job: impl FnOnce() -> Result<Learned> + Send + 'static) {
        self.run_on(Builder::new().name("memory writer".to_owned()), Box::new(job));
    }

    fn run_on(&mut self, builder: Builder, job: Job) {
        if self.panic.is_some() {
            return;
        }
        if self.thread.is_none() {
            match WriterThread::start(builder) {
                Ok(thread) => self.thread = Some(thread),
                Err(error) => self.refused = Some(error),
            }
        }
        if let Some(thread) = &self.thread
            && thread.messages.send(Message::Run(job)).is_err()
        {
            self.note_panic();
        }
    }

    /// Waits until all jobs are done; returns the sum of what they learned, or the first error.
    pub(crate) fn sync(&mut self) -> Result<Learned> {
        let before = self.pending.take().map(|report| report.recv().unwrap_or_else(|_| Err(self.note_panic())));
        let since = self.request_report()?.map(|report| report.recv().unwrap_or_else(|_| Err(self.note_panic())));
        let mut learned = before.transpose()?.unwrap_or_default();
        learned += since.transpose()?.unwrap_or_default();
        Ok(learned)
    }

    /// As [`sync`](Self::sync), but waits no longer than `timeout`: `None` if the jobs are not done by then. The next call
    /// waits for the same jobs.
    pub(crate) fn sync_within(&mut self, timeout: Duration) -> Option<Result<Learned>> {
        let report = match self.pending.take().map_or_else(|| self.request_report(), |report| Ok(Some(report))) {
            Ok(Some(report)) => report,
            Ok(None) => return Some(Ok(Learned::default())),
            Err(error) => return Some(Err(error)),
        };
        match report.recv_timeout(timeout) {
            Ok(learned) => Some(learned),
            Err(RecvTimeoutError::Timeout) => {
                self.pending = Some(report);
                None
            }
            Err(RecvTimeoutError::Disconnected) => Some(Err(self.note_panic())),
        }
    }

    /// Asks the thread for its report; `None` if no job was queued.
    fn request_report(&mut self) -> Result<Option<Receiver<Result<Learned>>>> {
        if let Some(error) = self.refused.take() {
            return Err(MemoryError::Writer { detail: format!("it could not be started: {error}") });
        }
        if self.panic.is_some() {
            return Err(self.note_panic());
        }
        let Some(thread) = &self.thread else { return Ok(None) };
        let (sender, report) = channel();
        if thread.messages.send(Message::Report(sender)).is_err() {
            return Err(self.note_panic());
        }
        Ok(Some(report))
    }

    /// The error after the thread has ended early, by a job's panic.
    fn note_panic(&mut self) -> MemoryError {
        if let Some(Err(panic)) = self.thread.take().map(|thread| thread.handle.join()) {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            self.panic = Some(text.unwrap_or("a panic without a message").to_owned());
        }
        let message = self.panic.as_deref().unwrap_or("it has ended");
        MemoryError::Writer { detail: format!("it failed: {message}") }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Some(WriterThread { messages, handle }) = self.thread.take() {
            drop(messages);
            // The panic hook has already reported a panic.
            let _ = handle.join();
        }
    }
}

fn work(messages: &Receiver<Message>) {
    let mut learned = Ok(Learned::default());
    for message in messages {
        match message {
            Message::Run(job) => match (&mut learned, job()) {
                (Ok(learned), Ok(new)) => *learned += new,
                (Ok(_), Err(error)) => learned = Err(error),
                (Err(_), _) => {}
            },
            Message::Report(to) => {
                // The receiver may have been dropped.
                let _ = to.send(std::mem::replace(&mut learned, Ok(Learned::default())));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one() -> Result<Learned> {
        Ok(Learned { deleted: 1, ..Learned::default() })
    }

    #[test]
    fn after_a_panic_every_call_reports_it() {
        let mut writer = Writer::default();
        writer.run(|| panic!("a defect"));
        for _ in 0..3 {
            let error = writer.sync().expect_err("the thread has ended");
            assert!(error.to_string().contains("a defect"), "{error}");
            let error = writer.sync_within(Duration::ZERO).expect("no wait").expect_err("the thread has ended");
            assert!(matches!(error, MemoryError::Writer { .. }), "{error}");
            writer.run(one);
        }
    }

    #[test]
    fn a_thread_that_cannot_be_started_is_reported_and_the_next_job_tries_again() {
        let mut writer = Writer::default();
        assert_eq!(writer.sync().expect("no job"), Learned::default());
        // No system has room for this stack.
        writer.run_on(Builder::new().stack_size(usize::MAX / 4), Box::new(one));
        let error = writer.sync().expect_err("no thread");
        assert!(error.to_string().contains("could not be started"), "{error}");
        writer.run(one);
        assert_eq!(writer.sync().expect("a thread").deleted, 1);
    }
}

//! Writing in the background: one thread that runs jobs in order.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::{Merged, Result};

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

/// The thread. Dropping it waits until all jobs are done.
pub(crate) struct Writer {
    messages: Option<Sender<Message>>,
    thread: Option<JoinHandle<()>>,
    /// The report that a [`sync_within`](Self::sync_within) asked for and did not wait for.
    pending: Option<Receiver<Result<Learned>>>,
}

impl Writer {
    pub(crate) fn start() -> Self {
        let (messages, received) = channel();
        let thread = std::thread::spawn(move || work(&received));
        Writer { messages: Some(messages), thread: Some(thread), pending: None }
    }

    /// Queues the job. Its error is returned by the next [`sync`](Self::sync).
    pub(crate) fn run(&mut self, job: impl FnOnce() -> Result<Learned> + Send + 'static) {
        self.send(Message::Run(Box::new(job)));
    }

    /// Waits until all jobs are done; returns the sum of what they learned, or the first error.
    pub(crate) fn sync(&mut self) -> Result<Learned> {
        let before = self.pending.take().map(|report| report.recv().unwrap_or_else(|_| self.resume_panic()));
        let report = self.request_report();
        let since = report.recv().unwrap_or_else(|_| self.resume_panic());
        let mut learned = before.transpose()?.unwrap_or_default();
        learned += since?;
        Ok(learned)
    }

    /// As [`sync`](Self::sync), but waits no longer than `timeout`: `None` if the jobs are not done by then. The next call
    /// waits for the same jobs.
    pub(crate) fn sync_within(&mut self, timeout: Duration) -> Option<Result<Learned>> {
        let report = self.pending.take().unwrap_or_else(|| self.request_report());
        match report.recv_timeout(timeout) {
            Ok(learned) => Some(learned),
            Err(RecvTimeoutError::Timeout) => {
                self.pending = Some(report);
                None
            }
            Err(RecvTimeoutError::Disconnected) => self.resume_panic(),
        }
    }

    fn request_report(&mut self) -> Receiver<Result<Learned>> {
        let (sender, report) = channel();
        self.send(Message::Report(sender));
        report
    }

    fn send(&mut self, message: Message) {
        let sent = self.messages.as_ref().is_some_and(|messages| messages.send(message).is_ok());
        if !sent {
            self.resume_panic()
        }
    }

    /// The thread has ended early, by a job's panic: resumes it here.
    fn resume_panic(&mut self) -> ! {
        match self.thread.take().map(JoinHandle::join) {
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            _ => unreachable!("the thread ends when its channel is closed, or by a panic"),
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.messages = None;
        if let Some(thread) = self.thread.take() {
            // The panic hook has already reported a panic.
            let _ = thread.join();
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

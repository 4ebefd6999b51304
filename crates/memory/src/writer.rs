//! Writing in the background: one thread that runs jobs in order.

use std::io;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
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

/// The thread, started by the first job. Dropping it waits until all jobs are done.
#[derive(Default)]
pub(crate) struct Writer {
    thread: Option<WriterThread>,
    /// The message of the job's panic that has ended the thread: from then on every sync reports it.
    panic: Option<String>,
    /// Why the last job found no thread, until a sync reports it.
    refused: Option<io::Error>,
}

struct WriterThread {
    jobs: Sender<Job>,
    progress: Arc<Progress>,
    handle: JoinHandle<()>,
}

/// How far the thread has come.
#[derive(Default)]
struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Jobs that are queued or running.
    unfinished: usize,
    /// The sum of what the finished jobs learned, or the first error, since it was taken the last time.
    learned: Result<Learned>,
    /// Whether the thread has ended: before its owner, by a panic.
    has_ended: bool,
}

impl Default for State {
    fn default() -> Self {
        State { unfinished: 0, learned: Ok(Learned::default()), has_ended: false }
    }
}

impl Progress {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(&self, result: Result<Learned>) {
        let mut state = self.lock();
        match (&mut state.learned, result) {
            (Ok(learned), Ok(new)) => *learned += new,
            (learned @ Ok(_), Err(error)) => *learned = Err(error),
            (Err(_), _) => {}
        }
        state.unfinished -= 1;
        self.changed.notify_all();
    }
}

/// Notes the thread's end, also by a panic.
struct EndNote<'p>(&'p Progress);

impl Drop for EndNote<'_> {
    fn drop(&mut self) {
        self.0.lock().has_ended = true;
        self.0.changed.notify_all();
    }
}

impl WriterThread {
    fn start(builder: Builder) -> io::Result<Self> {
        let (jobs, received) = channel::<Job>();
        let progress = Arc::new(Progress::default());
        let noted = Arc::clone(&progress);
        let handle = builder.spawn(move || {
            let _end = EndNote(&noted);
            received.iter().for_each(|job| noted.finish(job()));
        })?;
        Ok(WriterThread { jobs, progress, handle })
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
        if let Some(thread) = &self.thread {
            thread.progress.lock().unfinished += 1;
            if thread.jobs.send(job).is_err() {
                self.note_panic();
            }
        }
    }

    /// Waits until all jobs are done; returns the sum of what they learned, or the first error.
    pub(crate) fn sync(&mut self) -> Result<Learned> {
        loop {
            if let Some(learned) = self.sync_within(Duration::MAX) {
                return learned;
            }
        }
    }

    /// As [`sync`](Self::sync), but waits no longer than `timeout`: `None` if not all jobs are done by then, also if some
    /// are.
    pub(crate) fn sync_within(&mut self, timeout: Duration) -> Option<Result<Learned>> {
        if let Some(error) = self.refused.take() {
            return Some(Err(MemoryError::Writer { detail: format!("it could not be started: {error}") }));
        }
        if self.panic.is_some() {
            return Some(Err(self.note_panic()));
        }
        let Some(WriterThread { progress, .. }) = &self.thread else { return Some(Ok(Learned::default())) };
        let is_busy = |state: &mut State| state.unfinished > 0 && !state.has_ended;
        let waited = progress.changed.wait_timeout_while(progress.lock(), timeout, is_busy);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if is_busy(&mut state) {
            return None;
        }
        if state.has_ended {
            drop(state);
            return Some(Err(self.note_panic()));
        }
        Some(std::mem::replace(&mut state.learned, Ok(Learned::default())))
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
        if let Some(WriterThread { jobs, handle, .. }) = self.thread.take() {
            drop(jobs);
            // The panic hook has already reported a panic.
            let _ = handle.join();
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

    /// What is queued after a sync has given up is waited for by the next one too.
    #[test]
    fn a_sync_within_a_time_waits_for_jobs_that_came_after_the_last_one() {
        let mut writer = Writer::default();
        let (first, second) = (channel::<()>(), channel::<()>());
        for wait in [first.1, second.1] {
            writer.run(move || {
                let _ = wait.recv();
                one()
            });
            assert!(writer.sync_within(Duration::ZERO).is_none(), "it runs");
        }
        drop(first.0);
        assert!(writer.sync_within(Duration::from_millis(50)).is_none(), "the second job runs");
        drop(second.0);
        assert_eq!(writer.sync().expect("no error").deleted, 2);
        assert_eq!(writer.sync_within(Duration::ZERO).expect("no wait").expect("no error").deleted, 0);
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

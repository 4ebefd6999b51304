//! Writing behind the search's back: one thread that does what it is given, in order.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::{Merged, Result};

/// What was learned since the last [sync](crate::Memory::sync).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// What the merging did.
    pub merged: Merged,
    /// Records that were forgotten because there were too many.
    pub forgotten: u64,
}

impl std::ops::AddAssign for Learned {
    fn add_assign(&mut self, other: Self) {
        self.merged += other.merged;
        self.forgotten += other.forgotten;
    }
}

type Job = Box<dyn FnOnce() -> Result<Learned> + Send>;

enum Order {
    Do(Job),
    Answer(Sender<Result<Learned>>),
}

/// The thread. Dropping it waits until all is written.
pub(crate) struct Writer {
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
    /// Where an answer will come that was asked for and not waited for.
    awaited: Option<Receiver<Result<Learned>>>,
}

impl Writer {
    pub(crate) fn start() -> Self {
        let (orders, received) = channel();
        let thread = std::thread::spawn(move || work(&received));
        Writer { orders: Some(orders), thread: Some(thread), awaited: None }
    }

    /// Has the job done some time soon. If it fails, the next [`sync`](Self::sync) says so.
    pub(crate) fn give(&mut self, job: impl FnOnce() -> Result<Learned> + Send + 'static) {
        self.order(Order::Do(Box::new(job)));
    }

    /// Waits until all jobs are done; gives what they learned together, or the first error among them.
    pub(crate) fn sync(&mut self) -> Result<Learned> {
        let before = self.awaited.take().map(|answered| answered.recv().unwrap_or_else(|_| self.raise()));
        let answered = self.ask();
        let since = answered.recv().unwrap_or_else(|_| self.raise());
        let mut learned = before.transpose()?.unwrap_or_default();
        learned += since?;
        Ok(learned)
    }

    /// As [`sync`](Self::sync), but waits no longer than this; `None` if the jobs given before the last such question are
    /// not done by then.
    pub(crate) fn sync_within(&mut self, patience: Duration) -> Option<Result<Learned>> {
        let answered = self.awaited.take().unwrap_or_else(|| self.ask());
        match answered.recv_timeout(patience) {
            Ok(learned) => Some(learned),
            Err(RecvTimeoutError::Timeout) => {
                self.awaited = Some(answered);
                None
            }
            Err(RecvTimeoutError::Disconnected) => self.raise(),
        }
    }

    fn ask(&mut self) -> Receiver<Result<Learned>> {
        let (answer, answered) = channel();
        self.order(Order::Answer(answer));
        answered
    }

    fn order(&mut self, order: Order) {
        let sent = self.orders.as_ref().is_some_and(|orders| orders.send(order).is_ok());
        if !sent {
            self.raise()
        }
    }

    /// The thread has ended before its time: a job's panic is ours.
    fn raise(&mut self) -> ! {
        match self.thread.take().map(JoinHandle::join) {
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            _ => unreachable!("the thread ends when it is told to, or by a panic"),
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // A panic was shown when it happened.
            let _ = thread.join();
        }
    }
}

fn work(orders: &Receiver<Order>) {
    let mut learned = Ok(Learned::default());
    for order in orders {
        match order {
            Order::Do(job) => match (&mut learned, job()) {
                (Ok(learned), Ok(new)) => *learned += new,
                (Ok(_), Err(error)) => learned = Err(error),
                (Err(_), _) => {}
            },
            Order::Answer(to) => {
                // Whoever asked may have gone.
                let _ = to.send(std::mem::replace(&mut learned, Ok(Learned::default())));
            }
        }
    }
}

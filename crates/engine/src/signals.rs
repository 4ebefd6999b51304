//! What the engine's owner and its searching thread tell each other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Flags that a search looks at, and that a thread which has nothing left to search can wait for.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    pub(crate) stop: AtomicBool,
    pub(crate) pondering: AtomicBool,
    answered: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Signals {
    pub(crate) fn new(pondering: bool) -> Self {
        Signals { pondering: AtomicBool::new(pondering), ..Signals::default() }
    }

    /// Ends the search and any waiting.
    pub(crate) fn stop(&self) {
        let _guard = self.lock();
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// The expected move was played: time counts from now on.
    pub(crate) fn ponderhit(&self) {
        let _guard = self.lock();
        self.pondering.store(false, Ordering::Relaxed);
        self.changed.notify_all();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Notes that the answer is given; says whether it was before.
    pub(crate) fn note_answer(&self) -> bool {
        self.answered.swap(true, Ordering::Relaxed)
    }

    /// Returns when the answer may be given: under `infinite` when it is asked for, else when pondering is over.
    pub(crate) fn wait(&self, infinite: bool) {
        let mut guard = self.lock();
        while !self.is_stopped() && (infinite || self.pondering.load(Ordering::Relaxed)) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

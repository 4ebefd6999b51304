//! The signals between an engine's owner and its searching thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Flags that a search polls, and that a thread with nothing left to search waits for.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    pub(crate) stop: AtomicBool,
    pub(crate) pondering: AtomicBool,
    /// The search has not begun yet: it reads from the memory.
    pub(crate) recalling: AtomicBool,
    reported: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Signals {
    pub(crate) fn new(pondering: bool) -> Self {
        Signals { pondering: AtomicBool::new(pondering), ..Signals::default() }
    }

    /// Ends the search, and the waiting after it.
    pub(crate) fn stop(&self) {
        let _guard = self.lock();
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Ends pondering: the expected move was played, and time counts from now on.
    pub(crate) fn ponderhit(&self) {
        let _guard = self.lock();
        self.pondering.store(false, Ordering::Relaxed);
        self.changed.notify_all();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn is_reported(&self) -> bool {
        self.reported.load(Ordering::Relaxed)
    }

    /// Notes that the best move is reported; returns whether it already was.
    pub(crate) fn note_reported(&self) -> bool {
        self.reported.swap(true, Ordering::Relaxed)
    }

    /// Returns when the best move may be reported: under `infinite` after a stop, else when pondering is over.
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

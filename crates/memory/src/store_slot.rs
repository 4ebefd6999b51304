//! The place of a memory's store, which the memory's thread fills and empties.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::opening::{OpenedStore, Opening};
use crate::{Result, Store};

/// Where the store is, shared with the thread that opens it and writes to it.
#[derive(Debug)]
pub(crate) struct StoreSlot {
    contents: Mutex<Contents>,
    opened: Condvar,
    /// Whether the memory's thread reads something small from the store.
    is_reading: AtomicBool,
}

#[derive(Debug)]
enum Contents {
    Opening,
    Open {
        store: Arc<dyn Store>,
        is_read_only: bool,
    },
    /// Nothing could be opened, or the store is closed.
    Nothing,
}

impl StoreSlot {
    /// A slot with an open store.
    pub(crate) fn open(store: Arc<dyn Store>) -> Arc<Self> {
        Self::with(Contents::Open { store, is_read_only: false })
    }

    /// A slot whose store is going to be [put](Self::put) into it.
    pub(crate) fn opening() -> Arc<Self> {
        Self::with(Contents::Opening)
    }

    fn with(contents: Contents) -> Arc<Self> {
        Arc::new(StoreSlot {
            contents: Mutex::new(contents),
            opened: Condvar::new(),
            is_reading: AtomicBool::new(false),
        })
    }

    /// Ends the opening. `tell` learns how, before anyone who waits for it goes on.
    pub(crate) fn put(&self, opened: Result<OpenedStore>, tell: impl FnOnce(Opening)) {
        let (contents, opening) = match opened {
            Ok(OpenedStore { store, read_only }) => {
                let is_read_only = read_only.is_some();
                (Contents::Open { store, is_read_only }, read_only.map_or(Opening::Done, Opening::ReadOnly))
            }
            Err(error) => (Contents::Nothing, Opening::Failed(error)),
        };
        tell(opening);
        *self.contents() = contents;
        self.opened.notify_all();
    }

    /// The store; `None` as long as it is being opened, and where there is none.
    pub(crate) fn store(&self) -> Option<Arc<dyn Store>> {
        match &*self.contents() {
            Contents::Open { store, .. } => Some(Arc::clone(store)),
            Contents::Opening | Contents::Nothing => None,
        }
    }

    /// The store, if it may be written.
    pub(crate) fn writable(&self) -> Option<Arc<dyn Store>> {
        match &*self.contents() {
            Contents::Open { store, is_read_only: false } => Some(Arc::clone(store)),
            _ => None,
        }
    }

    /// Notes that the store turned out to be one that cannot be written.
    pub(crate) fn note_read_only(&self) {
        if let Contents::Open { is_read_only, .. } = &mut *self.contents() {
            *is_read_only = true;
        }
    }

    pub(crate) fn is_opening(&self) -> bool {
        matches!(*self.contents(), Contents::Opening)
    }

    /// Reads something small. A store whose locks fail keeps a reader for many seconds, without a sign that it waits.
    pub(crate) fn read<T>(&self, read: impl FnOnce() -> T) -> T {
        self.is_reading.store(true, Ordering::Relaxed);
        let result = read();
        self.is_reading.store(false, Ordering::Relaxed);
        result
    }

    pub(crate) fn is_reading(&self) -> bool {
        self.is_reading.load(Ordering::Relaxed)
    }

    /// Lets go of the store, which is closed if nobody else has it.
    pub(crate) fn close(&self) {
        // Closing may checkpoint a log: nobody waits for the lock meanwhile.
        let _closed = std::mem::replace(&mut *self.contents(), Contents::Nothing);
    }

    /// Waits until the opening has ended, but no longer than `timeout`, or until `stop` is set. Returns whether it has.
    pub(crate) fn wait(&self, timeout: Duration, stop: Option<&AtomicBool>) -> bool {
        /// How often the flag is read.
        const INTERVAL: Duration = Duration::from_millis(10);
        let start = Instant::now();
        let mut contents = self.contents();
        while matches!(*contents, Contents::Opening) {
            let left = timeout.saturating_sub(start.elapsed());
            if left.is_zero() || stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return false;
            }
            let waited = self.opened.wait_timeout(contents, left.min(INTERVAL));
            contents = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

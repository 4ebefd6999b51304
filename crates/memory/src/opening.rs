//! A memory whose store its own thread opens: the program goes on meanwhile, without it.

use std::ffi::OsStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{TryRecvError, channel};
use std::time::Duration;

use crate::policy::Policy;
use crate::store_slot::StoreSlot;
use crate::{Access, Learned, Memory, MemoryError, Result, Source, Store, open};

/// A store, and whether it can be written.
#[derive(Debug)]
pub struct OpenedStore {
    /// The store.
    pub store: Arc<dyn Store>,
    /// Why the store can only be read although it was to be written; `None` if it is as it was asked for.
    pub read_only: Option<MemoryError>,
}

impl OpenedStore {
    /// As [`open`], but a store that is there and cannot be written is opened for reading.
    ///
    /// # Errors
    /// As [`open`]; [`MemoryError::ReadOnly`] where the store cannot even be read in this way.
    pub fn open_or_read(location: impl AsRef<OsStr>, access: Access) -> Result<Self> {
        let location = location.as_ref();
        match open(location, access) {
            Ok(store) => Ok(OpenedStore { store, read_only: None }),
            Err(why @ MemoryError::ReadOnly { .. }) if access != Access::ReadOnly => {
                Ok(OpenedStore { store: open(location, Access::ReadOnly)?, read_only: Some(why) })
            }
            Err(error) => Err(error),
        }
    }
}

/// How the opening of a memory's store has ended.
#[derive(Debug)]
pub enum Opening {
    /// The store can be used as it was asked for.
    Done,
    /// The store can only be read: what a search finds is not learned. The error says why.
    ReadOnly(MemoryError),
    /// There is no store: nothing is recalled and nothing learned.
    Failed(MemoryError),
}

impl Memory {
    /// As [`new`](Self::new), with a store that the memory's thread opens, which may take minutes where another process
    /// holds the file. What is learned meanwhile is written after that. [`opening`](Self::opening) says how it ended.
    pub fn open_with<O>(open: O, own: Source, policy: Policy) -> Self
    where
        O: FnOnce() -> Result<OpenedStore> + Send + 'static,
    {
        let mut memory = Self::with_slot(StoreSlot::opening(), own, policy);
        let slot = Arc::clone(&memory.slot);
        let (sender, opening) = channel();
        memory.opening = Some(opening);
        memory.writer.run(move || {
            // The receiver is gone only if the memory is.
            slot.put(open(), |opening| _ = sender.send(opening));
            Ok(Learned::default())
        });
        memory
    }

    /// Whether the store is still being opened.
    pub fn is_opening(&self) -> bool {
        self.slot.is_opening()
    }

    /// How the opening of the store has ended: once, after it has. A store that was given open is never told.
    pub fn opening(&mut self) -> Option<Opening> {
        let told = match self.opening.as_ref()?.try_recv() {
            Ok(told) => Some(told),
            Err(TryRecvError::Empty) => return None,
            // The thread was not started, or its work has panicked.
            Err(TryRecvError::Disconnected) => {
                let error = self.writer.sync().err();
                let unknown = || MemoryError::Writer { detail: "it has ended".to_owned() };
                let mut told = None;
                self.slot.put(Err(error.unwrap_or_else(unknown)), |opening| told = Some(opening));
                told
            }
        };
        self.opening = None;
        told
    }

    /// Waits until the opening of the store has ended, but no longer than `timeout`, and ends early when `stop` is set.
    /// Returns whether it has.
    pub fn wait_open(&self, timeout: Duration, stop: Option<&AtomicBool>) -> bool {
        self.slot.wait(timeout, stop)
    }

    /// Whether a write of this memory waits for another process, or its store is still being opened. Ask again after a
    /// moment: a write that goes on may also look like that for an instant.
    pub fn is_blocked(&self) -> bool {
        self.is_opening() || self.slot.is_reading() || self.store().is_some_and(|store| store.is_blocked())
    }

    /// Whether there is something to be written of which no sync has told yet.
    pub fn has_unwritten(&self) -> bool {
        self.has_unwritten
    }

    /// Lets the memory's thread close the store after what it has to write: closing may take a while too. Sync it after
    /// this, and drop it then.
    pub fn close(&mut self) {
        let slot = Arc::clone(&self.slot);
        self.writer.run(move || {
            slot.close();
            Ok(Learned::default())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RamStore;
    use crate::policy::Resume;

    fn memory(open: impl FnOnce() -> Result<OpenedStore> + Send + 'static) -> Memory {
        Memory::open_with(open, Source::engine("test", "1"), Policy::Resume(Resume::default()))
    }

    #[test]
    fn nobody_waits_for_the_opening_and_it_is_told_once() {
        let (go_on, wait) = channel::<()>();
        let mut memory = memory(move || {
            let _ = wait.recv();
            Ok(OpenedStore { store: Arc::new(RamStore::new()), read_only: None })
        });
        let stop = AtomicBool::new(true);
        assert!(!memory.wait_open(Duration::MAX, Some(&stop)) && !memory.wait_open(Duration::ZERO, None));
        assert!(memory.is_blocked() && memory.opening().is_none() && memory.store().is_none());
        drop(go_on);
        assert!(memory.wait_open(Duration::MAX, None));
        assert!(matches!(memory.opening(), Some(Opening::Done)), "told before anyone goes on");
        assert!(memory.opening().is_none() && memory.store().is_some() && !memory.is_blocked());
        memory.close();
        memory.sync().expect("RAM does not fail");
        assert!(memory.store().is_none(), "closed");
    }

    #[test]
    fn a_panic_while_it_is_opened_is_told_as_a_failure() {
        let mut memory = memory(|| panic!("a defect"));
        assert!(memory.sync().is_err());
        let told = memory.opening();
        assert!(matches!(&told, Some(Opening::Failed(why)) if why.to_string().contains("a defect")), "{told:?}");
        assert!(!memory.is_opening() && memory.store().is_none());
    }
}

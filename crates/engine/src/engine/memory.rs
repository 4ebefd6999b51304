//! The engine's memory: setting it, forgetting it, and waiting until what was learned is written.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mnemon_memory::policy::Policy;
use mnemon_memory::{Memory, MemoryId, OpenedStore, Store};

use super::{Engine, Running};
use crate::memory_reports::{report_opening, sync, sync_replaced};
#[cfg(doc)]
use crate::{Event, Settings};

/// What [`Engine::forget`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgotten {
    /// There is no memory.
    NoMemory,
    /// This number of records is deleted.
    Records(u64),
    /// Another process holds the memory: the records are deleted when it is free.
    Later,
}

impl Engine {
    /// Recalls from and learns into this store from now on, by this policy. Everything that was learned before is written
    /// to the store that was set before.
    pub fn set_memory(&mut self, memory: Option<(Arc<dyn Store>, Policy)>) {
        self.replace_memory(memory.map(|(store, policy)| Memory::new(store, Self::source(), policy)));
        self.settle();
    }

    /// As [`set_memory`](Self::set_memory), with a store that a thread of the memory opens. A search uses it if it is open
    /// within its recall budget, and reports [`Event::MemoryOpening`] if it is not; what is learned is written once the
    /// store is open. How the opening ended is reported before the next search, or by [`settle`](Self::settle) and
    /// [`report_learned`](Self::report_learned).
    pub fn open_memory<O>(&mut self, open: O, policy: Policy)
    where
        O: FnOnce() -> mnemon_memory::Result<OpenedStore> + Send + 'static,
    {
        self.replace_memory(Some(Memory::open_with(open, Self::source(), policy)));
    }

    /// Trusts the contributors of these [names](mnemon_memory::Contributor::is_named), too, from the next search on.
    pub fn set_trusted(&mut self, names: Vec<String>) {
        self.trusted = names;
        let trusted = self.trusted.clone();
        if let Some(memory) = &mut self.idle().memory {
            memory.set_trusted(trusted);
        }
    }

    /// Scores of these contributors, and of no others, are in the table.
    pub(super) fn set_beliefs(&mut self, contributors: BTreeSet<MemoryId>) {
        self.beliefs.clone_from(&contributors);
        if let Some(memory) = &mut self.idle().memory {
            memory.set_beliefs(contributors);
        }
    }

    fn replace_memory(&mut self, mut next: Option<Memory>) {
        let last = self.idle().memory.as_ref().map(|memory| memory.beliefs().clone());
        self.beliefs.extend(last.unwrap_or_default());
        if let Some(next) = &mut next {
            next.set_beliefs(self.beliefs.clone());
            next.set_trusted(self.trusted.clone());
        }
        if let Some(mut last) = std::mem::replace(&mut self.idle().memory, next) {
            // A log may have to be written back: the memory's own thread does that.
            last.close();
            self.retired.push(last);
        }
    }

    /// Deletes what this engine has learned about chess, in RAM and in the memory; other sources' records stay. The memory's
    /// thread deletes them, after what it still has to write; this waits for it no longer than [`Settings::write_wait`].
    ///
    /// # Errors
    /// A memory that cannot be written.
    pub fn forget(&mut self) -> mnemon_memory::Result<Forgotten> {
        self.clear();
        let wait = self.settings.write_wait;
        let Some(memory) = &mut self.idle().memory else { return Ok(Forgotten::NoMemory) };
        let deleted = memory.delete_own_within::<mnemon_chess::Position>(wait).transpose()?;
        Ok(deleted.map_or(Forgotten::Later, Forgotten::Records))
    }

    /// Reports what was learned, if it is written by now and no search runs.
    pub fn report_learned(&mut self) {
        if self.is_searching() {
            return;
        }
        self.settle_within(Duration::ZERO);
    }

    /// Stops the running search, and waits until everything learned is written, but not longer than
    /// [`Settings::write_wait`]. Returns whether it is.
    pub fn settle(&mut self) -> bool {
        self.settle_within(self.settings.write_wait)
    }

    /// Whether what was learned waits for another process that holds the memory, or for a memory that is being opened, or a
    /// search waits for what the memory knows.
    pub fn is_blocked(&self) -> bool {
        let is_recalling = |running: &Running| running.signals.recalling.load(Ordering::Relaxed);
        self.running.as_ref().is_some_and(is_recalling) || self.memories().any(Memory::is_blocked)
    }

    /// Whether something was learned that is not known to be written, by searches that have ended.
    pub fn has_unwritten(&self) -> bool {
        self.memories().any(Memory::has_unwritten)
    }

    /// The memory, and those that were set before and are still being written or opened. A running search has the first.
    fn memories(&self) -> impl Iterator<Item = &Memory> {
        self.retired.iter().chain(self.state.as_ref().and_then(|state| state.memory.as_ref()))
    }

    /// As [`settle`](Self::settle), with another limit.
    pub fn settle_within(&mut self, timeout: Duration) -> bool {
        let (start, listener) = (Instant::now(), Arc::clone(&self.listener));
        let left = || timeout.saturating_sub(start.elapsed());
        self.idle();
        self.retired.retain_mut(|memory| !sync_replaced(memory, left(), &*listener));
        let state = self.idle();
        report_opening(&mut state.memory, &*listener);
        let is_written = state.memory.as_mut().is_none_or(|memory| sync(memory, left(), &*listener));
        report_opening(&mut state.memory, &*listener);
        is_written && self.retired.is_empty()
    }
}

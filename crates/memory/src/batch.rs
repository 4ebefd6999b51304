//! Many records on their way into a memory: in sorted order and large batches.

use crate::{Item, Merged, Result, Store};

/// How many records are merged at once.
const SIZE: usize = 50_000;

/// Gathers records and merges them into a memory.
pub struct Batch<'a> {
    store: &'a dyn Store,
    items: Vec<Item>,
    merged: Merged,
}

impl<'a> Batch<'a> {
    /// Nothing gathered yet.
    pub fn new(store: &'a dyn Store) -> Self {
        Batch { store, items: Vec::new(), merged: Merged::default() }
    }

    /// Adds a record. Merges what has been gathered when it is enough.
    ///
    /// # Errors
    /// As [`Store::merge_many`].
    pub fn add(&mut self, item: Item) -> Result {
        self.items.push(item);
        if self.items.len() < SIZE { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result {
        self.items.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        self.merged += self.store.merge_many(&self.items)?;
        self.items.clear();
        Ok(())
    }

    /// Merges the rest, and returns when all of it is safe.
    ///
    /// # Errors
    /// As [`Store::merge_many`].
    pub fn finish(mut self) -> Result<Merged> {
        self.flush()?;
        self.store.sync()?;
        Ok(self.merged)
    }
}

//! Bulk merging: records are merged in sorted order and large batches.

use crate::{Item, Merged, Result, Store};

/// How many records are merged in one batch.
const BATCH_SIZE: usize = 50_000;

/// Collects records and merges them into a store, batch by batch.
pub struct Batch<'a> {
    store: &'a dyn Store,
    items: Vec<Item>,
    merged: Merged,
}

impl<'a> Batch<'a> {
    /// An empty batch.
    pub fn new(store: &'a dyn Store) -> Self {
        Batch { store, items: Vec::new(), merged: Merged::default() }
    }

    /// Adds a record, and merges the batch when it is full.
    ///
    /// # Errors
    /// As [`Store::merge_many`].
    pub fn add(&mut self, item: Item) -> Result {
        self.items.push(item);
        if self.items.len() < BATCH_SIZE { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result {
        self.items.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        self.merged += self.store.merge_many(&self.items)?;
        self.items.clear();
        Ok(())
    }

    /// Merges the rest; returns when everything is [synced](Store::sync).
    ///
    /// # Errors
    /// As [`Store::merge_many`].
    pub fn finish(mut self) -> Result<Merged> {
        self.flush()?;
        self.store.sync()?;
        Ok(self.merged)
    }
}

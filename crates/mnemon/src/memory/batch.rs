//! Many records on their way into a memory: in sorted order and large batches.

use std::ops::ControlFlow;

use mnemon_memory::{Item, Merged, Range, Store};

use crate::Result;

/// How many records are merged at once.
const SIZE: usize = 50_000;

/// Gathers records and merges them into a memory.
pub(crate) struct Batch<'a> {
    store: &'a dyn Store,
    items: Vec<Item>,
    merged: Merged,
}

impl<'a> Batch<'a> {
    /// Nothing gathered yet.
    pub(crate) fn new(store: &'a dyn Store) -> Self {
        Batch { store, items: Vec::new(), merged: Merged::default() }
    }

    /// Adds a record. Merges what has been gathered when it is enough.
    pub(crate) fn add(&mut self, item: Item) -> Result {
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
    pub(crate) fn finish(mut self) -> Result<Merged> {
        self.flush()?;
        self.store.sync()?;
        Ok(self.merged)
    }
}

/// What a merge did, in words.
pub(crate) fn words(merged: Merged) -> String {
    let Merged { added, changed, known } = merged;
    let all = super::words::records(added + changed + known);
    let [added, changed, known] = [added, changed, known].map(indicatif::HumanCount);
    format!("{all}: {added} added, {changed} changed, {known} known before")
}

/// Visits each item in the range until one fails.
pub(crate) fn each(store: &dyn Store, range: &Range<'_>, mut visit: impl FnMut(Item) -> Result) -> Result {
    let mut result = Ok(());
    store.scan(range, &mut |item| {
        result = visit(item);
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    result
}

//! Bulk merging: records and annotations are merged in sorted order and large batches, and contributors with them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::{
    Annotation, Contributor, Identity, Item, Key, MemoryId, Merged, Range, Record, Result, Source, Store, merge,
    unix_time,
};

/// How many records are merged in one batch.
const BATCH_SIZE: usize = 50_000;
/// A batch is also full when its annotations have about this many bytes: notes may be long.
const BATCH_BYTES: usize = 16 << 20;

/// Collects records and annotations and merges them into a store, batch by batch.
pub struct Batch<'a> {
    store: &'a dyn Store,
    items: Vec<Item>,
    annotations: Vec<Annotation>,
    annotation_bytes: usize,
    /// Of records, not of annotations.
    merged: Merged,
    /// The contributors that the store does not have yet, as far as they are introduced.
    heard: BTreeMap<MemoryId, String>,
    /// Where the records come from, if not from the store's own program.
    abroad: Option<Abroad>,
}

/// The two sides of a transfer.
#[derive(Clone, Copy)]
struct Abroad {
    /// The contributor of records that have none.
    origin: MemoryId,
    /// The store's own identity.
    own: MemoryId,
}

impl<'a> Batch<'a> {
    /// An empty batch of the store's own records.
    pub fn new(store: &'a dyn Store) -> Self {
        let (items, annotations, heard) = (Vec::new(), Vec::new(), BTreeMap::new());
        let merged = Merged::default();
        Batch { store, items, annotations, annotation_bytes: 0, merged, heard, abroad: None }
    }

    /// An empty batch of records that come from `origin`: it becomes the [contributor](Source::contributor) of those that
    /// have none.
    ///
    /// Records that are said to be this memory's own, as they come back from another one, change nothing if this memory
    /// has them. Otherwise they are kept apart, with this memory as their contributor: whoever wrote them, it was not proven
    /// to be this memory.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn contributed_by(origin: Identity, store: &'a dyn Store) -> Result<Self> {
        let own = store.identity()?;
        let mut batch = Batch { abroad: Some(Abroad { origin: origin.id, own: own.id }), ..Batch::new(store) };
        batch.heard.insert(own.id, own.label);
        batch.introduce(origin);
        Ok(batch)
    }

    /// An empty batch of records of another memory, whose contributors are introduced.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn from_memory(from: &dyn Store, store: &'a dyn Store) -> Result<Self> {
        let mut batch = Batch::contributed_by(from.identity()?, store)?;
        for contributor in from.contributors()? {
            batch.introduce(Identity { id: contributor.id, label: contributor.label });
        }
        Ok(batch)
    }

    /// Names a contributor, for the case that something of it comes.
    pub fn introduce(&mut self, identity: Identity) {
        self.heard.entry(identity.id).or_insert(identity.label);
    }

    /// Adds a record, and merges the batch when it is full.
    ///
    /// # Errors
    /// As [`Store::merge_many`].
    pub fn add(&mut self, mut item: Item) -> Result {
        item.key.source = self.attributed(item.key.source);
        self.items.push(item);
        if self.items.len() < BATCH_SIZE { Ok(()) } else { self.flush() }
    }

    /// Adds an annotation, and merges the batch when it is full.
    ///
    /// # Errors
    /// As [`Store::merge_annotations`].
    pub fn annotate(&mut self, mut annotation: Annotation) -> Result {
        annotation.key.source = self.attributed(annotation.key.source);
        self.annotation_bytes += annotation.content.size();
        self.annotations.push(annotation);
        let is_full = self.annotations.len() >= BATCH_SIZE || self.annotation_bytes >= BATCH_BYTES;
        if is_full { self.flush() } else { Ok(()) }
    }

    fn attributed(&self, source: Source) -> Source {
        self.abroad.map_or(source.clone(), |abroad| source.contributed_by(abroad.origin))
    }

    fn flush(&mut self) -> Result {
        self.drop_returned()?;
        self.write_contributors()?;
        self.items.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        if !self.items.is_empty() {
            self.merged += self.store.merge_many(&self.items)?;
        }
        if !self.annotations.is_empty() {
            self.store.merge_annotations(&self.annotations)?;
        }
        self.items.clear();
        self.annotations.clear();
        self.annotation_bytes = 0;
        Ok(())
    }

    /// Leaves out what is said to be this memory's own and is in it.
    fn drop_returned(&mut self) -> Result {
        let Some(Abroad { own, .. }) = self.abroad else { return Ok(()) };
        let is_returned = |key: &Key| key.source.contributor() == Some(own);
        self.annotations.retain(|annotation| !is_returned(&annotation.key));
        let (returned, others): (Vec<Item>, _) = self.items.drain(..).partition(|item| is_returned(&item.key));
        self.items = others;
        for item in returned {
            if self.is_known(&item)? {
                self.merged.known += 1;
            } else {
                self.items.push(item);
            }
        }
        Ok(())
    }

    /// Whether this memory has the record as one of its own. What an import marks as such does not count.
    fn is_known(&self, item: &Item) -> Result<bool> {
        let mut is_known = false;
        let imported = |known: &Record| Record { origins: known.origins, ..item.record };
        self.store.get_many(&item.key.game, &[&item.key.position], &mut |_, source, known| {
            let is_own = source.contributor().is_none() && same_but_for_contributor(source, &item.key.source);
            is_known |= is_own && merge(&known, &imported(&known)) == known;
        })?;
        Ok(is_known)
    }

    /// Makes every contributor that the records rest on known to the store.
    fn write_contributors(&mut self) -> Result {
        let keys = self.items.iter().map(|item| &item.key);
        let keys = keys.chain(self.annotations.iter().map(|annotation| &annotation.key));
        let mut new: Vec<MemoryId> = keys.flat_map(|key| key.source.foundations()).collect();
        new.sort_unstable();
        new.dedup();
        if new.is_empty() {
            return Ok(());
        }
        let known = self.store.contributors()?;
        for id in new {
            let before = known.iter().find(|contributor| contributor.id == id);
            let label = self.heard.get(&id).cloned();
            let contributor = match (before, label) {
                (Some(before), Some(label)) if before.label != label => Contributor { label, ..before.clone() },
                (Some(_), _) => continue,
                (None, label) => {
                    let label = label.unwrap_or_else(|| id.short());
                    Contributor::new(Identity { id, label }, unix_time())
                }
            };
            self.store.set_contributor(&contributor)?;
        }
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

fn same_but_for_contributor(own: &Source, returned: &Source) -> bool {
    returned.contributor().is_some_and(|id| own.contributed_by(id) == *returned)
}

/// Merges everything of another memory: records, lines, notes, and the contributors that it has them from. What is its own
/// has it as the contributor; what it has from others keeps theirs. Calls `progress` after each record.
///
/// # Errors
/// A store that cannot be read or written.
pub fn merge_memory(from: &dyn Store, to: &dyn Store, progress: &mut dyn FnMut()) -> Result<Merged> {
    let mut batch = Batch::from_memory(from, to)?;
    let mut result = Ok(());
    from.scan(&Range::default(), &mut |item| {
        progress();
        result = batch.add(item);
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    result?;
    let mut result = Ok(());
    from.scan_annotations(&Range::default(), &mut |annotation| {
        result = batch.annotate(annotation);
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    result?;
    batch.finish()
}

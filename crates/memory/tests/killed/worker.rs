//! One of the processes: it does what a random number says, reports it, and checks what it has of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mnemon_memory::{Access, Item, Key, MemoryError, Range, Record, Source, Store, open, restore};
use mnemon_search::random::{Random, mix};

use crate::{child, common};

const ITEMS: u64 = 20;

/// The items of a batch, whose number they contain. Each process has a source of its own, and positions all over the file.
fn batch(number: u64) -> Vec<Item> {
    let (game, engine): (Arc<str>, _) = ("chess".into(), Source::engine("writer", &(number % 10).to_string()));
    let item = |which: u64| {
        let position = [mix(number * ITEMS + which), number, which].map(u64::to_be_bytes).concat();
        let record = Record { nodes: number, ..Record::exact(which as i16, 9) };
        Item { key: Key::new(&game, position, &engine), record }
    };
    (0..ITEMS).map(item).collect()
}

/// The batches in a store, each of which must be whole and as it was written.
fn batches(store: &dyn Store) -> BTreeSet<u64> {
    let mut batches: BTreeMap<u64, Vec<Item>> = BTreeMap::new();
    for item in common::scanned(store, &Range::default()) {
        batches.entry(item.record.nodes).or_default().push(item);
    }
    for (number, items) in &mut batches {
        let mut expected = batch(*number);
        expected.sort_by(|a, b| a.key.cmp(&b.key));
        items.sort_by(|a, b| a.key.cmp(&b.key));
        assert!(*items == expected, "batch {number}: {} records that differ or are a part", items.len());
    }
    batches.into_keys().collect()
}

/// The batches in a memory, which must be sound.
pub(crate) fn contents(path: &Path) -> BTreeSet<u64> {
    let store = open(path, Access::Create).expect("the memory opens");
    let verified = store.upkeep().expect("a file store").verify(&mut |_, _| ()).expect("the memory can be read");
    assert!(verified.is_sound(), "{verified:?}");
    batches(&*store)
}

/// A process of a round. Its number is that of the round, of its life, and of its role, and its batches have the last too.
pub(crate) struct Worker {
    path: PathBuf,
    number: u64,
    store: Option<Arc<dyn Store>>,
    /// The own batches that are there.
    kept: BTreeSet<u64>,
    /// Counts batches and backups.
    begun: u64,
}

impl Worker {
    /// A process that has the memory open.
    pub(crate) fn start(path: PathBuf, number: u64) -> Self {
        let mut worker = Worker { path, number, store: None, kept: BTreeSet::new(), begun: 0 };
        drop(worker.store());
        child::say("open");
        worker
    }

    fn store(&mut self) -> Arc<dyn Store> {
        let open = || open(&self.path, Access::Create).expect("the memory opens");
        Arc::clone(self.store.get_or_insert_with(open))
    }

    /// A path of this process alone.
    fn beside(&self, what: &str) -> PathBuf {
        self.path.with_extension(format!("{what}-{}-{}", self.number, self.begun))
    }

    fn next_batch(&mut self) -> u64 {
        self.begun += 1;
        (self.number / 10 * 1000 + self.begun) * 10 + self.number % 10
    }

    fn merge(&mut self) {
        let number = self.next_batch();
        child::say(&format!("merge {number}"));
        self.store().merge_many(&batch(number)).expect("merging is not refused");
        child::say(&format!("merged {number}"));
        self.kept.insert(number);
    }

    /// Merges another memory, as `mnemon memory merge` does.
    fn merge_memory(&mut self) {
        let number = self.next_batch();
        let other = self.beside("other");
        open(&other, Access::Create).expect("a memory").merge_many(&batch(number)).expect("a memory");
        let items = common::scanned(&*open(&other, Access::ReadOnly).expect("a memory"), &Range::default());
        child::say(&format!("merge {number}"));
        self.store().merge_many(&items).expect("merging is not refused");
        child::say(&format!("merged {number}"));
        self.kept.insert(number);
    }

    fn delete(&mut self, random: &mut Random) {
        let kept: Vec<u64> = self.kept.iter().copied().collect();
        if kept.is_empty() {
            return;
        }
        let number = kept[random.below(kept.len())];
        let keys: Vec<_> = batch(number).into_iter().map(|item| item.key).collect();
        child::say(&format!("delete {number}"));
        let deleted = self.store().delete_many(&keys).expect("deleting is not refused");
        assert_eq!(deleted, ITEMS);
        child::say(&format!("deleted {number}"));
        self.kept.remove(&number);
    }

    fn backup(&mut self) {
        self.begun += 1;
        let to = self.beside("backup");
        let store = self.store();
        store.upkeep().expect("a file store").backup(&to, &mut |_, _| ()).expect("copying is not refused");
        assert_eq!(self.own(&contents(&to)), self.kept, "in a backup");
        child::say(&format!("backup {}", to.display()));
    }

    /// The batches that this life of this process has merged.
    fn own(&self, batches: &BTreeSet<u64>) -> BTreeSet<u64> {
        batches
            .iter()
            .copied()
            .filter(|batch| batch / 10_000 == self.number / 10 && batch % 10 == self.number % 10)
            .collect()
    }

    /// While the keeper has the memory open, nothing is restored.
    pub(crate) fn is_refused_to_restore(&mut self) {
        let backup = self.beside("refused");
        open(&backup, Access::Create).expect("a memory").merge_many(&batch(3)).expect("a memory");
        self.store = None;
        let restored = restore(&self.path, &backup, &mut |_, _| ());
        assert!(matches!(restored, Err(MemoryError::InUse { .. })), "{restored:?}");
    }

    /// Does something.
    pub(crate) fn act(&mut self, random: &mut Random, may_close: bool) {
        match random.below(20) {
            0..10 => self.merge(),
            10..12 => self.delete(random),
            12 => self.merge_memory(),
            13 => drop(self.store().upkeep().expect("a file store").compact().expect("compacting is not refused")),
            14 => self.backup(),
            15..17 if may_close => self.store = None,
            _ => {
                let there = batches(&*self.store());
                assert_eq!(self.own(&there), self.kept);
            }
        }
    }
}

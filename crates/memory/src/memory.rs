//! A memory in use: a store, whose it is, and the policy by which it learns and recalls.
//!
//! ```text
//! sync_until ─► begin: recall, fill the table ─► (search) ─► finish: walk the table, learn
//! ```

mod deleting;
mod learning;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mnemon_search::Game;
use mnemon_table::replace::Replace;
use mnemon_table::{Layout, Table};

use crate::opening::Opening;
use crate::policy::{EntryRules, Policy};
use crate::recall::roots::KnownRoots;
use crate::recall::{Budget, Hearsay, RecallSet, RecallSummary, recall_with};
use crate::store_slot::StoreSlot;
use crate::writer::{Learned, Writer};
use crate::{MemoryId, RamStore, Record, Result, Source, Store, Trust};

/// The memory of a searching program. A search with a table of [`mnemon_table`] runs between
/// [`begin`](Self::begin) and [`finish`](Self::finish); a program without one uses [`recall`](Self::recall) and
/// [`learn`](Self::learn).
pub struct Memory {
    pub(crate) slot: Arc<StoreSlot>,
    /// How the opening of the store ends, until it is told.
    pub(crate) opening: Option<Receiver<Opening>>,
    own: Source,
    policy: Policy,
    rules: EntryRules,
    /// The contributors whom this session trusts beside those whom the memory's owner does, by name.
    trusted: Vec<String>,
    /// The contributors whose scores have entered the table.
    believed: BTreeSet<MemoryId>,
    pub(crate) writer: Writer,
    /// The roots that were learned or read so far.
    roots: Mutex<KnownRoots>,
    /// Whether something was to be written since the last sync that has ended.
    pub(crate) has_unwritten: bool,
}

impl Memory {
    /// The memory of `own`, which learns and recalls by the policy.
    pub fn new(store: Arc<dyn Store>, own: Source, policy: Policy) -> Self {
        Self::with_slot(StoreSlot::open(store), own, policy)
    }

    /// Trusts the contributors of these [names](crate::Contributor::is_named), too, as long as this memory is in use.
    pub fn set_trusted(&mut self, names: Vec<String>) {
        self.trusted = names;
    }

    /// The contributors that are trusted: by the memory's owner, and in this session.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn trust(&self) -> Result<Trust> {
        let contributors = self.store().map_or(Ok(Vec::new()), |store| store.contributors())?;
        let mut trust = Trust::recorded(&contributors);
        let named = contributors.iter().filter(|known| self.trusted.iter().any(|name| known.is_named(name)));
        trust.merge(Trust::of(named.map(|contributor| contributor.id)));
        Ok(trust)
    }

    /// The contributors whose scores have entered the table: what is found with them rests on them.
    pub fn beliefs(&self) -> &BTreeSet<MemoryId> {
        &self.believed
    }

    /// Scores of these contributors, and of no others, are in the table.
    pub fn set_beliefs(&mut self, contributors: BTreeSet<MemoryId>) {
        self.believed = contributors;
    }

    /// The engine, as records of its searches name it: with the contributors that it has believed.
    pub fn source(&self) -> Source {
        self.own.believing(self.believed.iter().copied())
    }

    pub(crate) fn with_slot(slot: Arc<StoreSlot>, own: Source, policy: Policy) -> Self {
        Memory {
            slot,
            opening: None,
            own,
            policy,
            rules: EntryRules::default(),
            trusted: Vec::new(),
            believed: BTreeSet::new(),
            writer: Writer::default(),
            roots: Mutex::default(),
            has_unwritten: false,
        }
    }

    /// The store; `None` as long as it is being opened, and where it could not be opened.
    pub fn store(&self) -> Option<Arc<dyn Store>> {
        self.slot.store()
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Continues with another policy.
    pub fn set_policy(&mut self, policy: Policy) {
        self.policy = policy;
    }

    /// Makes table entries by these rules.
    pub fn set_entry_rules(&mut self, rules: EntryRules) {
        self.rules = rules;
    }

    /// What is known for a search of the root; see [`recall()`](crate::recall::recall()). Nothing as long as the store is
    /// being opened.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn recall<G: Game>(&self, root: &G, budget: Budget, stop: Option<&AtomicBool>) -> Result<RecallSet> {
        let store = self.store().unwrap_or_else(|| Arc::new(RamStore::new()));
        let mut roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        recall_with(&*store, &self.policy, (&self.own, &self.trust()?), root, (budget, stop), &mut roots)
    }

    /// Before a search: recalls what is known and fills the table with it, no more than a quarter of its slots. `stop`
    /// ends the recall early, with what was found by then. Call [`Table::new_generation`] before.
    ///
    /// # Errors
    /// A store that cannot be read. Then the table is as it was.
    pub fn begin<G: Game, L: Layout, R: Replace>(
        &mut self,
        root: &G,
        table: &Table<L, R>,
        budget: Budget,
        stop: Option<&AtomicBool>,
    ) -> Result<RecallSummary> {
        let start = Instant::now();
        let mut set = self.recall(root, budget.fitting(table), stop)?;
        set.set_rules(self.rules, root);
        let entries = set.fill(table);
        self.believed.extend(set.foundations());
        let own = if self.policy.refreshes() { set.own_keys(&self.own) } else { Vec::new() };
        let (root, is_complete) = (set.root().clone(), set.is_complete());
        let hearsay = self.hearsay(&root.records)?;
        Ok(RecallSummary { entries, root, is_complete, time: start.elapsed(), own, hearsay })
    }

    /// What is not believed of a position's records, with their authors' names.
    fn hearsay(&self, records: &[(Source, Record)]) -> Result<Vec<Hearsay>> {
        let trust = self.trust()?;
        let unbelieved: Vec<_> = records.iter().filter(|(source, _)| is_hearsay(source, &trust)).collect();
        if unbelieved.is_empty() {
            return Ok(Vec::new());
        }
        let contributors = self.store().map_or(Ok(Vec::new()), |store| store.contributors())?;
        let hearsay = |(source, record): &(Source, Record)| {
            let author = source.described(&contributors);
            Hearsay { source: source.clone(), author, record: *record }
        };
        Ok(unbelieved.into_iter().map(hearsay).collect())
    }

    /// Waits until everything learned is safe in the store; returns what was learned since the last time.
    ///
    /// # Errors
    /// The first error since the last time.
    pub fn sync(&mut self) -> Result<Learned> {
        let learned = self.writer.sync();
        self.has_unwritten = false;
        self.synced(learned)
    }

    /// As [`sync`](Self::sync), but waits no longer than `timeout`: `None` if the writing still goes on then. A later call
    /// waits again.
    pub fn sync_within(&mut self, timeout: Duration) -> Option<Result<Learned>> {
        let learned = self.writer.sync_within(timeout)?;
        self.has_unwritten = false;
        Some(self.synced(learned))
    }

    /// What was learned, once the store has it safe.
    fn synced(&self, learned: Result<Learned>) -> Result<Learned> {
        let learned = learned?;
        self.store().map_or(Ok(()), |store| store.sync())?;
        Ok(learned)
    }

    /// As [`sync_within`](Self::sync_within), and ends early when `stop` is set: for a search that is to know what the last
    /// one learned, if it is written in time.
    pub fn sync_until(&mut self, timeout: Duration, stop: &AtomicBool) -> Option<Result<Learned>> {
        /// How often the flag is read.
        const INTERVAL: Duration = Duration::from_millis(10);
        let start = Instant::now();
        loop {
            let outcome = self.sync_within(timeout.min(INTERVAL));
            if outcome.is_some() || start.elapsed() >= timeout || stop.load(Ordering::Relaxed) {
                return outcome;
            }
        }
    }
}

/// Whether a source's records are scores that are not believed. Results of games are no scores of searches.
fn is_hearsay(source: &Source, trust: &Trust) -> bool {
    !source.is_player() && !trust.believes(source)
}

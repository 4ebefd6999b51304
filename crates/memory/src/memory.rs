//! A memory in use: a store, whose it is, and the policy by which it learns and recalls.
//!
//! ```text
//! sync_until ─► begin: recall, fill the table ─► (search) ─► finish: walk the table, learn
//! ```

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mnemon_search::Game;
use mnemon_table::replace::Replace;
use mnemon_table::{Layout, Table};

use crate::learn::{Finding, PlayedGame, TableWalk, collect_lines, collect_records};
use crate::opening::Opening;
use crate::policy::{PlayedPosition, PlayerResult, Policy, ResultLearning, Retention, Searched};
use crate::recall::roots::KnownRoots;
use crate::recall::{Budget, Hearsay, RecallSet, RecallSummary, recall_with};
use crate::store_slot::StoreSlot;
use crate::writer::{Learned, Writer};
use crate::{
    Age, Item, Key, MemoryError, MemoryId, Merged, RamStore, Range, Record, Result, Source, Store, Trust, unix_time,
};

/// The memory of a searching program. A search with a table of [`mnemon_table`] runs between
/// [`begin`](Self::begin) and [`finish`](Self::finish); a program without one uses [`recall`](Self::recall) and
/// [`learn`](Self::learn).
pub struct Memory {
    pub(crate) slot: Arc<StoreSlot>,
    /// How the opening of the store ends, until it is told.
    pub(crate) opening: Option<Receiver<Opening>>,
    own: Source,
    policy: Policy,
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
        let set = self.recall(root, budget.fitting(table), stop)?;
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

    /// After a search: learns what the policy keeps of it, from the table. `used` is what was [used](RecallSummary::used_by)
    /// by it. As [`learn`](Self::learn), this returns at once.
    pub fn finish<G, L, R>(&mut self, root: &G, table: &Arc<Table<L, R>>, searched: Searched, used: Vec<Key>)
    where
        G: Game + 'static,
        L: Layout + 'static,
        R: Replace + 'static,
    {
        let walk = TableWalk::new(root, table, &self.policy.retention(&searched), &searched.pv);
        self.learn(root, searched, walk, used);
    }

    /// Learns what the policy keeps of a finished search and of its findings, in one batch, and makes the `used` records
    /// as young as the search. The work is done by a thread of the memory, which also reads the findings: this returns at
    /// once, and the next search may begin. An error is returned by the next [`sync`](Self::sync).
    pub fn learn<G, F>(&mut self, root: &G, searched: Searched, findings: F, used: Vec<Key>)
    where
        G: Game + 'static,
        F: IntoIterator<Item = Finding> + Send + 'static,
    {
        let is_closed = !self.is_opening() && self.slot.writable().is_none();
        if is_closed || matches!(self.policy, Policy::Off | Policy::ReadOnly(_)) {
            return;
        }
        let retention = self.policy.retention(&searched);
        if let Retention::Root(record) = retention {
            // The next search knows it, however long the writing takes.
            let mut roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
            roots.learn(root, &self.source(), record);
        }
        let (slot, own, policy, root) = (Arc::clone(&self.slot), self.source(), self.policy, root.clone());
        self.has_unwritten = true;
        self.writer.run(move || {
            // That there is no store, or none that can be written, was told when it was opened.
            let Some(store) = slot.writable() else { return Ok(Learned::default()) };
            let items = collect_records(&retention, &own, &root, &searched, findings);
            // A later verdict on a root stands as a whole; what a search found on its way is merged.
            let replaces = matches!(retention, Retention::Root(_));
            let merged = match (items.is_empty(), replaces) {
                (true, _) => Ok(Merged::default()),
                (false, true) => store.replace_many(&items),
                (false, false) => store.merge_many(&items),
            };
            let merged = noting_read_only(&slot, merged)?;
            let links = slot.read(|| links::<G>(&*store, &own, &searched, &retention))?;
            if !links.is_empty() {
                store.merge_many(&links)?;
            }
            let renewed = slot.read(|| refreshed(&*store, &used, searched.time))?;
            if !renewed.is_empty() {
                store.merge_many(&renewed)?;
            }
            if let Some(lines) = collect_lines(&retention, &own, &root, &searched) {
                store.merge_annotations(&[lines])?;
            }
            let deleted = delete_oldest(&*store, &G::name(), &own, &policy)?;
            Ok(Learned { merged, deleted })
        });
    }

    /// The engine as a player, under whose name the results of its games are kept: those of all its versions.
    pub fn player(&self) -> Source {
        Source::player(self.own.name())
    }

    /// Learns what the result of a game says of the engine's moves: its records as a [player](Self::player) of its positions are replaced by their means
    /// with this game, in one transaction. As [`learn`](Self::learn), this returns at once.
    pub fn learn_game<G: Game + 'static>(&mut self, game: PlayedGame, result: PlayerResult) {
        let is_closed = !self.is_opening() && self.slot.writable().is_none();
        if is_closed || game.is_empty() || matches!(self.policy, Policy::Off | Policy::ReadOnly(_)) {
            return;
        }
        let learning = if let Policy::Result(learning) = self.policy { learning } else { ResultLearning::default() };
        // What a player chose while he believed others rests on them.
        let player = self.player().believing(self.believed.iter().copied());
        let slot = Arc::clone(&self.slot);
        self.has_unwritten = true;
        self.writer.run(move || {
            let Some(store) = slot.writable() else { return Ok(Learned::default()) };
            let items = slot.read(|| game.records::<G>(&*store, &player, &learning, result, unix_time()))?;
            let merged = noting_read_only(&slot, store.replace_many(&items))?;
            Ok(Learned { merged, ..Learned::default() })
        });
    }

    /// Deletes all records of a game whose source is `own`, and the results of its games; those of other sources stay. Returns how many it were.
    ///
    /// # Errors
    /// A store that cannot be read or written; then nothing is deleted.
    pub fn delete_own<G: Game>(&mut self) -> Result<u64> {
        // Records that are still being written would outlive the deletion.
        self.writer.sync()?;
        self.roots = Mutex::default();
        let authors = [self.own.clone(), self.player()];
        self.store().map_or(Ok(0), |store| delete_all(&*store, &G::name(), &authors))
    }

    /// As [`delete_own`](Self::delete_own), but by the memory's thread, and waits no longer than `timeout`: `None` if the
    /// records are not deleted by then; they will be, after what was learned before is written.
    ///
    /// # Errors
    /// A store that cannot be read or written; then nothing is deleted.
    pub fn delete_own_within<G: Game>(&mut self, timeout: Duration) -> Option<Result<u64>> {
        let start = Instant::now();
        self.roots = Mutex::default();
        let before = self.writer.sync_within(timeout);
        let (slot, authors) = (Arc::clone(&self.slot), [self.own.clone(), self.player()]);
        self.has_unwritten = true;
        self.writer.run(move || {
            let deleted = slot.store().map_or(Ok(0), |store| delete_all(&*store, &G::name(), &authors))?;
            Ok(Learned { deleted, ..Learned::default() })
        });
        if let Err(error) = before? {
            return Some(Err(error));
        }
        let learned = self.writer.sync_within(timeout.saturating_sub(start.elapsed()))?;
        self.has_unwritten = false;
        Some(learned.map(|learned| learned.deleted))
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

/// Some stores show at the first write only that they cannot be written. It is told once, by this error.
fn noting_read_only(slot: &StoreSlot, merged: Result<Merged>) -> Result<Merged> {
    if let Err(MemoryError::ReadOnly { .. }) = merged {
        slot.note_read_only();
    }
    merged
}

/// Whether a source's records are scores that are not believed. Results of games are no scores of searches.
fn is_hearsay(source: &Source, trust: &Trust) -> bool {
    !source.is_player() && !trust.believes(source)
}

/// Deletes all records of a game by these authors, whomever they believed; returns how many it were.
fn delete_all(store: &dyn Store, game: &str, authors: &[Source]) -> Result<u64> {
    let mut keys = Vec::new();
    let counts = store.statistics()?.counts;
    let is_theirs = |source: &Source| authors.iter().any(|author| source.is_same_author(author));
    for count in counts.iter().filter(|count| *count.game == *game && is_theirs(&count.source)) {
        let range = Range { game: Some(game), source: Some(&count.source), ..Range::default() };
        store.scan(&range, &mut |item| {
            keys.push(item.key);
            ControlFlow::Continue(())
        })?;
    }
    store.delete_many(&keys)
}

/// Records that lead through the positions of the game to the root, where nothing is known of them: so that what was learned
/// later in a game is reached from its beginning, at whatever depth it was searched.
fn links<G: Game>(store: &dyn Store, own: &Source, searched: &Searched, retention: &Retention) -> Result<Vec<Item>> {
    if *retention == Retention::Nothing {
        return Ok(Vec::new());
    }
    let (game, played): (Arc<str>, _) = (Arc::from(G::name()), &searched.played);
    let positions: Vec<&[u8]> = played.iter().map(|played| &*played.position).collect();
    let mut is_known = vec![false; positions.len()];
    store.get_many(&game, &positions, &mut |number, source, _| is_known[number] |= source == own)?;
    let unknown = played.iter().zip(is_known).filter(|(_, is_known)| !is_known);
    let link = |played: &PlayedPosition| {
        let key = Key::new(&game, played.position.clone(), own);
        Item { key, record: played.record(searched.time) }
    };
    Ok(unknown.map(|(played, _)| link(played)).collect())
}

/// The used records with a new time, so that they are not the oldest.
fn refreshed(store: &dyn Store, used: &[Key], now: u32) -> Result<Vec<Item>> {
    let Some(first) = used.first() else { return Ok(Vec::new()) };
    let positions: Vec<&[u8]> = used.iter().map(|key| &*key.position).collect();
    let mut items = Vec::new();
    store.get_many(&first.game, &positions, &mut |number, source, mut record| {
        if *source == used[number].source && record.time < now {
            record.time = now;
            items.push(Item { key: used[number].clone(), record });
        }
    })?;
    Ok(items)
}

/// Deletes the oldest roots of a game and source that the policy has kept beyond its limit; returns how many.
fn delete_oldest(store: &dyn Store, game: &str, source: &Source, policy: &Policy) -> Result<u64> {
    let Some(limit) = policy.limit() else { return Ok(0) };
    let counts = store.statistics()?.counts;
    let count = counts.iter().find(|count| *count.game == *game && count.source == *source);
    if count.is_none_or(|count| count.records <= limit) {
        return Ok(0);
    }
    let mut roots = Vec::new();
    let range = Range { game: Some(game), source: Some(source), roots: Some(Age::OldestFirst), ..Range::default() };
    store.scan(&range, &mut |item| {
        if policy.limits(&item.record) {
            roots.push(item.key);
        }
        ControlFlow::Continue(())
    })?;
    roots.truncate(roots.len().saturating_sub(limit as usize));
    store.delete_many(&roots)
}

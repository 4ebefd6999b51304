//! A memory at work: a store, whose it is, and by which policy it learns.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mnemon_search::Game;
use mnemon_table::replace::Replace;
use mnemon_table::{Layout, Table};

use crate::policy::{Policy, Searched};
use crate::walk::{Budget, Recalled, collect_records, recall, recall_until};
use crate::writer::{Learned, Writer};
use crate::{Item, Key, Range, Result, Source, Store};

/// What a searching program holds of its memory: [`recall`](Self::recall) before a search, [`learn`](Self::learn) after
/// it.
pub struct Memory {
    store: Arc<dyn Store>,
    own: Source,
    policy: Policy,
    writer: Writer,
}

impl Memory {
    /// The memory of `own`, which learns and recalls by the policy.
    pub fn new(store: Arc<dyn Store>, own: Source, policy: Policy) -> Self {
        Memory { store, own, policy, writer: Writer::start() }
    }

    /// Where the records are.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Goes on with another policy.
    pub fn set_policy(&mut self, policy: Policy) {
        self.policy = policy;
    }

    /// Copies what is known into the table; see [`walk::recall`](crate::walk::recall()).
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn recall<G: Game, L: Layout, R: Replace>(
        &self,
        root: &G,
        table: &Table<L, R>,
        budget: Budget,
    ) -> Result<Recalled> {
        recall(&*self.store, &self.policy, &self.own, root, table, budget)
    }

    /// As [`recall`](Self::recall), and not on once `stop` is set.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn recall_until<G: Game, L: Layout, R: Replace>(
        &self,
        root: &G,
        table: &Table<L, R>,
        budget: Budget,
        stop: &AtomicBool,
    ) -> Result<Recalled> {
        recall_until(&*self.store, &self.policy, &self.own, root, table, budget, stop)
    }

    /// Keeps what the policy wants of a finished search, in one batch and behind the caller's back: this returns at once,
    /// and the next search may begin. `used` is what was [of use](Recalled::used) to it.
    ///
    /// What goes wrong with it is said by the next [`sync`](Self::sync).
    pub fn learn<G, L, R>(&mut self, root: &G, table: &Arc<Table<L, R>>, searched: Searched, used: Vec<Key>)
    where
        G: Game + 'static,
        L: Layout + 'static,
        R: Replace + 'static,
    {
        if matches!(self.policy, Policy::Off | Policy::ReadOnly(_)) {
            return;
        }
        let (store, own, policy) = (Arc::clone(&self.store), self.own.clone(), self.policy);
        let (root, table) = (root.clone(), Arc::clone(table));
        self.writer.give(move || {
            let mut items = collect_records(&policy, &own, &root, &table, &searched);
            drop(table);
            items.extend(refreshed(&*store, &used, searched.time)?);
            let merged = if items.is_empty() { Default::default() } else { store.merge_many(&items)? };
            let forgotten = policy.limit().map_or(Ok(0), |limit| forget_oldest(&*store, &G::name(), &own, limit))?;
            Ok(Learned { merged, forgotten })
        });
    }

    /// Forgets everything that `own` knows of a game; what others say stays. Gives how many records it was.
    ///
    /// # Errors
    /// A store that cannot be read or written; then nothing is forgotten.
    pub fn forget_own<G: Game>(&mut self) -> Result<u64> {
        // What is still being written would come after the forgetting.
        self.writer.sync()?;
        let mut keys = Vec::new();
        let game = G::name();
        let range = Range { game: Some(&game), source: Some(&self.own), ..Range::default() };
        self.store.scan(&range, &mut |item| {
            keys.push(item.key);
            ControlFlow::Continue(())
        })?;
        self.store.forget_many(&keys)
    }

    /// Waits until everything learned is safe in the store, and says how much it was since the last time.
    ///
    /// # Errors
    /// The first thing that went wrong since the last time.
    pub fn sync(&mut self) -> Result<Learned> {
        let learned = self.writer.sync()?;
        self.store.sync()?;
        Ok(learned)
    }

    /// As [`sync`](Self::sync), for a program that has no time to wait: gives up after `patience`, and `None` says that
    /// the writing still goes on. A later call asks again.
    pub fn sync_within(&mut self, patience: Duration) -> Option<Result<Learned>> {
        let learned = self.writer.sync_within(patience)?;
        Some(learned.and_then(|learned| self.store.sync().map(|()| learned)))
    }
}

/// The records that were of use, as young as now.
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

/// Forgets the oldest roots of a game and source beyond the limit; gives how many.
fn forget_oldest(store: &dyn Store, game: &str, source: &Source, limit: u64) -> Result<u64> {
    let counts = store.statistics()?.counts;
    let count = counts.iter().find(|count| *count.game == *game && count.source == *source);
    if count.is_none_or(|count| count.records <= limit) {
        return Ok(0);
    }
    let mut roots = Vec::new();
    let range = Range { game: Some(game), source: Some(source), roots: true, ..Range::default() };
    store.scan(&range, &mut |item| {
        roots.push(item.key);
        ControlFlow::Continue(())
    })?;
    roots.truncate(roots.len().saturating_sub(limit as usize));
    store.forget_many(&roots)
}

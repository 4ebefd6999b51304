//! Learning: what a finished search or a finished game leaves in the memory, written by the memory's thread.

use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError};

use mnemon_search::Game;
use mnemon_table::replace::Replace;
use mnemon_table::{Layout, Table};

use super::Memory;
use crate::learn::{Finding, PlayedGame, TableWalk, collect_lines, collect_records};
use crate::policy::{PlayedPosition, PlayerResult, Policy, ResultLearning, Retention, Searched};
#[cfg(doc)]
use crate::recall::RecallSummary;
use crate::store_slot::StoreSlot;
use crate::writer::Learned;
use crate::{Age, Item, Key, MemoryError, Merged, Range, Result, Source, Store, unix_time};

impl Memory {
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
            let learned = slot.read(|| game.learn::<G>(&*store, &player, &learning, result, unix_time()));
            let merged = noting_read_only(&slot, learned)?;
            Ok(Learned { merged, ..Learned::default() })
        });
    }
}

/// Some stores show at the first write only that they cannot be written. It is told once, by this error.
fn noting_read_only(slot: &StoreSlot, merged: Result<Merged>) -> Result<Merged> {
    if let Err(MemoryError::ReadOnly { .. }) = merged {
        slot.note_read_only();
    }
    merged
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

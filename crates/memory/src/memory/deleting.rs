//! Deleting what the engine has learned.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mnemon_search::Game;

use super::Memory;
use crate::learn::learned_games;
use crate::writer::Learned;
use crate::{Key, Range, Result, Source, Store};

impl Memory {
    /// Deletes all records of a game whose source is `own`, and the results of its games, which may be learned again; those of
    /// other sources stay. Returns how many positions it were.
    ///
    /// # Errors
    /// A store that cannot be read or written; then nothing is deleted.
    pub fn delete_own<G: Game>(&mut self) -> Result<u64> {
        // Records that are still being written would outlive the deletion.
        self.writer.sync()?;
        self.roots = Mutex::default();
        let authors = [self.own.clone(), self.player()];
        self.store().map_or(Ok(0), |store| delete_authors(&*store, &G::name(), &authors))
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
            let deleted = slot.store().map_or(Ok(0), |store| delete_authors(&*store, &G::name(), &authors))?;
            Ok(Learned { deleted, ..Learned::default() })
        });
        if let Err(error) = before? {
            return Some(Err(error));
        }
        let learned = self.writer.sync_within(timeout.saturating_sub(start.elapsed()))?;
        self.has_unwritten = false;
        Some(learned.map(|learned| learned.deleted))
    }
}

/// Deletes all records of a game by these authors, whomever they believed, and that games of theirs were learned; returns how many
/// positions it were.
fn delete_authors(store: &dyn Store, game: &str, authors: &[Source]) -> Result<u64> {
    let mut keys = keys_of(store, game, authors)?;
    let games = keys_of(store, &learned_games(game), authors)?;
    let count = games.len() as u64;
    keys.extend(games);
    Ok(store.delete_many(&keys)?.saturating_sub(count))
}

/// The keys of all records of a game by these authors.
fn keys_of(store: &dyn Store, game: &str, authors: &[Source]) -> Result<Vec<Key>> {
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
    Ok(keys)
}

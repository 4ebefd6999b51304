//! The roots that an engine has learned, and people's advice, kept in RAM while the process lives.
//!
//! They are few, and any of them may be met below any root: policies that keep roots have them all in the table, however
//! large the memory is. They are read newest first, so that what was learned last is known first; what a budget has no time
//! for, the next recall reads.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use mnemon_search::Game;

use super::budget::Deadline;
use crate::{Age, Item, Range, Record, Result, Source, Store};

/// Beyond this many positions the oldest roots stay in the store.
const MOST_POSITIONS: usize = 1 << 18;

/// The roots and the advice of one game that were read so far.
#[derive(Debug, Default)]
pub(crate) struct KnownRoots {
    game: Option<Arc<str>>,
    /// The records of each position.
    positions: HashMap<Box<[u8]>, Vec<(Source, Record)>>,
    /// The time of the newest root that was read.
    newest: u32,
    /// All roots of later times were read; `None` if all of any time were.
    read_until: Option<u32>,
    is_begun: bool,
    /// The number of records of those whose roots are kept here, at the last reading.
    stored: u64,
}

/// A packed position and its records.
type KnownPosition<'r> = (&'r [u8], &'r [(Source, Record)]);

impl KnownRoots {
    /// Reads what was learned since the last time, then older roots, as far as the deadline allows.
    pub(super) fn refresh(
        &mut self,
        store: &dyn Store,
        game: &Arc<str>,
        own: &Source,
        deadline: &Deadline<'_>,
    ) -> Result {
        let stored = count(store, game, own)?;
        // Where there are fewer than before, someone has deleted records that are still here.
        if self.game.as_ref() != Some(game) || stored < self.stored {
            *self = KnownRoots { game: Some(Arc::clone(game)), ..KnownRoots::default() };
        }
        self.stored = stored;
        if !self.is_begun {
            (self.is_begun, self.read_until) = (true, Some(u32::MAX));
        } else {
            let newest = self.newest;
            self.read(store, own, u32::MAX, &mut |item| item.record.time < newest)?;
        }
        if let Some(until) = self.read_until {
            self.read_until = self.read(store, own, until, &mut |_| deadline.is_over())?;
        }
        Ok(())
    }

    /// Reads roots of this time or older, newest first, until `is_enough` says so before one of them. Returns the time of
    /// that one; `None` if all were read.
    fn read(
        &mut self,
        store: &dyn Store,
        own: &Source,
        until: u32,
        is_enough: &mut dyn FnMut(&Item) -> bool,
    ) -> Result<Option<u32>> {
        let game = self.game.clone();
        let until_range = (until < u32::MAX).then_some(until);
        let range =
            Range { game: game.as_deref(), roots: Some(Age::NewestFirst), until: until_range, ..Range::default() };
        let mut rest = None;
        store.scan(&range, &mut |item| {
            if is_enough(&item) {
                rest = Some(item.record.time);
                return ControlFlow::Break(());
            }
            self.newest = self.newest.max(item.record.time);
            if self.positions.len() >= MOST_POSITIONS {
                return ControlFlow::Break(());
            }
            if is_kept(&item.key.source, own) {
                self.insert(&item.key.position, &item.key.source, item.record);
            }
            ControlFlow::Continue(())
        })?;
        Ok(rest)
    }

    /// Adds a record, or puts it in the place of the source's earlier one.
    pub(crate) fn insert(&mut self, position: &[u8], source: &Source, record: Record) {
        let records = match self.positions.get_mut(position) {
            Some(records) => records,
            None => self.positions.entry(position.into()).or_default(),
        };
        match records.iter_mut().find(|(known, _)| known == source) {
            Some((_, known)) => *known = record,
            None => records.push((source.clone(), record)),
        }
    }

    /// A root that was learned just now, of the game that this is about.
    pub(crate) fn learn<G: Game>(&mut self, root: &G, source: &Source, record: Record) {
        if self.game.as_deref() == Some(&*G::name()) {
            let mut packed = Vec::new();
            root.pack(&mut packed);
            self.insert(&packed, source, record);
        }
    }

    /// Whether all of them were read.
    pub(super) fn is_complete(&self) -> bool {
        self.read_until.is_none()
    }

    /// The positions with their records, no more than `most`: the newest if there are more.
    pub(super) fn newest(&self, most: usize) -> Vec<KnownPosition<'_>> {
        let mut all: Vec<_> = self.positions.iter().map(|(position, records)| (&**position, &records[..])).collect();
        let time = |records: &[(Source, Record)]| records.iter().map(|(_, record)| record.time).max();
        if all.len() > most {
            all.select_nth_unstable_by_key(most, |(_, records)| std::cmp::Reverse(time(records)));
            all.truncate(most);
        }
        all
    }
}

/// The number of records of those whose roots are kept here.
fn count(store: &dyn Store, game: &str, own: &Source) -> Result<u64> {
    let counts = store.statistics()?.counts;
    let kept = counts.iter().filter(|count| *count.game == *game && is_kept(&count.source, own));
    Ok(kept.map(|count| count.records).sum())
}

/// Whether a source's roots are kept here: the engine's own, whomever it believed, and people's advice.
fn is_kept(source: &Source, own: &Source) -> bool {
    source.is_same_author(own) || source.is_person()
}

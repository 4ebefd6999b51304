//! Stores: the trait, the door to the file store, and what all stores share.

mod contributor;
mod location;
mod ram;
#[cfg(feature = "sqlite")]
mod sqlite;
mod upkeep;

use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::Arc;

pub use contributor::{Contributor, Identity};
pub use location::{Access, open, restore};
pub use ram::RamStore;
pub use upkeep::{Compacted, Upkeep, Verified};

use crate::{Annotation, Content, Key, MemoryError, Origins, Record, Result, Source, SourceKind};

/// A store of records, shared between threads by reference.
///
/// A store has one record for each [`Key`]; another record for the same key is [merged](crate::merge()) into it, or, if it
/// is one's own, may [replace](Store::replace_many) it. A record
/// that fails its checksum is never returned: it is left out, and counted in [`Statistics::damaged`].
pub trait Store: Debug + Send + Sync {
    /// Looks up positions of a game: calls `found` for each record of each position, with the position's index in
    /// `positions`. There is no call for an unknown position. The order of the calls is the store's own, and a large batch
    /// need not be read in one snapshot.
    ///
    /// # Errors
    /// A store that cannot be read.
    fn get_many(&self, game: &str, positions: &[&[u8]], found: &mut dyn FnMut(usize, &Source, Record)) -> Result;

    /// [Merges](crate::merge()) the items into what is there. Sorted items are faster.
    ///
    /// Merging is a join, so a batch may be merged again, whole or in part, to the same result. A caller whose batch
    /// failed repeats it. A store that is one file merges a batch in one transaction: all of it or, if it fails, nothing.
    /// A store of several machines may have merged a part of a failed batch, and may merge a batch twice by itself; what
    /// [`Merged`] counts is then of the last attempt.
    ///
    /// # Errors
    /// A store that cannot be written, or an [invalid](MemoryError::InvalidItem) item.
    fn merge_many(&self, items: &[Item]) -> Result<Merged>;

    /// Puts the items in the place of what is there, in one transaction where the store is one file: for records of one's
    /// own that a later verdict replaces as a whole. Of two items with one key the later stands.
    ///
    /// # Errors
    /// As [`merge_many`](Self::merge_many).
    fn replace_many(&self, items: &[Item]) -> Result<Merged>;

    /// As [`replace_many`](Self::replace_many), if the items' keys have the records that were `seen` there, one for each item
    /// and `None` where there was none: for records that were made from others. `None`, and nothing is written, if another
    /// writer has changed one of them meanwhile; a caller then reads them again. The keys are distinct.
    ///
    /// A store that does not know how to look and write in one transaction, as this default, may miss a change between the two.
    ///
    /// # Errors
    /// As [`merge_many`](Self::merge_many).
    fn replace_unchanged(&self, items: &[Item], seen: &[Option<Record>]) -> Result<Option<Merged>> {
        for (Item { key, .. }, seen) in items.iter().zip(seen) {
            let mut stored = None;
            self.get_many(&key.game, &[&key.position], &mut |_, source, record| {
                stored = if *source == key.source { Some(record) } else { stored };
            })?;
            if stored != *seen {
                return Ok(None);
            }
        }
        self.replace_many(items).map(Some)
    }

    /// Looks up the annotations of a position of a game, of every source.
    ///
    /// # Errors
    /// A store that cannot be read.
    fn annotations(&self, game: &str, position: &[u8]) -> Result<Vec<(Source, Content)>>;

    /// [Merges](Content::merge) the annotations into what is there, as [`merge_many`](Self::merge_many) merges records.
    ///
    /// # Errors
    /// A store that cannot be written, or an [invalid](MemoryError::InvalidItem) annotation.
    fn merge_annotations(&self, annotations: &[Annotation]) -> Result<Merged>;

    /// Merges the records and the annotations that one search found: where the store is one file, in one transaction. This
    /// implementation merges one after the other, the records first.
    ///
    /// # Errors
    /// As [`merge_many`](Self::merge_many).
    fn merge_findings(&self, items: &[Item], annotations: &[Annotation]) -> Result<Merged> {
        annotations.iter().try_for_each(Annotation::validate)?;
        let merged = self.merge_many(items)?;
        self.merge_annotations(annotations)?;
        Ok(merged)
    }

    /// Calls `visit` for each annotation in the range, as [`scan`](Self::scan) does for records; of the range, the game,
    /// the prefix and the source count.
    ///
    /// # Errors
    /// A store that cannot be read.
    fn scan_annotations(&self, range: &Range<'_>, visit: &mut dyn FnMut(Annotation) -> ControlFlow<()>) -> Result;

    /// Who the memory is.
    ///
    /// # Errors
    /// A store that cannot be read.
    fn identity(&self) -> Result<Identity>;

    /// Gives the memory another label; its identity stays.
    ///
    /// # Errors
    /// A store that cannot be written, or a label that is empty or longer than 255 bytes.
    fn set_label(&self, label: &str) -> Result;

    /// The memories and files that records were merged or imported from, in the order of their identities.
    ///
    /// # Errors
    /// A store that cannot be read.
    fn contributors(&self) -> Result<Vec<Contributor>>;

    /// Adds a contributor, or changes the label and the trust of one that is known; the time of the first contribution
    /// stays.
    ///
    /// # Errors
    /// A store that cannot be written, or a label that is empty or longer than 255 bytes.
    fn set_contributor(&self, contributor: &Contributor) -> Result;

    /// Deletes the records with these keys, and their annotations; returns how many records there were. As with [`merge_many`](Self::merge_many), a batch
    /// may be repeated, and where the store is one file, all records are deleted or, if it fails, none.
    ///
    /// # Errors
    /// A store that cannot be written.
    fn delete_many(&self, keys: &[Key]) -> Result<u64>;

    /// Calls `visit` for each item in the range, in the range's order, until it breaks. The scan reads a snapshot: writers
    /// are not blocked, and what they write meanwhile is not visited.
    ///
    /// # Errors
    /// A store that cannot be read.
    fn scan(&self, range: &Range<'_>, visit: &mut dyn FnMut(Item) -> ControlFlow<()>) -> Result;

    /// Returns when everything that was merged before survives a crash and, as far as the system can promise it, a loss of
    /// power.
    ///
    /// # Errors
    /// A store that cannot be written.
    fn sync(&self) -> Result;

    /// The numbers of records and bytes, without reading all records.
    ///
    /// # Errors
    /// A store that cannot be read.
    fn statistics(&self) -> Result<Statistics>;

    /// The number of records of a game, if the store knows it without counting; a recall then chooses between a scan of
    /// all records and a walk. `None`, the default, for a store that does not know, such as one of several machines.
    ///
    /// # Errors
    /// A store that cannot be read.
    fn size_hint(&self, _game: &str) -> Result<Option<u64>> {
        Ok(None)
    }

    /// Whether a merge or a deletion of this process waits for another process that writes.
    fn is_blocked(&self) -> bool {
        false
    }

    /// The store's maintenance; `None` for a store that has none here.
    fn upkeep(&self) -> Option<&dyn Upkeep> {
        None
    }
}

/// A record with its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The key.
    pub key: Key,
    /// The record.
    pub record: Record,
}

impl Item {
    /// Checks that a store can hold the item.
    ///
    /// # Errors
    /// [`MemoryError::InvalidItem`]: a record that is empty or not [normalized](Record::normalized), a depth that no
    /// search reaches, advice that is not a person's, a player's record that is no result, an empty or overlong name or position.
    pub fn validate(&self) -> Result {
        self.key.validate()?;
        let is_advice = self.record.origins.contains(Origins::ADVICE);
        let reason = if self.key.source.is_person() != is_advice {
            "advice is a person's, and only a person's"
        } else if self.key.source.is_player() && !self.record.origins.contains(Origins::RESULT) {
            "a player's records are results of games"
        } else if self.record.is_empty() {
            "a record needs a score or a move"
        } else if self.record.normalized() != self.record {
            "an unknown bound of a score has neither depth nor time"
        } else if !self.record.has_searchable_depths() {
            "a depth is 0 to 127 plies, or proven: no search goes deeper"
        } else {
            return Ok(());
        };
        Err(MemoryError::InvalidItem { reason: reason.to_owned() })
    }
}

impl Key {
    /// Checks that a store can hold the key.
    ///
    /// # Errors
    /// [`MemoryError::InvalidItem`]: an empty or overlong name or position, a version of another source than an engine, more believed
    /// contributors than a name has room for.
    pub fn validate(&self) -> Result {
        let Key { game, position, source } = self;
        let is_name = |name: &str| (1..=MAX_NAME_BYTES).contains(&name.len());
        let reason = if !is_name(game) {
            "a game needs a name of 1 to 255 bytes"
        } else if position.is_empty() || position.len() > MAX_POSITION_BYTES {
            "a packed position has 1 to 1024 bytes"
        } else if !is_name(source.name()) || source.version().len() > MAX_NAME_BYTES {
            "a source needs a name of 1 to 255 bytes"
        } else if source.kind() != SourceKind::Engine && !source.version().is_empty() {
            "only an engine has a version"
        } else if source.believed().len() > MAX_BELIEVED {
            "a source believes at most 1000 contributors"
        } else {
            return Ok(());
        };
        Err(MemoryError::InvalidItem { reason: reason.to_owned() })
    }
}

pub(crate) const MAX_NAME_BYTES: usize = 255;
const MAX_POSITION_BYTES: usize = 1024;
const MAX_BELIEVED: usize = 1000;

/// What a merge did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Items whose key was not there before.
    pub added: u64,
    /// Items that changed the record of their key.
    pub changed: u64,
    /// Items that changed nothing.
    pub known: u64,
}

impl std::ops::AddAssign for Merged {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.changed += other.changed;
        self.known += other.known;
    }
}

/// What a scan visits: narrowed from [`Range::default`], which is everything.
#[derive(Clone, Debug, Default)]
pub struct Range<'a> {
    /// Only this game.
    pub game: Option<&'a str>,
    /// Only positions whose packed form has this prefix; needs a game.
    pub prefix: &'a [u8],
    /// Only this source.
    pub source: Option<&'a Source>,
    /// Only [roots](crate::Flags::ROOT) and advice, in this order. Otherwise everything, in the order of the store's keys:
    /// by game, then by position.
    pub roots: Option<Age>,
    /// Of roots and advice, only those that were last learned or used at this time or before.
    pub until: Option<u32>,
}

impl Range<'_> {
    /// Whether the item lies in the range.
    pub fn contains(&self, item: &Item) -> bool {
        let Key { game, position, source } = &item.key;
        self.has(game, position, source, &item.record)
    }

    /// Whether the record of this position by this source lies in the range.
    pub(crate) fn has(&self, game: &str, position: &[u8], source: &Source, record: &Record) -> bool {
        let is_young = || self.until.is_some_and(|until| record.time > until);
        self.has_key(game, position, source) && (self.roots.is_none() || record.is_indexed() && !is_young())
    }

    /// Whether the key's game, position and source lie in the range.
    pub fn contains_key(&self, key: &Key) -> bool {
        self.has_key(&key.game, &key.position, &key.source)
    }

    fn has_key(&self, game: &str, position: &[u8], source: &Source) -> bool {
        self.game.is_none_or(|only| *game == *only)
            && position.starts_with(self.prefix)
            && self.source.is_none_or(|only| source == only)
    }
}

/// The order of roots in a scan, by the time when they were last learned or used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// The oldest first.
    OldestFirst,
    /// The newest first.
    NewestFirst,
}

/// The size of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The location, as it was opened; `None` for a store in RAM.
    pub location: Option<String>,
    /// Its format's version.
    pub format: u32,
    /// Its size in bytes.
    pub bytes: u64,
    /// The number of records for each game and source that has any.
    pub counts: Vec<Count>,
    /// Records that failed their checksum since this store was opened, and were left out.
    pub damaged: u64,
    /// By how many records a scan of a whole game, source or store differed from the counts that the store keeps: records
    /// that were lost with a damaged page, or that were never counted. The largest difference since this store was opened.
    pub miscounted: u64,
}

impl Statistics {
    /// The number of all records.
    pub fn records(&self) -> u64 {
        self.counts.iter().map(|count| count.records).sum()
    }
}

/// The number of records of one game and source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The game's name.
    pub game: Arc<str>,
    /// The source.
    pub source: Source,
    /// The number of records.
    pub records: u64,
}

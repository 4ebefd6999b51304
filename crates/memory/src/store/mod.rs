//! Where records are kept: the trait, and what all stores share.

mod location;
mod ram;
#[cfg(feature = "sqlite")]
mod sqlite;
mod upkeep;

use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::Arc;

pub use location::{Access, open};
pub use ram::RamStore;
pub use upkeep::{Compacted, Upkeep, Verified};

use crate::{Key, MemoryError, Origins, Record, Result, Source};

/// A place for records. Shared between threads by reference.
///
/// A store keeps one record for each [`Key`]; what comes for the same key is [merged](crate::merge()) into it. It never
/// gives out a record that it cannot vouch for: one that fails its check is left out and counted in
/// [`Statistics::damaged`].
pub trait Store: Debug + Send + Sync {
    /// Looks positions of a game up: `found` is called for each source that knows one, with the position's number in
    /// `positions`. A position that nobody knows is passed over. The order of the calls is the store's own, and a large
    /// number of positions need not be looked up in one moment.
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

    /// Forgets what is filed under these keys, all of them or, if it fails, none. Gives how many were there.
    ///
    /// # Errors
    /// A store that cannot be written.
    fn forget_many(&self, keys: &[Key]) -> Result<u64>;

    /// Calls `visit` for each item in the range, in the range's order, until it breaks. Writers are not held up, and
    /// what they write meanwhile is not seen.
    ///
    /// # Errors
    /// A store that cannot be read.
    fn scan(&self, range: &Range<'_>, visit: &mut dyn FnMut(Item) -> ControlFlow<()>) -> Result;

    /// Returns when everything merged before is safe from a crash and, as far as the system can promise it, from a
    /// loss of power.
    ///
    /// # Errors
    /// A store that cannot be written.
    fn sync(&self) -> Result;

    /// How much is kept, without reading it all.
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

    /// The store's maintenance; `None` for a store that needs none, or has none here.
    fn upkeep(&self) -> Option<&dyn Upkeep> {
        None
    }
}

/// A record and where it is filed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Where.
    pub key: Key,
    /// What.
    pub record: Record,
}

impl Item {
    /// Whether a store may keep this, and why not.
    ///
    /// # Errors
    /// [`MemoryError::InvalidItem`]: a record that says nothing or is not [normalized](Record::normalized), advice that is not
    /// a person's, an empty or overlong name or position.
    pub fn validate(&self) -> Result {
        let Key { game, position, source } = &self.key;
        let is_advice = self.record.origins.contains(Origins::ADVICE);
        let reason = if game.is_empty() || game.len() > LONGEST_NAME {
            "a game needs a name of 1 to 255 bytes"
        } else if position.is_empty() || position.len() > LONGEST_POSITION {
            "a packed position has 1 to 1024 bytes"
        } else if source.name().is_empty() || source.name().len().max(source.version().len()) > LONGEST_NAME {
            "a source needs a name of 1 to 255 bytes"
        } else if source.is_person() != is_advice {
            "advice is a person's, and only a person's"
        } else if self.record.is_empty() {
            "a record without a score and without a move says nothing"
        } else if self.record.normalized() != self.record {
            "an end of a score that is not known has no depth"
        } else {
            return Ok(());
        };
        Err(MemoryError::InvalidItem { reason: reason.to_owned() })
    }
}

const LONGEST_NAME: usize = 255;
const LONGEST_POSITION: usize = 1024;

/// What a merge did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Items whose key was not there before.
    pub added: u64,
    /// Items that changed what was there.
    pub changed: u64,
    /// Items that said nothing new.
    pub known: u64,
}

impl std::ops::AddAssign for Merged {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.changed += other.changed;
        self.known += other.known;
    }
}

/// What a scan visits. Take [`Range::default`], which is everything, and narrow it.
#[derive(Clone, Debug, Default)]
pub struct Range<'a> {
    /// One game only.
    pub game: Option<&'a str>,
    /// Positions whose packed form begins so; needs a game.
    pub prefix: &'a [u8],
    /// One source only.
    pub source: Option<&'a Source>,
    /// Only [roots](crate::Flags::ROOT), the oldest first. Otherwise everything, in the order of the store's keys:
    /// by game, then by position.
    pub roots: bool,
}

impl Range<'_> {
    /// Whether the item lies in the range.
    pub fn contains(&self, item: &Item) -> bool {
        let Item { key, record } = item;
        self.game.is_none_or(|game| *key.game == *game)
            && key.position.starts_with(self.prefix)
            && self.source.is_none_or(|source| key.source == *source)
            && (!self.roots || record.flags.contains(crate::Flags::ROOT))
    }
}

/// How much a store keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The location, as it was opened; `None` for a store in RAM.
    pub location: Option<String>,
    /// Its format's version.
    pub format: u32,
    /// How many bytes it takes.
    pub bytes: u64,
    /// Records of each game and source that has any.
    pub counts: Vec<Count>,
    /// Records that failed their check and were left out, since this store was opened.
    pub damaged: u64,
}

impl Statistics {
    /// All records.
    pub fn records(&self) -> u64 {
        self.counts.iter().map(|count| count.records).sum()
    }
}

/// How many records one source has of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The game's name.
    pub game: Arc<str>,
    /// Who.
    pub source: Source,
    /// How many.
    pub records: u64,
}

//! Upkeep of a store that is kept in a file: verify, compact, backup.

use std::path::Path;

use crate::Result;

/// Maintenance of a store, reached by [`Store::upkeep`](crate::Store::upkeep).
pub trait Upkeep {
    /// Reads everything and checks it: the file's structure, every record, every name and every count. Calls `progress`
    /// with the number of records that are done and of all.
    ///
    /// # Errors
    /// A store that cannot be read at all; damage that leaves it readable is reported in [`Verified`].
    fn verify(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<Verified>;

    /// Writes the file anew without gaps. Needs as much room again while it runs, and locks other writers out.
    ///
    /// # Errors
    /// A store that cannot be written; it is then as it was.
    fn compact(&self) -> Result<Compacted>;

    /// Copies the store as it is at this moment to a new file, while it is in use. Calls `progress` with the number of
    /// pages that are done and of all. Returns the size of the copy in bytes.
    ///
    /// # Errors
    /// A path that cannot be written, or at which there is something already; it is then left as it was.
    fn backup(&self, to: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<u64>;
}

/// What a verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Records that are as they were written.
    pub records: u64,
    /// Descriptions of the damage; [`Verified::MAX_REPORTED`] at most.
    pub damage: Vec<String>,
    /// The number of damaged things in all.
    pub damaged: u64,
}

impl Verified {
    /// How many damaged things are described one by one.
    pub const MAX_REPORTED: usize = 100;

    /// Whether no damage was found.
    pub fn is_sound(&self) -> bool {
        self.damaged == 0
    }

    /// Adds one damaged thing.
    #[cfg(feature = "sqlite")]
    pub(super) fn report(&mut self, damage: String) {
        self.damaged += 1;
        if self.damage.len() < Self::MAX_REPORTED {
            self.damage.push(damage);
        }
    }
}

/// What a compaction did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    /// Bytes on disk before.
    pub before: u64,
    /// Bytes on disk now.
    pub after: u64,
}

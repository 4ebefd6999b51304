//! Going on where the analysis stopped: what the persistent hash of Rybka 3 and Andscacs and the hash-saving forks of
//! Stockfish promised.
//!
//! Everything that was searched above a depth is kept, so that after a restart the same analysis goes on, forward and
//! backward through the variations, between moves and between games. The engine's own scores come back as they were;
//! another engine's are widened, since that one would have seen things differently.

use mnemon_table::Score;

use super::{DEFAULT_FUZZ, Searched, Wish};
use crate::Origins;

/// Settings of resuming.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resume {
    /// The least depth that is kept.
    pub least_depth: u8,
    /// The most records that are kept of one search.
    pub most: usize,
    /// By how much other sources' scores are widened.
    pub others_fuzz: Score,
}

impl Default for Resume {
    fn default() -> Self {
        Resume { least_depth: 6, most: 1_000_000, others_fuzz: DEFAULT_FUZZ }
    }
}

impl Resume {
    /// Everything deep.
    pub fn wish(&self, searched: &Searched) -> Wish {
        let root = searched.record(searched.score, Origins::PV);
        Wish::Tree { root, least_depth: self.least_depth, most: self.most }
    }

    /// What is one's own is exact.
    pub fn fuzz(&self, own: bool) -> Score {
        if own { 0 } else { self.others_fuzz }
    }
}

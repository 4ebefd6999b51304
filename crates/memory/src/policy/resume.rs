//! Going on where the analysis stopped: what the persistent hash of Rybka 3 and Andscacs and the hash-saving forks of
//! Stockfish promised.
//!
//! Everything that was searched above a depth is kept, so that after a restart the same analysis goes on, forward and
//! backward through the variations, between moves and between games. The engine's own scores come back as they were;
//! another engine's are widened, since that one would have seen things differently.
//!
//! What is deep depends on the search: a deeper one has many times as many positions of any depth, and needs the shallow
//! ones no more to go on. Half of its own depth keeps a memory small beside the table.

use mnemon_table::Score;

use super::{DEFAULT_FUZZ, Retention, Searched};
use crate::Origins;

/// Settings of resuming.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resume {
    /// The least depth that is kept; 0 for half of the search's own, and 6 at least.
    pub least_depth: u8,
    /// The most records that are kept of one search.
    pub most: usize,
    /// By how much other sources' scores are widened.
    pub others_fuzz: Score,
}

impl Default for Resume {
    fn default() -> Self {
        Resume { least_depth: 0, most: 1_000_000, others_fuzz: DEFAULT_FUZZ }
    }
}

impl Resume {
    /// Everything deep.
    pub fn retention(&self, searched: &Searched) -> Retention {
        let root = searched.record(searched.score, Origins::PV);
        Retention::Tree { root, least_depth: self.least_kept(searched.depth), most: self.most }
    }

    fn least_kept(&self, searched: u8) -> u8 {
        /// Less is found again in no time.
        const LEAST: u8 = 6;
        if self.least_depth > 0 { self.least_depth } else { LEAST.max(searched / 2) }
    }

    /// What is one's own is exact.
    pub fn fuzz(&self, own: bool) -> Score {
        if own { 0 } else { self.others_fuzz }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_is_relative_unless_it_is_said() {
        let least = |resume: Resume, depth| match resume.retention(&Searched { depth, ..Searched::default() }) {
            Retention::Tree { least_depth, .. } => least_depth,
            _ => panic!("everything deep"),
        };
        assert_eq!([4, 12, 13, 14, 31].map(|depth| least(Resume::default(), depth)), [6, 6, 6, 7, 15]);
        let all = Resume { least_depth: 1, ..Resume::default() };
        assert_eq!([4, 31].map(|depth| least(all, depth)), [1, 1]);
    }
}

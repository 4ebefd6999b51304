//! Resuming an analysis: what the persistent hash of Rybka 3 and Andscacs and the hash-saving forks of Stockfish were for.
//!
//! Everything that was searched to a least depth is kept, so that after a restart an analysis continues, forward and
//! backward through the variations, between moves and between games. The engine's own scores are recalled as they were;
//! other sources' are widened by a fuzz term, since their evaluation is another.
//!
//! The least depth is half of the search's own by default: a deeper search has many times as many positions of any depth, and
//! does not need the shallow ones to continue. So a memory stays small in comparison with the table.

use mnemon_table::Score;

use super::{DEFAULT_FUZZ, Retention, Searched};
use crate::Origins;

/// Settings of the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resume {
    /// The least depth that is kept; 0 for half of the search's own, at least 6.
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
    /// The root, and everything below it to the least depth.
    pub fn retention(&self, searched: &Searched) -> Retention {
        let root = searched.record(searched.score, Origins::PV);
        Retention::Tree { root, least_depth: self.least_kept(searched.depth), most: self.most }
    }

    fn least_kept(&self, searched: u8) -> u8 {
        /// A search finds shallower entries again at once.
        const LEAST: u8 = 6;
        if self.least_depth > 0 { self.least_depth } else { LEAST.max(searched / 2) }
    }

    /// By how much a score is widened: not at all if it is the engine's own.
    pub fn fuzz(&self, own: bool) -> Score {
        if own { 0 } else { self.others_fuzz }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_depth_is_half_of_the_searchs_unless_it_is_set() {
        let least = |resume: Resume, depth| match resume.retention(&Searched { depth, ..Searched::default() }) {
            Retention::Tree { least_depth, .. } => least_depth,
            _ => panic!("everything deep"),
        };
        assert_eq!([4, 12, 13, 14, 31].map(|depth| least(Resume::default(), depth)), [6, 6, 6, 7, 15]);
        let all = Resume { least_depth: 1, ..Resume::default() };
        assert_eq!([4, 31].map(|depth| least(all, depth)), [1, 1]);
    }
}

//! Rote learning: A. L. Samuel, "Some Studies in Machine Learning Using the Game of Checkers", IBM Journal of Research
//! and Development 3 (1959).
//!
//! Every root is kept with its backed-up score. At a leaf of a later search
//! ([`Search::probe_leaves`](mnemon_search::Search::probe_leaves)) the score replaces the evaluation, so that the later search
//! is effectively deeper; its root is kept in turn. Each time a score is backed up it moves one unit towards zero, so that of
//! two equal wins the nearer is preferred, and of two equal losses the farther. A limited memory deletes the records that
//! were not used for the longest time.

use mnemon_search::WINS;
use mnemon_table::Score;

use super::Searched;
use crate::{Origins, Record};

/// Settings of rote learning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rote {
    /// The most positions that are kept; `None` for no limit.
    pub limit: Option<u64>,
}

impl Rote {
    /// The origins of what is kept.
    pub(crate) const ORIGINS: Origins = Origins::SEARCH.union(Origins::LIMITED);

    /// The record of every root; `None` for a tainted or unfinished search.
    pub fn keep(&self, searched: &Searched) -> Option<Record> {
        searched.record(directed(searched.score), Self::ORIGINS)
    }
}

/// The score one unit nearer to zero. Wins and losses stay: they already count their plies.
///
/// ```
/// use mnemon_memory::policy::rote::directed;
///
/// assert_eq!([directed(50), directed(-50), directed(0), directed(15_990)], [49, -49, 0, 15_990]);
/// ```
pub fn directed(score: Score) -> Score {
    if WINS.is_mate(score) { score } else { score - score.signum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_root_is_kept_with_its_depth_and_move() {
        let searched = Searched { score: 40, depth: 7, best: 3, ..Searched::default() };
        let kept = Rote::default().keep(&searched).expect("kept");
        assert_eq!((kept.lower.score, kept.upper.score, kept.lower.depth, kept.best), (39, 39, 7, 3));
    }

    #[test]
    fn of_equal_scores_the_nearer_win_and_the_farther_loss_are_better() {
        let kept = |score| Rote::default().keep(&Searched { score, depth: 3, ..Searched::default() }).expect("kept");
        // Backed up once more, the same score is nearer to zero.
        assert!(kept(kept(100).lower.score).lower.score < kept(100).lower.score);
        assert!(kept(kept(-100).lower.score).lower.score > kept(-100).lower.score);
    }

    #[test]
    fn tainted_and_unfinished_searches_are_not_kept() {
        let rote = Rote::default();
        assert_eq!(rote.keep(&Searched { depth: 9, tainted: true, ..Searched::default() }), None);
        assert_eq!(rote.keep(&Searched { depth: 0, ..Searched::default() }), None);
    }
}

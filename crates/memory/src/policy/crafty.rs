//! Position learning as in Crafty: R. M. Hyatt, in the program's documentation of position.lrn (from 1996).
//!
//! A root is kept when its score is significantly below that of the same side's last search in the game. At most 65,536
//! positions are kept, first in, first out; all of them enter the table at the start of each search, like any other entry: with
//! the score as it was.

use mnemon_table::Score;

use super::Searched;
use crate::{Origins, Record};

/// Settings of Crafty's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crafty {
    /// The least drop that is significant.
    pub drop: Score,
    /// The most positions that are kept.
    pub limit: u64,
}

impl Default for Crafty {
    fn default() -> Self {
        Crafty { drop: 50, limit: 65_536 }
    }
}

impl Crafty {
    /// The origins of what is kept.
    pub(crate) const ORIGINS: Origins = Origins::DROP.union(Origins::LIMITED);

    /// The record of a root whose score is below the last search's by [`drop`](Self::drop) or more; otherwise `None`.
    pub fn keep(&self, searched: &Searched) -> Option<Record> {
        let dropped = i32::from(searched.previous?) - i32::from(searched.score) >= i32::from(self.drop);
        if dropped { searched.record(searched.score, Self::ORIGINS) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_drop_since_the_last_search_is_kept() {
        let kept = |previous, score| {
            let searched = Searched { score, previous, depth: 8, ..Searched::default() };
            Crafty::default().keep(&searched).is_some()
        };
        assert!(kept(Some(30), -20));
        assert!(!kept(Some(30), -19));
        assert!(!kept(None, -500), "the first search of a game has nothing to compare with");
        assert!(!kept(Some(-400), -300));
    }
}

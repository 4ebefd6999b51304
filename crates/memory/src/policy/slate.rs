//! Learning from disappointments: D. J. Slate, "A Chess Program that Uses its Transposition Table to Learn from
//! Experience", ICCA Journal 10 (1987).
//!
//! A root is kept when the final score of the move chosen is significantly worse than the best score of any earlier
//! iteration: the search saw late what it should have known early. Before each search the relevant portion of what was
//! kept enters the table as recalled, its bounds widened by a fuzz term.

use mnemon_table::Score;

use super::{DEFAULT_FUZZ, Searched};
use crate::{Origins, Record};

/// Settings of Slate's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slate {
    /// How much worse is significantly worse.
    pub drop: Score,
    /// By how much a recalled score is widened.
    pub fuzz: Score,
}

impl Default for Slate {
    /// Half a pawn is significant.
    fn default() -> Self {
        Slate { drop: 50, fuzz: DEFAULT_FUZZ }
    }
}

impl Slate {
    /// A root is kept if its score fell below that of an earlier iteration by [`drop`](Self::drop) or more.
    pub fn keep(&self, searched: &Searched) -> Option<Record> {
        let best = searched.iterations.iter().copied().max()?;
        let fell = i32::from(best) - i32::from(searched.score) >= i32::from(self.drop);
        if fell { searched.record(searched.score, Origins::DROP) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(iterations: &[Score]) -> bool {
        let score = *iterations.last().expect("an iteration");
        let searched = Searched { score, depth: 8, iterations: iterations.to_vec(), ..Searched::default() };
        Slate::default().keep(&searched).is_some_and(|record| record.origins.contains(Origins::DROP))
    }

    #[test]
    fn only_a_root_that_turned_out_worse_is_kept() {
        assert!(kept(&[20, 60, 10]), "50 below the best iteration");
        assert!(!kept(&[20, 60, 11]), "49 below it");
        assert!(!kept(&[60, 20, 70]), "a drop that was made good");
        assert!(!kept(&[-300, -300]), "bad, but no surprise");
        assert!(kept(&[10, 10, -15_990]), "a loss that was seen late");
    }
}

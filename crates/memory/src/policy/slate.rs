//! Learning from score drops: D. J. Slate, "A Chess Program that Uses its Transposition Table to Learn from
//! Experience", ICCA Journal 10 (1987).
//!
//! A root is kept when the final score of the best move is significantly below the best score of an earlier iteration: only
//! the deep iterations found the refutation. Before each search the records below its root enter the table, their bounds
//! widened by a fuzz term.

use mnemon_table::Score;

use super::{DEFAULT_FUZZ, Searched};
use crate::{Origins, Record};

/// Settings of Slate's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slate {
    /// The least drop that is significant.
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
    /// The record of a root whose score is below an earlier iteration's by [`drop`](Self::drop) or more; otherwise `None`.
    pub fn keep(&self, searched: &Searched) -> Option<Record> {
        let best = searched.iterations.iter().copied().max()?;
        let dropped = i32::from(best) - i32::from(searched.score) >= i32::from(self.drop);
        if dropped { searched.record(searched.score, Origins::DROP) } else { None }
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
    fn only_a_root_whose_score_dropped_is_kept() {
        assert!(kept(&[20, 60, 10]), "50 below the best iteration");
        assert!(!kept(&[20, 60, 11]), "49 below it");
        assert!(!kept(&[60, 20, 70]), "a drop that was recovered");
        assert!(!kept(&[-300, -300]), "low, but no drop");
        assert!(kept(&[10, 10, -15_990]), "a loss that was found late");
    }
}

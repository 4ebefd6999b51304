//! Learning every root of a game: T. Scherzer, L. Scherzer and D. Tjaden, "Learning in Bebe", in Computers, Chess, and
//! Cognition (1990).
//!
//! One record for every root searched in a game, written at the end of each search: depth, move number, score and move.
//! At the start of each search they enter the table as the score ± a tolerance. A contempt factor is taken into a
//! drawn score before it is kept, so that the program varies against an opponent with whom it only draws.

use mnemon_table::{Score, Window};

use super::entry::widened_but_draws;
use super::{DEFAULT_FUZZ, Searched};
use crate::{Origins, Record};

/// Settings of Bebe's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bebe {
    /// The contempt factor: how much a draw is below 0 for the side that searched.
    pub contempt: Score,
    /// By how much a recalled score is widened.
    pub tolerance: Score,
}

impl Default for Bebe {
    fn default() -> Self {
        Bebe { contempt: 10, tolerance: DEFAULT_FUZZ }
    }
}

impl Bebe {
    /// The window of a recalled score, widened by the tolerance. It is not for draws, with the contempt factor or without it,
    /// and not for mates.
    pub(super) fn widened(&self, window: Window) -> Window {
        widened_but_draws(window, self.tolerance, -self.contempt)
    }

    /// The record of every root, with the contempt factor in a drawn score unless an exhaustive search proved the draw; `None`
    /// for a tainted or unfinished search.
    pub fn keep(&self, searched: &Searched) -> Option<Record> {
        let is_unproven_draw = searched.score == 0 && !searched.exhaustive;
        let score = if is_unproven_draw { -self.contempt } else { searched.score };
        searched.record(score, Origins::SEARCH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;

    #[test]
    fn each_root_is_recorded_with_depth_move_number_score_and_move() {
        let searched = Searched { score: 55, depth: 9, best: 11, game_ply: 31, ..Searched::default() };
        let kept = Bebe::default().keep(&searched).expect("kept");
        assert_eq!((kept.lower.score, kept.lower.depth, kept.best, kept.game_ply), (55, 9, 11, 31));
        let entry = Policy::Bebe(Bebe::default()).entry(&kept, true);
        assert_eq!((entry.window, entry.depth), (Window { lower: 35, upper: 75 }, 9));
    }

    #[test]
    fn contempt_lowers_a_draw_unless_it_is_proven() {
        let kept = |exhaustive| {
            let searched = Searched { score: 0, depth: 9, exhaustive, ..Searched::default() };
            Bebe::default().keep(&searched).expect("kept").lower.score
        };
        assert_eq!([kept(false), kept(true)], [-10, 0]);
        let recalled = |score| Policy::Bebe(Bebe::default()).entry(&Record::exact(score, 9), true).window;
        assert_eq!([recalled(-10), recalled(0)], [Window::exact(-10), Window::exact(0)], "no tolerance for draws");
        assert_eq!(recalled(15_990), Window::exact(15_990), "nor for mates");
    }
}

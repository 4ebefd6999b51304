//! Selectors: what a way through the tree costs. The cheapest way leads to the position that is searched next.
//!
//! The cost of a position is the least over its moves: of a scored move, what it gives away; of a child, a ply, what the
//! move gives away, and the child's own cost. A selector prices the ply and the move; the [`Graph`](super::Graph) keeps
//! the sums.

use mnemon_table::Score;

use super::chance::{error, openness};
use super::{Explored, chance};

/// Costs are whole numbers, so that sums do not depend on their order. One ply of an open game is 100.
pub(crate) type Cost = u32;

/// Nothing is left to be searched.
pub(crate) const INFINITE: Cost = Cost::MAX;

/// Whose errors matter: for whom the tree is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The side that began the game: White.
    First,
    /// The other side: Black.
    Second,
    /// Both alike.
    #[default]
    Both,
}

/// Prices a step down the tree, in whole numbers: one ply of an open game is 100.
pub trait Selector<G: Explored>: Send + Sync {
    /// The selector's name.
    fn name(&self) -> &'static str;

    /// The cost of going one ply deeper by a child that is worth `value` to the side that is to move in it.
    fn ply(&self, value: Score) -> u32;

    /// The cost of a move that scores `score` where the best one scores `best`; `is_first` tells who makes it.
    fn error(&self, best: Score, score: Score, is_first: bool) -> u32;
}

/// Drop-out expansion (T. Lincke, "Strategies for the automatic construction of opening books", 2001): the line is
/// expanded that the players leave the tree by soonest, if a ply and an error each have their price.
///
/// Errors are counted in chances to win, and a ply costs the more the less open the game is: decided lines starve.
#[derive(Clone, Copy, Debug)]
pub struct DropOut {
    side: Side,
}

impl DropOut {
    /// The cost of one unit of error by the side that the tree is for, by the other side, and with no side.
    const OWN: f64 = 2.0 * Self::EITHER;
    const OTHER: f64 = 0.5 * Self::EITHER;
    const EITHER: f64 = 100.0;
    const PLY: f64 = 100.0;
    /// No ply costs more than this many plies of an open game.
    const MOST_PLIES: f64 = 100.0;

    /// A tree for this side: its own errors cost four times as much as the other side's, so that the tree holds few of its
    /// moves and many replies.
    pub fn new(side: Side) -> Self {
        DropOut { side }
    }

    fn weight(self, is_first: bool) -> f64 {
        match (self.side, is_first) {
            (Side::Both, _) => Self::EITHER,
            (Side::First, true) | (Side::Second, false) => Self::OWN,
            _ => Self::OTHER,
        }
    }
}

impl<G: Explored> Selector<G> for DropOut {
    fn name(&self) -> &'static str {
        "dropout"
    }

    fn ply(&self, value: Score) -> Cost {
        (Self::PLY * (1.0 / openness::<G>(value).max(1e-9)).min(Self::MOST_PLIES)).round() as Cost
    }

    fn error(&self, best: Score, score: Score, is_first: bool) -> Cost {
        (self.weight(is_first) * error::<G>(best, score)).round() as Cost
    }
}

/// The way of chessdb's explorer (`evalDecay`): a search of the known tree to a depth that grows by one whenever nothing
/// is left to do, in which a move loses a ply for each step of centipawns that it gives away.
///
/// The least depth at which such a search reaches a position is a sum over the moves that lead there, so that it is a cost
/// like any other. Centipawns count as they are, for both sides.
#[derive(Clone, Copy, Debug)]
pub struct EvalDecay {
    centipawns: u16,
}

impl EvalDecay {
    const PLY: Cost = 100;

    /// A ply for every `centipawns` lost, at least one.
    pub fn new(centipawns: u16) -> Self {
        EvalDecay { centipawns: centipawns.max(1) }
    }
}

impl Default for EvalDecay {
    /// Searches of some seconds differ by about this much without a reason.
    fn default() -> Self {
        EvalDecay::new(10)
    }
}

impl<G: Explored> Selector<G> for EvalDecay {
    fn name(&self) -> &'static str {
        "decay"
    }

    fn ply(&self, _value: Score) -> Cost {
        Self::PLY
    }

    fn error(&self, best: Score, score: Score, _is_first: bool) -> Cost {
        // Between a mate and any other score lies the whole of the game.
        let lost = (i32::from(best) - i32::from(score)).clamp(0, 3000) as Cost;
        let lost = if chance::<G>(best) == chance::<G>(score) { 0 } else { lost };
        Self::PLY * lost.div_ceil(Cost::from(self.centipawns))
    }
}

#[cfg(test)]
mod tests {
    use mnemon_chess::Position;

    use super::*;

    #[test]
    fn the_own_side_pays_more_for_its_errors() {
        let cost = |side, is_first| Selector::<Position>::error(&DropOut::new(side), 10, 0, is_first);
        assert_eq!([cost(Side::First, true), cost(Side::First, false), cost(Side::Both, true)], [2000, 500, 1000]);
        assert_eq!((cost(Side::Second, true), cost(Side::Second, false)), (500, 2000));
    }

    #[test]
    fn a_ply_of_a_decided_game_is_dear() {
        let ply = |score| Selector::<Position>::ply(&DropOut::new(Side::Both), score);
        assert_eq!(ply(0), 100);
        assert!(ply(100) < 120 && ply(1000) > 500 && ply(15_990) == 10_000 && ply(-15_990) == 10_000);
    }

    #[test]
    fn centipawns_are_rounded_up_to_plies() {
        let plies = |best, score| Selector::<Position>::error(&EvalDecay::new(10), best, score, true) / 100;
        assert_eq!([plies(20, 20), plies(20, 19), plies(20, 10), plies(20, 9), plies(0, 5)], [0, 1, 1, 2, 0]);
        assert_eq!(plies(15_990, 100), 300);
    }
}

//! A position inside the search, with the squares that complete four carried along.

use crate::board::{Board, score_of_win};
use crate::geometry::Geometry;

/// A position of the search. The side to move cannot win at once.
///
/// The squares that complete four are worked out once, for the side that has just moved: they order the move, and
/// are what its opponent must mind next.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node<const WIDTH: usize, const HEIGHT: usize> {
    /// Stones of the side to move.
    pub own: u64,
    /// Stones of both sides.
    pub mask: u64,
    /// Empty squares that complete four for the other side.
    pub opponent_wins: u64,
    /// Stones on the board.
    pub stones: u32,
    /// The index of the square played last; 63, which the usual board does not have, when unknown.
    pub last: u32,
}

/// What following forced moves leads to.
pub(crate) enum Resolved<const WIDTH: usize, const HEIGHT: usize> {
    /// The exact score, for the side to move where following began.
    Known(i32),
    /// A position with at least two moves that do not lose at once.
    Open {
        /// The position.
        node: Node<WIDTH, HEIGHT>,
        /// The moves that do not lose at once.
        moves: u64,
        /// True when the side to move there is the other one.
        flipped: bool,
    },
}

impl<const WIDTH: usize, const HEIGHT: usize> Node<WIDTH, HEIGHT> {
    /// The node of `board`, in which the side to move must not be able to win at once.
    pub(crate) fn new(board: &Board<WIDTH, HEIGHT>) -> Self {
        Self {
            own: board.own(),
            mask: board.mask(),
            opponent_wins: Geometry::<WIDTH, HEIGHT>::winning_squares(board.opponent(), board.mask()),
            stones: board.stones(),
            last: 63,
        }
    }

    /// The node after a stone on `square`, which must not let the other side win at once.
    #[inline(always)]
    pub(crate) fn play(&self, square: u64) -> Self {
        let mask = self.mask | square;
        Self {
            own: self.own ^ self.mask,
            mask,
            opponent_wins: Geometry::<WIDTH, HEIGHT>::winning_squares(self.own | square, mask),
            stones: self.stones + 1,
            last: square.trailing_zeros(),
        }
    }

    /// The moves that do not let the other side win at once; none when the other side wins whatever is played.
    #[inline(always)]
    pub(crate) fn safe_moves(&self) -> u64 {
        let playable = Geometry::<WIDTH, HEIGHT>::playable(self.mask);
        let forced = playable & self.opponent_wins;
        let safe = playable & !(self.opponent_wins >> 1);
        if forced == 0 {
            safe
        } else if forced & (forced - 1) == 0 {
            safe & forced
        } else {
            0
        }
    }

    /// Follows moves to which there is no alternative.
    #[inline(always)]
    pub(crate) fn resolve<const FOLLOW: bool>(mut self) -> Resolved<WIDTH, HEIGHT> {
        let squares = Geometry::<WIDTH, HEIGHT>::SQUARES;
        let mut flipped = false;
        loop {
            let moves = self.safe_moves();
            if moves == 0 {
                let loss = if self.stones == squares { 0 } else { -score_of_win(squares, self.stones + 1) };
                return Resolved::Known(if flipped { -loss } else { loss });
            }
            // Two squares are left, and neither side wins on its own.
            if self.stones + 2 >= squares {
                return Resolved::Known(0);
            }
            if !FOLLOW || moves & (moves - 1) != 0 {
                return Resolved::Open { node: self, moves, flipped };
            }
            self = self.play(moves);
            flipped = !flipped;
        }
    }

    /// The packed position: different for different positions.
    #[inline(always)]
    pub(crate) fn packed(&self) -> u64 {
        self.own.wrapping_add(self.mask)
    }
}

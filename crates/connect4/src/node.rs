//! A position of the search, with the opponent's winning squares.

use crate::board::{Board, score_of_win};
use crate::geometry::Geometry;

/// A position of the search. The side to move cannot win at once.
///
/// The winning squares are computed once, for the side that has just moved: they order its move, and its opponent must
/// answer them next.
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
    /// The index of the square played last; 63, which is off the standard board, when unknown.
    pub last: u32,
}

/// The result of [`Node::resolve`].
pub(crate) enum Resolved<const WIDTH: usize, const HEIGHT: usize> {
    /// The exact score, seen by the side to move before the forced moves.
    Known(i32),
    /// A position with at least two moves that do not lose at once.
    Open {
        /// The position.
        node: Node<WIDTH, HEIGHT>,
        /// The moves that do not lose at once.
        moves: u64,
        /// Whether an odd number of moves was followed, so that the other side is to move.
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

    /// The moves after which the other side cannot win at once; 0 when every move loses at once.
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

    /// Follows forced moves, those without a safe alternative, if `FOLLOW`; at the end returns the exact score if the game
    /// is decided, and the open position otherwise.
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
            // Two squares are left, and neither side wins with its stone: a draw.
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

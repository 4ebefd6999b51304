//! What an exploration needs of a game beside its rules.

use mnemon_chess::{Color, Position};
use mnemon_connect4::Board;
use mnemon_search::Game;
use mnemon_uci::observer::CLOCK_LIMIT;

/// A game whose tree can be grown.
pub trait Explored: Game + 'static {
    /// The score that makes the chance to win 73 %: the unit of the logistic curve.
    const SCALE: f64;

    /// Whether searches prove bounds, and the exploration is a proof: every move counts until it is proven.
    const IS_PROOF: bool = false;

    /// Whether the side that began the game is to move.
    fn is_first_to_move(&self) -> bool;

    /// Whether a memory keeps nothing of the position, because a counter that is no part of it may decide.
    fn is_beyond_memory(&self) -> bool {
        false
    }
}

impl Explored for Position {
    const SCALE: f64 = 270.0;

    fn is_first_to_move(&self) -> bool {
        self.side_to_move() == Color::White
    }

    fn is_beyond_memory(&self) -> bool {
        self.halfmove_clock() >= CLOCK_LIMIT
    }
}

impl<const WIDTH: usize, const HEIGHT: usize> Explored for Board<WIDTH, HEIGHT> {
    const SCALE: f64 = 4.0;
    const IS_PROOF: bool = true;

    fn is_first_to_move(&self) -> bool {
        self.stones().is_multiple_of(2)
    }
}

//! A Connect Four position, and reading it from a sequence of moves.
//!
//! # Scores, everywhere in this crate
//!
//! A score is seen by the side to move: positive when that side wins with best play, negative when it loses, 0 for a
//! draw. On the 7x6 board a win with the winner's `n`-th stone scores `22 - n`, so a faster win scores more; on any
//! board a score of 1 is a win with the winner's last stone.

use crate::geometry::{self, Geometry};
use std::fmt;

/// A position: the stones of both sides, and whose turn it is. Never holds four in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board<const WIDTH: usize = { geometry::WIDTH }, const HEIGHT: usize = { geometry::HEIGHT }> {
    /// Stones of the side to move.
    own: u64,
    /// Stones of both sides.
    mask: u64,
}

impl<const WIDTH: usize, const HEIGHT: usize> Default for Board<WIDTH, HEIGHT> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const WIDTH: usize, const HEIGHT: usize> Board<WIDTH, HEIGHT> {
    /// Squares of the board.
    pub const SQUARES: u32 = Geometry::<WIDTH, HEIGHT>::SQUARES;

    /// The empty board.
    #[must_use]
    pub const fn new() -> Self {
        Self { own: 0, mask: 0 }
    }

    /// The position with these stones; `None` if a stone has an empty square below it, the numbers of stones do not fit
    /// the turn, or a side has four in a row.
    #[must_use]
    pub fn from_stones(own: u64, mask: u64) -> Option<Self> {
        type Masks<const W: usize, const H: usize> = Geometry<W, H>;
        let board = Self { own, mask };
        let supported = mask << 1 & !Masks::<WIDTH, HEIGHT>::BOTTOM & Masks::<WIDTH, HEIGHT>::BOARD;
        let floats = mask & !Masks::<WIDTH, HEIGHT>::BOTTOM & !supported != 0;
        let outside = mask & !Masks::<WIDTH, HEIGHT>::BOARD != 0 || own & !mask != 0;
        let fits_the_turn = own.count_ones() == mask.count_ones() / 2;
        let over = Masks::<WIDTH, HEIGHT>::has_four(own) || Masks::<WIDTH, HEIGHT>::has_four(own ^ mask);
        (!floats && !outside && fits_the_turn && !over).then_some(board)
    }

    /// The position after a sequence of moves from the empty board: one digit for each move, `1` for the leftmost column.
    ///
    /// # Errors
    /// The first move that cannot be played, with its index. A move that makes four is refused too
    /// ([`MoveFault::EndsGame`]): a finished game has nothing left to solve.
    pub fn parse(moves: &str) -> Result<Self, MoveError> {
        let mut board = Self::new();
        for (index, character) in moves.chars().enumerate() {
            board = board.after_character(character).map_err(|fault| MoveError { index, fault })?;
        }
        Ok(board)
    }

    fn after_character(self, character: char) -> Result<Self, MoveFault> {
        let digit = character.to_digit(10).ok_or(MoveFault::NotADigit(character))?;
        let column = (digit as usize).wrapping_sub(1);
        if column >= WIDTH {
            return Err(MoveFault::NoSuchColumn { column: digit as usize, width: WIDTH });
        }
        if !self.can_play(column) {
            return Err(MoveFault::FullColumn(digit as usize));
        }
        if self.wins_by(column) {
            return Err(MoveFault::EndsGame(digit as usize));
        }
        Ok(self.play(column))
    }

    /// True when `column`, counted from 0, exists and is not full.
    #[must_use]
    pub const fn can_play(&self, column: usize) -> bool {
        column < WIDTH && self.playable() & Geometry::<WIDTH, HEIGHT>::column(column) != 0
    }

    /// True when the side to move makes four by dropping a stone in `column`, counted from 0.
    #[must_use]
    pub const fn wins_by(&self, column: usize) -> bool {
        let square = self.playable() & Geometry::<WIDTH, HEIGHT>::column(column);
        square & self.winning_squares() != 0
    }

    /// True when the side to move can make four at once.
    #[must_use]
    pub const fn can_win_now(&self) -> bool {
        self.playable() & self.winning_squares() != 0
    }

    /// The position after a stone in `column`, counted from 0; the other side is to move then.
    ///
    /// The column must be playable ([`Board::can_play`]) and must not make four ([`Board::wins_by`]).
    #[must_use]
    pub const fn play(&self, column: usize) -> Self {
        self.play_square(self.playable() & Geometry::<WIDTH, HEIGHT>::column(column))
    }

    /// The position after a stone on `square`, a mask of one playable square.
    #[must_use]
    pub const fn play_square(&self, square: u64) -> Self {
        Self { own: self.own ^ self.mask, mask: self.mask | square }
    }

    /// The columns that are not full, counted from 0.
    pub fn columns(self) -> impl Iterator<Item = usize> {
        (0..WIDTH).filter(move |&column| self.can_play(column))
    }

    /// The stones of the side to move.
    #[must_use]
    pub const fn own(&self) -> u64 {
        self.own
    }

    /// The stones of the other side.
    #[must_use]
    pub const fn opponent(&self) -> u64 {
        self.own ^ self.mask
    }

    /// The stones of both sides.
    #[must_use]
    pub const fn mask(&self) -> u64 {
        self.mask
    }

    /// Stones on the board, which is also the number of moves played.
    #[must_use]
    pub const fn stones(&self) -> u32 {
        self.mask.count_ones()
    }

    /// True when no square is empty: a draw, since a board never holds four in a row.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.stones() == Self::SQUARES
    }

    /// The squares a stone can be dropped on.
    #[must_use]
    pub const fn playable(&self) -> u64 {
        Geometry::<WIDTH, HEIGHT>::playable(self.mask)
    }

    /// The empty squares that complete four for the side to move.
    #[must_use]
    pub const fn winning_squares(&self) -> u64 {
        Geometry::<WIDTH, HEIGHT>::winning_squares(self.own, self.mask)
    }

    /// The same position with left and right exchanged; it has the same score.
    #[must_use]
    pub const fn mirror(&self) -> Self {
        Self { own: Geometry::<WIDTH, HEIGHT>::mirror(self.own), mask: Geometry::<WIDTH, HEIGHT>::mirror(self.mask) }
    }

    /// A number that identifies the position among those of this size: each column holds the stones of the side to move,
    /// and a 1 above the topmost stone.
    #[must_use]
    pub const fn pack(&self) -> u64 {
        // The sum with `BOTTOM` would have the 1 above the stones; without that constant the empty board is 0.
        self.own.wrapping_add(self.mask)
    }

    /// The score of a win with the next stone: the highest score that this position can have.
    #[must_use]
    pub const fn score_of_win_now(&self) -> i32 {
        score_of_win(Self::SQUARES, self.stones())
    }
}

/// The score, seen by the winner, of completing four with a stone played when `stones` were on the board.
#[inline(always)]
#[must_use]
pub const fn score_of_win(squares: u32, stones: u32) -> i32 {
    (squares as i32 + 1 - stones as i32) / 2
}

/// A move that cannot be played, and its index in the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveError {
    /// The number of characters before the move.
    pub index: usize,
    /// Why the move cannot be played.
    pub fault: MoveFault,
}

/// Why a move cannot be played. Columns are counted from 1, as in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveFault {
    /// The character is no digit.
    NotADigit(char),
    /// The board has no such column.
    NoSuchColumn {
        /// The column in the text.
        column: usize,
        /// The number of columns.
        width: usize,
    },
    /// The column is full.
    FullColumn(usize),
    /// The move makes four and ends the game, so that nothing is left to solve.
    EndsGame(usize),
}

impl fmt::Display for MoveError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "move {}: {}", self.index + 1, self.fault)
    }
}

impl fmt::Display for MoveFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotADigit(character) => write!(formatter, "{character:?} is no column number"),
            Self::NoSuchColumn { column, width } => {
                write!(formatter, "there is no column {column}, columns are 1 to {width}")
            }
            Self::FullColumn(column) => write!(formatter, "column {column} is full"),
            Self::EndsGame(column) => {
                write!(formatter, "column {column} makes four: the game is over")
            }
        }
    }
}

impl std::error::Error for MoveError {}

#[cfg(test)]
mod tests;

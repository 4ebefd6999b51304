//! The board as a [`Game`], for the generic search, the law suite and the memory.
//!
//! A [`Board`] never holds four in a row, so as a `Game` it ends one stone earlier: when the side to move can make four,
//! it has won with the score of that stone.

use std::borrow::Cow;
use std::num::NonZeroU16;

use mnemon_search::{Game, Outcome};
use mnemon_table::Score;

use crate::board::Board;
use crate::geometry::Geometry;
use crate::tables;

impl<const WIDTH: usize, const HEIGHT: usize> Game for Board<WIDTH, HEIGHT> {
    /// A column, counted from 0.
    type Move = u8;

    fn name() -> Cow<'static, str> {
        format!("connect4-{WIDTH}x{HEIGHT}").into()
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.can_win_now() {
            Some(Outcome::Points(self.score_of_win_now() as Score))
        } else {
            self.is_full().then_some(Outcome::Draw)
        }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        if self.outcome().is_none() {
            moves.extend(self.columns().map(|column| column as u8));
        }
    }

    fn play(&self, column: u8) -> Self {
        Board::play(self, column.into())
    }

    /// Constant: only finished games have a score.
    fn evaluate(&self) -> Score {
        0
    }

    fn key(&self) -> u64 {
        tables::key(Board::pack(self))
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.extend(Board::pack(self).to_le_bytes());
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        Board::unpack(u64::from_le_bytes(bytes.try_into().ok()?))
    }

    fn code(column: u8) -> NonZeroU16 {
        NonZeroU16::MIN.saturating_add(column.into())
    }

    fn plies_left(&self) -> Option<u16> {
        Some((Self::SQUARES - self.stones()) as u16)
    }

    /// The nearer to the centre, the better.
    fn ordering_score(&self, column: u8) -> i32 {
        -(2 * i32::from(column) + 1 - WIDTH as i32).abs()
    }
}

impl<const WIDTH: usize, const HEIGHT: usize> Board<WIDTH, HEIGHT> {
    /// The position that [`pack`](Self::pack) made into this number; `None` if it is no position.
    #[must_use]
    pub fn unpack(packed: u64) -> Option<Self> {
        // After adding 1 to every column, the highest set bit of a column is the one above its stones.
        let marked = packed.wrapping_add(Geometry::<WIDTH, HEIGHT>::BOTTOM);
        let (mut own, mut mask) = (0, 0);
        for column in 0..WIDTH {
            let shift = column * Geometry::<WIDTH, HEIGHT>::STRIDE;
            let bits = marked >> shift & ((2 << HEIGHT) - 1);
            let stones = (1 << bits.checked_ilog2()?) - 1;
            own |= (bits & stones) << shift;
            mask |= stones << shift;
        }
        let board = Self::from_stones(own, mask)?;
        (board.pack() == packed).then_some(board)
    }
}

#[cfg(test)]
mod tests {
    use mnemon_search::{Algorithm, Limits, Search, Silent, laws};
    use mnemon_table::Table;

    use super::*;
    use crate::{Precision, Solver};

    #[test]
    fn boards_keep_the_laws_of_games() {
        laws::check(&[Board::<7, 6>::new()], 300, 1).expect("7x6");
        laws::check(&[Board::<8, 7>::new()], 100, 2).expect("8x7, which fills all 64 bits");
        laws::check(&[Board::<9, 6>::new()], 100, 3).expect("9x6");
        laws::check(&[Board::<4, 5>::new()], 300, 4).expect("4x5");
    }

    #[test]
    fn the_generic_search_finds_the_same_scores() {
        let solver = Solver::<5, 4>::new(1 << 20).expect("a megabyte");
        let table: Table = Table::new(1 << 20).expect("a megabyte");
        for moves in ["", "3", "33", "1234", "5512", "334521"] {
            let board = Board::<5, 4>::parse(moves).expect("legal moves");
            let exact = solver.solve(&board, Precision::Strong).expect("not stopped").score;
            for algorithm in Algorithm::ALL {
                let limits = Limits::depth((Board::<5, 4>::SQUARES - board.stones()) as u8);
                let answer = Search { algorithm, limits, ..Search::new(&table) }.run(&board, &mut Silent);
                assert_eq!(i32::from(answer.score), exact, "{moves} by {algorithm:?}");
            }
        }
    }
}

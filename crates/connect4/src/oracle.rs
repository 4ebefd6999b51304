//! The oracle of the tests: plain alpha-beta without a table; and seeded random positions.

use crate::board::Board;

/// The exact score, seen by the side to move, by plain alpha-beta.
pub(crate) fn score<const WIDTH: usize, const HEIGHT: usize>(board: &Board<WIDTH, HEIGHT>) -> i32 {
    let most = Board::<WIDTH, HEIGHT>::SQUARES as i32;
    alpha_beta(board, -most, most)
}

fn alpha_beta<const WIDTH: usize, const HEIGHT: usize>(board: &Board<WIDTH, HEIGHT>, mut alpha: i32, beta: i32) -> i32 {
    if board.is_full() {
        return 0;
    }
    if board.columns().any(|column| board.wins_by(column)) {
        return board.score_of_win_now();
    }
    for column in board.columns() {
        alpha = alpha.max(-alpha_beta(&board.play(column), -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// A pseudo-random generator (xorshift) with the same sequence on every machine.
pub(crate) struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }

    /// A position after `stones` random moves, none of which made four.
    pub(crate) fn board<const WIDTH: usize, const HEIGHT: usize>(&mut self, stones: u32) -> Board<WIDTH, HEIGHT> {
        loop {
            let mut board = Board::new();
            while board.stones() < stones {
                let quiet: Vec<_> = board.columns().filter(|&column| !board.wins_by(column)).collect();
                if quiet.is_empty() {
                    break;
                }
                board = board.play(quiet[self.below(quiet.len())]);
            }
            if board.stones() == stones {
                return board;
            }
        }
    }
}

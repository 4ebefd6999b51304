//! Ordering scores of quiet moves.

use cozy_chess::{BitBoard, Move, Piece, Square};

use super::checks::Checks;
use super::history::QuietHistory;
use super::move_list::MoveList;
use super::threats::LesserThreats;

/// The bonus of a check, on the scale of history.
const CHECK_BONUS: i32 = 12_000;
/// The bonus for leaving a square that a less valuable piece attacks, and the malus for going to one.
const ESCAPE_BONUS: i32 = 4_200;

/// Scores the quiet moves of a node: history, checks, and escapes from less valuable attackers.
pub(super) struct QuietScores<'p> {
    pub(super) history: QuietHistory<'p>,
    pub(super) threats: LesserThreats,
    pub(super) checks: Checks,
    /// Moves of earlier stages, which are left out, and the squares that they come from.
    pub(super) searched: [Option<Move>; 4],
    pub(super) searched_from: BitBoard,
    /// Receives the moves.
    pub(super) moves: &'p mut MoveList,
}

impl QuietScores<'_> {
    /// The target squares of a piece's moves that earlier stages searched.
    fn searched_to(&self, from: Square) -> BitBoard {
        let searched = self.searched.iter().flatten().filter(|mv| mv.from == from);
        searched.fold(BitBoard::EMPTY, |all, mv| all | mv.to.bitboard())
    }

    /// Adds a piece's moves to these squares.
    #[inline(never)]
    pub(super) fn add(&mut self, piece: Piece, from: Square, squares: BitBoard) {
        let searched = if self.searched_from.has(from) { self.searched_to(from) } else { BitBoard::EMPTY };
        let (history, checks) = (self.history.of_piece(piece, from), self.checks.squares(piece));
        let threatened = self.threats.attacks(piece);
        let escapes = i32::from(threatened.has(from));
        for to in squares & !searched {
            let check = i32::from(checks.has(to)) * CHECK_BONUS;
            let escape = (escapes - i32::from(threatened.has(to))) * ESCAPE_BONUS;
            self.moves.push(Move { from, to, promotion: None }, history.to(to) + check + escape);
        }
    }
}

//! The position as a [`Game`], for searches, law suites and memories that work with any game.

use std::borrow::Cow;
use std::num::NonZeroU16;

use cozy_chess::{Move, Piece};
use mnemon_search::{Game, Outcome};
use mnemon_table::Score;

use crate::material::{self, piece_value};
use crate::{Position, moves, pack};

/// Checkmate is a loss for the side to move; stalemate and [dead positions](Position::is_dead) are draws.
impl Game for Position {
    /// Castling is the king's move onto its own rook.
    type Move = Move;

    const CYCLES: bool = true;

    /// One name for standard chess and Chess960: the same position has the same moves in both.
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("chess")
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.has_moves() {
            Some(if self.is_check() { Outcome::Loss } else { Outcome::Draw })
        } else {
            self.is_dead().then_some(Outcome::Draw)
        }
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        if !self.is_dead() {
            self.legal_moves(moves);
        }
    }

    fn play(&self, mv: Move) -> Self {
        self.after(mv)
    }

    /// The material balance; `mnemon-engine` has a real evaluation.
    fn evaluate(&self) -> Score {
        material::balance(self.board())
    }

    fn key(&self) -> u64 {
        self.hash_key()
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        pack::pack(self, bytes);
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        pack::unpack(bytes)
    }

    fn code(mv: Move) -> NonZeroU16 {
        moves::to_code(mv)
    }

    /// The fifty-move rule; checkmate takes precedence.
    fn is_drawn_by_counter(&self) -> bool {
        self.halfmove_clock() >= 100 && (!self.is_check() || self.has_moves())
    }

    /// MVV-LVA for captures, plus the gain of a promotion.
    fn ordering_score(&self, mv: Move) -> i32 {
        let board = self.board();
        let promoted = mv.promotion.map_or(0, |piece| piece_value(piece) - piece_value(Piece::Pawn));
        let Some(piece) = self.piece_on(mv.from) else { return 0 };
        let victim = match self.piece_on(mv.to) {
            Some(victim) if !board.colors(self.side_to_move()).has(mv.to) => piece_value(victim),
            None if piece == Piece::Pawn && mv.from.file() != mv.to.file() => piece_value(Piece::Pawn),
            _ => return promoted,
        };
        // The victim decides, the attacker breaks ties.
        promoted + victim - piece_value(piece).min(1_000) / 100
    }
}

//! What pieces mean for passed pawns.

use cozy_chess::{BitBoard, Color, Piece};

use super::features::FeatureSink;
use super::masks::{forward_file, one_ahead, rank_number};
use super::scene::EvalContext;
use super::terms;

impl EvalContext<'_> {
    /// What stands in the way of passed pawns, and what helps them.
    #[inline(always)]
    pub(super) fn passed<T: FeatureSink>(&self, side: Color, passed: BitBoard, tally: &mut T) {
        let [own, other] = self.both(side);
        for pawn in passed & own.pawns {
            let rank = rank_number(side, pawn);
            let next = one_ahead(side, pawn.bitboard());
            if !(self.occupied & next).is_empty() {
                tally.add(side, terms::PASSED_BLOCKED, rank, 1);
            } else if (forward_file(side, pawn) & (other.attacked | self.occupied)).is_empty() {
                tally.add(side, terms::PASSED_FREE, rank, 1);
            }
            if !(own.attacked & next).is_empty() {
                tally.add(side, terms::PASSED_HELPED, rank, 1);
            }
            let behind = forward_file(!side, pawn) & self.board.pieces(Piece::Rook);
            tally.add(side, terms::PASSED_ROOK, 0, (behind & own.men).len() as i32);
            tally.add(side, terms::PASSED_ROOK, 1, (behind & other.men).len() as i32);
        }
    }
}

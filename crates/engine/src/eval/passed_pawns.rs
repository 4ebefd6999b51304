//! Passed pawns and pieces: blockers, free paths, support, rooks behind.

use cozy_chess::{BitBoard, Color, Piece};

use super::context::EvalContext;
use super::features::FeatureSink;
use super::masks::{forward_file, one_ahead, rank_number};
use super::terms;

impl EvalContext<'_> {
    /// Reports what stops or supports the passed pawns of one side.
    #[inline(always)]
    pub(super) fn passed_pawns<S: FeatureSink>(&self, side: Color, passed: BitBoard, sink: &mut S) {
        let [own, other] = self.both(side);
        for pawn in passed & own.pawns {
            let rank = rank_number(side, pawn);
            let next = one_ahead(side, pawn.bitboard());
            if !(self.occupied & next).is_empty() {
                sink.add(side, terms::PASSED_BLOCKED, rank, 1);
            } else if (forward_file(side, pawn) & (other.attacked | self.occupied)).is_empty() {
                sink.add(side, terms::PASSED_FREE, rank, 1);
            }
            if !(own.attacked & next).is_empty() {
                sink.add(side, terms::PASSED_HELPED, rank, 1);
            }
            let behind = forward_file(!side, pawn) & self.board.pieces(Piece::Rook);
            sink.add(side, terms::PASSED_ROOK, 0, (behind & own.pieces).len() as i32);
            sink.add(side, terms::PASSED_ROOK, 1, (behind & other.pieces).len() as i32);
        }
    }
}

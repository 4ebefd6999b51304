//! King safety: attacks on the squares around the king, safe checks, and the king's flank.

use cozy_chess::{BitBoard, Color, Piece, get_bishop_moves, get_knight_moves, get_rook_moves};

use super::context::EvalContext;
use super::features::FeatureSink;
use super::masks::wing;
use super::terms;

/// The weights of safe checks by knight, bishop, rook and queen in the king danger, in attacks on a square of the king ring.
const CHECK_WEIGHTS: [usize; 4] = [5, 3, 6, 5];
/// The number of grades of king danger.
const DANGER_GRADES: usize = terms::KING_DANGER.len / 2;

impl EvalContext<'_> {
    /// The safety of this side's king; what endangers it counts for the opponent.
    #[inline(always)]
    pub(super) fn king_safety<S: FeatureSink>(&self, side: Color, sink: &mut S) {
        let [own, other] = self.both(side);
        sink.add(!side, terms::KING_ATTACKS, other.ring_attacks.min(15), 1);
        let alone = !own.attacked | own.attacks(Piece::King);
        let weak = own.ring & other.attacked & !own.attacked_twice & alone;
        let checks = self.safe_checks(side, sink);
        let sum = 2 * other.ring_attackers + other.ring_attacks + 2 * weak.len() as usize + checks;
        let sum = if self.pieces(!side, Piece::Queen).is_empty() { sum / 2 } else { sum };
        sink.add(!side, terms::KING_DANGER, DANGER_GRADES * self.turn(!side) + (sum / 2).min(DANGER_GRADES - 1), 1);
        self.flank(side, sink);
    }

    /// Attacks and defences on the four files around the king, on the five ranks nearest to its side.
    #[inline(always)]
    fn flank<S: FeatureSink>(&self, side: Color, sink: &mut S) {
        let [own, other] = self.both(side);
        let camp = wing(own.king) & near_ranks(side);
        let attacks = (camp & other.attacked).len() + (camp & other.attacked_twice).len();
        sink.add(!side, terms::FLANK, 0, attacks as i32);
        sink.add(side, terms::FLANK, 1, (camp & own.attacked).len() as i32);
    }

    /// Safe checks: squares from which the opponent can give check where at most the king could capture. Returns their
    /// share of the king danger.
    #[inline(always)]
    fn safe_checks<S: FeatureSink>(&self, side: Color, sink: &mut S) -> usize {
        let [own, other] = self.both(side);
        let only_king = other.attacked_twice & !own.attacked_twice & own.attacks(Piece::King);
        let safe = !other.pieces & (!own.attacked | only_king);
        let diagonal = get_bishop_moves(own.king, self.occupied);
        let straight = get_rook_moves(own.king, self.occupied);
        let from = [get_knight_moves(own.king), diagonal, straight, diagonal | straight];
        let turn = 16 * self.turn(!side);
        let mut sum = 0;
        for (number, piece) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate() {
            let checks = (from[number] & other.attacks(piece) & safe).len() as usize;
            if checks > 0 {
                sink.add(!side, terms::SAFE_CHECKS, turn + number * 4 + checks.min(4) - 1, 1);
                sum += CHECK_WEIGHTS[number];
            }
        }
        sum
    }
}

/// The five ranks nearest to a side.
#[inline(always)]
fn near_ranks(side: Color) -> BitBoard {
    match side {
        Color::White => BitBoard(0x0000_00ff_ffff_ffff),
        Color::Black => BitBoard(0xffff_ffff_ff00_0000),
    }
}

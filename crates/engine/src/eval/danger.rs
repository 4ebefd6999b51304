//! What threatens a king.

use cozy_chess::{BitBoard, Color, Piece, get_bishop_moves, get_knight_moves, get_rook_moves};

use super::features::FeatureSink;
use super::masks::wing;
use super::scene::EvalContext;
use super::terms;

/// What safe checks by knight, bishop, rook and queen update_best in the whole danger, in attacks on a square beside the king.
const CHECKS_WEIGH: [usize; 4] = [5, 3, 6, 5];
/// How many grades of danger there are.
const DANGERS: usize = terms::KING_DANGER.len / 2;

impl EvalContext<'_> {
    /// The danger to this side's king.
    #[inline(always)]
    pub(super) fn danger<T: FeatureSink>(&self, side: Color, tally: &mut T) {
        let [own, other] = self.both(side);
        tally.add(!side, terms::KING_ATTACKS, other.ring_attacks.min(15), 1);
        let alone = !own.attacked | own.attacks(Piece::King);
        let weak = own.ring & other.attacked & !own.attacked_twice & alone;
        let checks = self.checks(side, tally);
        let sum = 2 * other.ring_attackers + other.ring_attacks + 2 * weak.len() as usize + checks;
        let sum = if self.men(!side, Piece::Queen).is_empty() { sum / 2 } else { sum };
        tally.add(!side, terms::KING_DANGER, DANGERS * self.turn(!side) + (sum / 2).min(DANGERS - 1), 1);
        self.flank(side, tally);
    }

    /// The king's wing in its own half.
    #[inline(always)]
    fn flank<T: FeatureSink>(&self, side: Color, tally: &mut T) {
        let [own, other] = self.both(side);
        let camp = wing(own.king) & half_and_more(side);
        let attacks = (camp & other.attacked).len() + (camp & other.attacked_twice).len();
        tally.add(!side, terms::FLANK, 0, attacks as i32);
        tally.add(side, terms::FLANK, 1, (camp & own.attacked).len() as i32);
    }

    /// The squares from which the other side can give check and nothing but perhaps the king could take. Gives
    /// how much they update_best in the whole danger.
    #[inline(always)]
    fn checks<T: FeatureSink>(&self, side: Color, tally: &mut T) -> usize {
        let [own, other] = self.both(side);
        let only_king = other.attacked_twice & !own.attacked_twice & own.attacks(Piece::King);
        let safe = !other.men & (!own.attacked | only_king);
        let diagonal = get_bishop_moves(own.king, self.occupied);
        let straight = get_rook_moves(own.king, self.occupied);
        let from = [get_knight_moves(own.king), diagonal, straight, diagonal | straight];
        let turn = 16 * self.turn(!side);
        let mut sum = 0;
        for (number, piece) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate() {
            let checks = (from[number] & other.attacks(piece) & safe).len() as usize;
            if checks > 0 {
                tally.add(!side, terms::SAFE_CHECKS, turn + number * 4 + checks.min(4) - 1, 1);
                sum += CHECKS_WEIGH[number];
            }
        }
        sum
    }
}

/// The five ranks nearest to a side.
#[inline(always)]
fn half_and_more(side: Color) -> BitBoard {
    match side {
        Color::White => BitBoard(0x0000_00ff_ffff_ffff),
        Color::Black => BitBoard(0xffff_ffff_ff00_0000),
    }
}

//! What one side attacks, can attack, and keeps from the other.

use cozy_chess::{BitBoard, Color, Piece, Rank, get_bishop_rays, get_knight_moves, get_rook_rays};

use super::features::FeatureSink;
use super::masks::{one_ahead, pawn_attacks};
use super::scene::EvalContext;
use super::terms;

impl EvalContext<'_> {
    /// Attacks on men and on squares.
    #[inline(always)]
    pub(super) fn threats<T: FeatureSink>(&self, side: Color, tally: &mut T) {
        let [own, other] = self.both(side);
        self.threats_by_pawns(side, tally);
        self.threats_by_pieces(side, tally);
        let hanging = other.men & own.attacked & !other.attacked;
        tally.add(side, terms::HANGING, self.turn(side), hanging.len() as i32);
        let strong = other.pawn_attacks() | (other.attacked_twice & !own.attacked_twice);
        let by_king = other.men & own.attacks(Piece::King) & !strong;
        tally.add(side, terms::KING_THREAT, 0, by_king.len() as i32);
        let restricted = own.attacked & other.attacked & !strong;
        tally.add(side, terms::RESTRICTED, 0, restricted.len() as i32);
        self.queen_threats(side, own.mobility_area & !strong, tally);
    }

    #[inline(always)]
    fn threats_by_pawns<T: FeatureSink>(&self, side: Color, tally: &mut T) {
        let attacks = self.side(side).pawn_attacks();
        let pushes = pawn_attacks(side, self.safe_steps(side));
        let turn = 4 * self.turn(side);
        for (number, piece) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate() {
            let men = self.men(!side, piece);
            tally.add(side, terms::PAWN_THREAT, turn + number, (men & attacks).len() as i32);
            tally.add(side, terms::PUSH_THREAT, number, (men & pushes).len() as i32);
        }
    }

    #[inline(always)]
    fn threats_by_pieces<T: FeatureSink>(&self, side: Color, tally: &mut T) {
        let [own, other] = self.both(side);
        let minors = own.attacks(Piece::Knight) | own.attacks(Piece::Bishop);
        let rooks = own.attacks(Piece::Rook);
        let turn = 5 * self.turn(side);
        for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            let men = self.men(!side, piece);
            let loose = men & !other.pawn_attacks();
            let by_minors = if matches!(piece, Piece::Rook | Piece::Queen) { men } else { loose };
            tally.add(side, terms::MINOR_THREAT, turn + piece as usize, (by_minors & minors).len() as i32);
            tally.add(side, terms::ROOK_THREAT, turn + piece as usize, (loose & rooks).len() as i32);
        }
    }

    /// Safe squares from which the only queen can be attacked.
    #[inline(always)]
    fn queen_threats<T: FeatureSink>(&self, side: Color, safe: BitBoard, tally: &mut T) {
        let [own, other] = self.both(side);
        let queens = self.men(!side, Piece::Queen);
        let Some(queen) = queens.next_square().filter(|_| queens.len() == 1) else { return };
        let by_knight = own.attacks(Piece::Knight) & get_knight_moves(queen) & safe;
        let diagonal = own.attacks(Piece::Bishop) & get_bishop_rays(queen);
        let straight = own.attacks(Piece::Rook) & get_rook_rays(queen);
        // A slider sees the queen from where the queen sees it.
        let by_slider = (diagonal | straight) & other.attacks(Piece::Queen) & safe & own.attacked_twice;
        tally.add(side, terms::QUEEN_THREAT, 0, by_knight.len() as i32);
        tally.add(side, terms::QUEEN_THREAT, 1, by_slider.len() as i32);
    }

    /// Where a pawn can step without being taken for nothing.
    #[inline(always)]
    fn safe_steps(&self, side: Color) -> BitBoard {
        let [own, other] = self.both(side);
        let free = !self.occupied;
        let once = one_ahead(side, own.pawns) & free;
        let twice = one_ahead(side, once & Rank::Third.relative_to(side).bitboard()) & free;
        (once | twice) & !other.pawn_attacks() & (own.attacked | !other.attacked)
    }
}

//! Threats: attacks on pieces, possible attacks, and squares that the opponent cannot use.

use cozy_chess::{BitBoard, Color, Piece, Rank, get_bishop_rays, get_knight_moves, get_rook_rays};

use super::context::EvalContext;
use super::features::FeatureSink;
use super::masks::{one_ahead, pawn_attacks};
use super::terms;

impl EvalContext<'_> {
    /// Attacks on pieces and on squares.
    #[inline(always)]
    pub(super) fn threats<S: FeatureSink>(&self, side: Color, sink: &mut S) {
        let [own, other] = self.both(side);
        self.threats_by_pawns(side, sink);
        self.threats_by_pieces(side, sink);
        let hanging = other.pieces & own.attacked & !other.attacked;
        sink.add(side, terms::HANGING, self.turn(side), hanging.len() as i32);
        let strong = other.pawn_attacks() | (other.attacked_twice & !own.attacked_twice);
        let by_king = other.pieces & own.attacks(Piece::King) & !strong;
        sink.add(side, terms::KING_THREAT, 0, by_king.len() as i32);
        let restricted = own.attacked & other.attacked & !strong;
        sink.add(side, terms::RESTRICTED, 0, restricted.len() as i32);
        self.queen_threats(side, own.mobility_area & !strong, sink);
    }

    #[inline(always)]
    fn threats_by_pawns<S: FeatureSink>(&self, side: Color, sink: &mut S) {
        let attacks = self.side(side).pawn_attacks();
        let pushes = pawn_attacks(side, self.safe_steps(side));
        let turn = 4 * self.turn(side);
        for (number, piece) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate() {
            let victims = self.pieces(!side, piece);
            sink.add(side, terms::PAWN_THREAT, turn + number, (victims & attacks).len() as i32);
            sink.add(side, terms::PUSH_THREAT, number, (victims & pushes).len() as i32);
        }
    }

    #[inline(always)]
    fn threats_by_pieces<S: FeatureSink>(&self, side: Color, sink: &mut S) {
        let [own, other] = self.both(side);
        let minors = own.attacks(Piece::Knight) | own.attacks(Piece::Bishop);
        let rooks = own.attacks(Piece::Rook);
        let turn = 5 * self.turn(side);
        for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            let victims = self.pieces(!side, piece);
            let loose = victims & !other.pawn_attacks();
            let by_minors = if matches!(piece, Piece::Rook | Piece::Queen) { victims } else { loose };
            sink.add(side, terms::MINOR_THREAT, turn + piece as usize, (by_minors & minors).len() as i32);
            sink.add(side, terms::ROOK_THREAT, turn + piece as usize, (loose & rooks).len() as i32);
        }
    }

    /// Safe squares from which the opponent's only queen can be attacked.
    #[inline(always)]
    fn queen_threats<S: FeatureSink>(&self, side: Color, safe: BitBoard, sink: &mut S) {
        let [own, other] = self.both(side);
        let queens = self.pieces(!side, Piece::Queen);
        let Some(queen) = queens.next_square().filter(|_| queens.len() == 1) else { return };
        let by_knight = own.attacks(Piece::Knight) & get_knight_moves(queen) & safe;
        let diagonal = own.attacks(Piece::Bishop) & get_bishop_rays(queen);
        let straight = own.attacks(Piece::Rook) & get_rook_rays(queen);
        // A slider attacks the queen from the squares that the queen attacks.
        let by_slider = (diagonal | straight) & other.attacks(Piece::Queen) & safe & own.attacked_twice;
        sink.add(side, terms::QUEEN_THREAT, 0, by_knight.len() as i32);
        sink.add(side, terms::QUEEN_THREAT, 1, by_slider.len() as i32);
    }

    /// Safe pawn pushes: squares where a pawn can step without being captured for nothing.
    #[inline(always)]
    fn safe_steps(&self, side: Color) -> BitBoard {
        let [own, other] = self.both(side);
        let free = !self.occupied;
        let once = one_ahead(side, own.pawns) & free;
        let twice = one_ahead(side, once & Rank::Third.relative_to(side).bitboard()) & free;
        (once | twice) & !other.pawn_attacks() & (own.attacked | !other.attacked)
    }
}

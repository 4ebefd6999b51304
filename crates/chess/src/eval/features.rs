//! Looking at a position: every feature that occurs, told to a [`Tally`].

use cozy_chess::{BitBoard, Board, Color, Piece, Rank, Square, get_bishop_moves, get_knight_moves, get_rook_moves};

use super::masks::{forward_file, front_span, pawn_attacks, shifted_up};
use super::pawns::look_at_pawns;
use super::scene::{Scene, seen_from};
use super::terms::{self, Group};

/// Someone who counts features.
pub trait Tally {
    /// One side has the feature so many times.
    fn add(&mut self, side: Color, group: Group, number: usize, times: i32);
}

/// Tells `tally` everything that the evaluation looks at.
pub fn look<T: Tally>(board: &Board, tally: &mut T) {
    let mut scene = Scene::new(board);
    let passed = look_at_pawns(&scene, tally);
    scene.look_at_pieces(passed, tally);
}

impl Scene<'_> {
    /// Tells everything that depends on pieces, too. `passed` are the passed pawns.
    pub(super) fn look_at_pieces<T: Tally>(&mut self, passed: BitBoard, tally: &mut T) {
        for side in Color::ALL {
            self.pieces(side, tally);
        }
        for side in Color::ALL {
            self.passed(side, passed, tally);
            self.threats(side, tally);
            self.king(side, tally);
        }
        tally.add(self.board.side_to_move(), terms::TEMPO, 0, 1);
    }

    /// Material, squares, mobility, and what only pieces have.
    #[inline]
    fn pieces<T: Tally>(&mut self, side: Color, tally: &mut T) {
        let queens = self.board.pieces(Piece::Queen);
        let rooks = self.men(side, Piece::Rook);
        // Queens, and own rooks for a rook, lend a piece behind them their line.
        let (diagonal, straight) = (self.occupied & !queens, self.occupied & !queens & !rooks);
        let occupied = self.occupied;
        let sees = |square| get_knight_moves(square);
        self.kind(side, Piece::Knight, terms::KNIGHT_MOBILITY, sees, tally);
        let sees = |square| get_bishop_moves(square, diagonal);
        self.kind(side, Piece::Bishop, terms::BISHOP_MOBILITY, sees, tally);
        let sees = |square| get_rook_moves(square, straight);
        self.kind(side, Piece::Rook, terms::ROOK_MOBILITY, sees, tally);
        let sees = |square| get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
        self.kind(side, Piece::Queen, terms::QUEEN_MOBILITY, sees, tally);
        self.bishops(side, tally);
        self.outposts(side, tally);
        self.rooks(side, tally);
    }

    /// All pieces of a kind: their squares, and those that they see.
    #[inline]
    fn kind<T: Tally>(
        &mut self,
        side: Color,
        piece: Piece,
        mobility: Group,
        sees: impl Fn(Square) -> BitBoard,
        tally: &mut T,
    ) {
        let king = self.side(side).king;
        let area = self.side(side).mobility_area;
        for square in self.men(side, piece) {
            tally.add(side, terms::MATERIAL, piece as usize, 1);
            tally.add(side, terms::SQUARES, piece as usize * 64 + seen_from(side, king, square), 1);
            let squares = sees(square);
            tally.add(side, mobility, (squares & area).len() as usize, 1);
            self.sees(side, piece, squares);
        }
    }

    #[inline]
    fn bishops<T: Tally>(&self, side: Color, tally: &mut T) {
        let bishops = self.men(side, Piece::Bishop);
        if bishops.len() >= 2 {
            tally.add(side, terms::BISHOP_PAIR, 0, 1);
        }
        for bishop in bishops {
            let colour =
                if BitBoard::DARK_SQUARES.has(bishop) { BitBoard::DARK_SQUARES } else { BitBoard::LIGHT_SQUARES };
            let blocked = (self.side(side).pawns & colour).len() as usize;
            tally.add(side, terms::BAD_BISHOP, blocked, 1);
        }
    }

    #[inline]
    fn outposts<T: Tally>(&self, side: Color, tally: &mut T) {
        let [own, other] = self.both(side);
        for (number, piece) in [Piece::Knight, Piece::Bishop].into_iter().enumerate() {
            for square in self.men(side, piece) & own.pawn_attacks() {
                let is_safe = (front_span(side, square) & other.pawns).is_empty();
                if square.rank().relative_to(side) >= Rank::Fourth && is_safe {
                    tally.add(side, terms::OUTPOST, number, 1);
                }
            }
        }
    }

    #[inline]
    fn rooks<T: Tally>(&self, side: Color, tally: &mut T) {
        let [own, other] = self.both(side);
        for rook in self.men(side, Piece::Rook) {
            let file = rook.file().bitboard();
            if (file & own.pawns).is_empty() {
                tally.add(side, terms::ROOK_FILE, usize::from(!(file & other.pawns).is_empty()), 1);
            }
        }
    }

    /// What stands in the way of passed pawns.
    #[inline]
    fn passed<T: Tally>(&self, side: Color, passed: BitBoard, tally: &mut T) {
        let [own, other] = self.both(side);
        for pawn in passed & own.pawns {
            let rank = pawn.rank().relative_to(side) as usize;
            if self.occupied.has(shifted_up(side, pawn)) {
                tally.add(side, terms::PASSED_BLOCKED, rank, 1);
            } else if (forward_file(side, pawn) & (other.attacked | self.occupied)).is_empty() {
                tally.add(side, terms::PASSED_FREE, rank, 1);
            }
        }
    }

    #[inline]
    fn threats<T: Tally>(&self, side: Color, tally: &mut T) {
        let [own, other] = self.both(side);
        let minors = own.attacks(Piece::Knight) | own.attacks(Piece::Bishop);
        let rooks = own.attacks(Piece::Rook);
        let pushes = pawn_attacks(side, self.safe_steps(side));
        for (number, piece) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate() {
            let men = self.men(!side, piece);
            tally.add(side, terms::PAWN_THREAT, number, (men & own.pawn_attacks()).len() as i32);
            tally.add(side, terms::PUSH_THREAT, number, (men & pushes).len() as i32);
        }
        for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            let men = self.men(!side, piece);
            let loose = men & !other.pawn_attacks();
            let by_minors = if matches!(piece, Piece::Rook | Piece::Queen) { men } else { loose };
            tally.add(side, terms::MINOR_THREAT, piece as usize, (by_minors & minors).len() as i32);
            tally.add(side, terms::ROOK_THREAT, piece as usize, (loose & rooks).len() as i32);
        }
        let hanging = other.men & own.attacked & !other.attacked;
        tally.add(side, terms::HANGING, 0, hanging.len() as i32);
    }

    /// Where a pawn can step without being taken for nothing.
    #[inline]
    fn safe_steps(&self, side: Color) -> BitBoard {
        let [own, other] = self.both(side);
        let free = !self.occupied;
        let step = |pawns: BitBoard| match side {
            Color::White => BitBoard(pawns.0 << 8) & free,
            Color::Black => BitBoard(pawns.0 >> 8) & free,
        };
        let once = step(own.pawns);
        let twice = step(once & Rank::Third.relative_to(side).bitboard());
        (once | twice) & !other.pawn_attacks() & (own.attacked | !other.attacked)
    }

    /// The danger to this side's king.
    #[inline]
    fn king<T: Tally>(&self, side: Color, tally: &mut T) {
        let [own, other] = self.both(side);
        tally.add(!side, terms::KING_ATTACKS, other.ring_attacks.min(15), 1);
        tally.add(!side, terms::KING_ATTACKERS, other.ring_attackers.min(7), 1);
        let alone = !own.attacked | own.attacks(Piece::King);
        let weak = own.ring & other.attacked & !own.attacked_twice & alone;
        tally.add(!side, terms::KING_WEAK, weak.len().min(8) as usize, 1);
        self.checks(side, tally);
    }

    /// The squares from which the other side can give check and nothing but perhaps the king could take.
    #[inline]
    fn checks<T: Tally>(&self, side: Color, tally: &mut T) {
        let [own, other] = self.both(side);
        let only_king = other.attacked_twice & !own.attacked_twice & own.attacks(Piece::King);
        let safe = !other.men & (!own.attacked | only_king);
        let diagonal = get_bishop_moves(own.king, self.occupied);
        let straight = get_rook_moves(own.king, self.occupied);
        let from = [get_knight_moves(own.king), diagonal, straight, diagonal | straight];
        for (number, piece) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate() {
            let checks = (from[number] & other.attacks(piece) & safe).len() as usize;
            if checks > 0 {
                tally.add(!side, terms::SAFE_CHECKS, number * 4 + checks.min(4) - 1, 1);
            }
        }
    }
}

//! Looking at a position: every feature that occurs, told to a [`FeatureSink`].

use cozy_chess::{BitBoard, Board, Color, Piece, Rank, Square, get_bishop_moves, get_knight_moves, get_rook_moves};

use super::masks::{all_ahead, distance, file, one_ahead};
use super::pawns::look_at_pawns;
use super::scene::{EvalContext, seen_from};
use super::terms::{self, Group};

/// Someone who counts features.
pub trait FeatureSink {
    /// One side has the feature so many times.
    fn add(&mut self, side: Color, group: Group, number: usize, times: i32);
}

/// Tells `tally` everything that the evaluation looks at.
pub fn look<T: FeatureSink>(board: &Board, tally: &mut T) {
    let mut scene = EvalContext::new(board);
    let passed = look_at_pawns(&scene, tally);
    scene.look_at_pieces(passed, tally);
}

impl EvalContext<'_> {
    /// Tells everything that depends on pieces, too. `passed` are the passed pawns.
    pub(super) fn look_at_pieces<T: FeatureSink>(&mut self, passed: BitBoard, tally: &mut T) {
        // Each side by name and inlined, not in a loop: all that depends on the colour is then known when it is compiled.
        self.pieces(Color::White, tally);
        self.pieces(Color::Black, tally);
        self.encounters(Color::White, passed, tally);
        self.encounters(Color::Black, passed, tally);
        tally.add(self.board.side_to_move(), terms::TEMPO, 0, 1);
    }

    /// What needs the attacks of both sides.
    #[inline(always)]
    fn encounters<T: FeatureSink>(&self, side: Color, passed: BitBoard, tally: &mut T) {
        self.passed(side, passed, tally);
        self.threats(side, tally);
        self.danger(side, tally);
    }

    /// Material, squares, mobility, and what only pieces have.
    #[inline(always)]
    fn pieces<T: FeatureSink>(&mut self, side: Color, tally: &mut T) {
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
    #[inline(always)]
    fn kind<T: FeatureSink>(
        &mut self,
        side: Color,
        piece: Piece,
        mobility: Group,
        sees: impl Fn(Square) -> BitBoard,
        tally: &mut T,
    ) {
        let [king, other_king] = self.both(side).map(|side| side.king);
        let area = self.side(side).mobility_area;
        let men = self.men(side, piece);
        tally.add(side, terms::MATERIAL, piece as usize, men.len() as i32);
        for square in men {
            tally.add(side, terms::SQUARES, piece as usize * 64 + seen_from(side, king, square), 1);
            let squares = sees(square);
            tally.add(side, mobility, (squares & area).len() as usize, 1);
            tally.add(side, terms::TROPISM, (piece as usize - 1) * 8 + distance(other_king, square), 1);
            self.sees(side, piece, squares);
        }
    }

    #[inline(always)]
    fn bishops<T: FeatureSink>(&self, side: Color, tally: &mut T) {
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

    /// Where a pawn protects and no enemy pawn can ever come.
    #[inline(always)]
    fn outposts<T: FeatureSink>(&self, side: Color, tally: &mut T) {
        let [own, other] = self.both(side);
        let far = all_ahead(side, Rank::Third.relative_to(side).bitboard());
        let reach = other.pawn_attacks() | all_ahead(!side, other.pawn_attacks());
        let outposts = own.pawn_attacks() & far & !reach;
        for (number, piece) in [Piece::Knight, Piece::Bishop].into_iter().enumerate() {
            tally.add(side, terms::OUTPOST, number, (self.men(side, piece) & outposts).len() as i32);
        }
        let near = own.attacks(Piece::Knight) & outposts & !own.men;
        tally.add(side, terms::OUTPOST_NEAR, 0, near.len() as i32);
        let minors = self.men(side, Piece::Knight) | self.men(side, Piece::Bishop);
        let shielded = one_ahead(side, minors) & self.board.pieces(Piece::Pawn);
        tally.add(side, terms::SHIELDED, 0, shielded.len() as i32);
    }

    #[inline(always)]
    fn rooks<T: FeatureSink>(&self, side: Color, tally: &mut T) {
        let [own, other] = self.both(side);
        for rook in self.men(side, Piece::Rook) {
            let file = file(rook);
            if (file & own.pawns).is_empty() {
                tally.add(side, terms::ROOK_FILE, usize::from(!(file & other.pawns).is_empty()), 1);
            }
        }
    }
}

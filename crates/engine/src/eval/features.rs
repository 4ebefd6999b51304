//! The trace of a position: every feature that occurs, reported to a [`FeatureSink`].

use cozy_chess::{BitBoard, Board, Color, Piece, Rank, Square, get_bishop_moves, get_knight_moves, get_rook_moves};

use super::context::{EvalContext, square_index};
use super::masks::{all_ahead, distance, file, one_ahead};
use super::pawns::trace_pawns;
use super::terms::{self, Group};

/// Receives the features of a position.
pub trait FeatureSink {
    /// `side` has the feature with this number of the group `times` times.
    fn add(&mut self, side: Color, group: Group, number: usize, times: i32);
}

/// Reports every feature of the evaluation to `sink`.
pub fn trace<S: FeatureSink>(board: &Board, sink: &mut S) {
    let mut context = EvalContext::new(board);
    let passed = trace_pawns(&context, sink);
    context.trace_pieces(passed, sink);
}

impl EvalContext<'_> {
    /// Reports the features that depend on pieces. `passed` are the passed pawns of both sides.
    pub(super) fn trace_pieces<S: FeatureSink>(&mut self, passed: BitBoard, sink: &mut S) {
        // Both sides are written out and inlined, not looped over, so that the colour is a compile-time constant.
        self.piece_features(Color::White, sink);
        self.piece_features(Color::Black, sink);
        self.interactions(Color::White, passed, sink);
        self.interactions(Color::Black, passed, sink);
        sink.add(self.board.side_to_move(), terms::TEMPO, 0, 1);
    }

    /// Features that need the attacks of both sides.
    #[inline(always)]
    fn interactions<S: FeatureSink>(&self, side: Color, passed: BitBoard, sink: &mut S) {
        self.passed_pawns(side, passed, sink);
        self.threats(side, sink);
        self.king_safety(side, sink);
    }

    /// Material, piece-square, mobility and other features of one side's pieces; records their attacks.
    #[inline(always)]
    fn piece_features<S: FeatureSink>(&mut self, side: Color, sink: &mut S) {
        let queens = self.board.pieces(Piece::Queen);
        let rooks = self.pieces(side, Piece::Rook);
        // Sliders see through queens, and rooks through their own rooks (batteries).
        let (diagonal, straight) = (self.occupied & !queens, self.occupied & !queens & !rooks);
        let occupied = self.occupied;
        let attacks = |square| get_knight_moves(square);
        self.piece_type(side, Piece::Knight, terms::KNIGHT_MOBILITY, attacks, sink);
        let attacks = |square| get_bishop_moves(square, diagonal);
        self.piece_type(side, Piece::Bishop, terms::BISHOP_MOBILITY, attacks, sink);
        let attacks = |square| get_rook_moves(square, straight);
        self.piece_type(side, Piece::Rook, terms::ROOK_MOBILITY, attacks, sink);
        let attacks = |square| get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
        self.piece_type(side, Piece::Queen, terms::QUEEN_MOBILITY, attacks, sink);
        self.bishops(side, sink);
        self.outposts(side, sink);
        self.rooks(side, sink);
    }

    /// All pieces of one type: their squares and the squares that they attack.
    #[inline(always)]
    fn piece_type<S: FeatureSink>(
        &mut self,
        side: Color,
        piece: Piece,
        mobility: Group,
        attacks: impl Fn(Square) -> BitBoard,
        sink: &mut S,
    ) {
        let [king, other_king] = self.both(side).map(|side| side.king);
        let area = self.side(side).mobility_area;
        let pieces = self.pieces(side, piece);
        sink.add(side, terms::MATERIAL, piece as usize, pieces.len() as i32);
        for square in pieces {
            sink.add(side, terms::SQUARES, piece as usize * 64 + square_index(side, king, square), 1);
            let squares = attacks(square);
            sink.add(side, mobility, (squares & area).len() as usize, 1);
            sink.add(side, terms::TROPISM, (piece as usize - 1) * 8 + distance(other_king, square), 1);
            self.add_attacks(side, piece, squares);
        }
    }

    #[inline(always)]
    fn bishops<S: FeatureSink>(&self, side: Color, sink: &mut S) {
        let bishops = self.pieces(side, Piece::Bishop);
        if bishops.len() >= 2 {
            sink.add(side, terms::BISHOP_PAIR, 0, 1);
        }
        for bishop in bishops {
            let colour =
                if BitBoard::DARK_SQUARES.has(bishop) { BitBoard::DARK_SQUARES } else { BitBoard::LIGHT_SQUARES };
            let blocked = (self.side(side).pawns & colour).len() as usize;
            sink.add(side, terms::BAD_BISHOP, blocked, 1);
        }
    }

    /// Outposts: squares that an own pawn protects and no enemy pawn can ever attack.
    #[inline(always)]
    fn outposts<S: FeatureSink>(&self, side: Color, sink: &mut S) {
        let [own, other] = self.both(side);
        let far = all_ahead(side, Rank::Third.relative_to(side).bitboard());
        let reach = other.pawn_attacks() | all_ahead(!side, other.pawn_attacks());
        let outposts = own.pawn_attacks() & far & !reach;
        for (number, piece) in [Piece::Knight, Piece::Bishop].into_iter().enumerate() {
            sink.add(side, terms::OUTPOST, number, (self.pieces(side, piece) & outposts).len() as i32);
        }
        let near = own.attacks(Piece::Knight) & outposts & !own.pieces;
        sink.add(side, terms::OUTPOST_NEAR, 0, near.len() as i32);
        let minors = self.pieces(side, Piece::Knight) | self.pieces(side, Piece::Bishop);
        let shielded = one_ahead(side, minors) & self.board.pieces(Piece::Pawn);
        sink.add(side, terms::SHIELDED, 0, shielded.len() as i32);
    }

    #[inline(always)]
    fn rooks<S: FeatureSink>(&self, side: Color, sink: &mut S) {
        let [own, other] = self.both(side);
        for rook in self.pieces(side, Piece::Rook) {
            let file = file(rook);
            if (file & own.pawns).is_empty() {
                sink.add(side, terms::ROOK_FILE, usize::from(!(file & other.pawns).is_empty()), 1);
            }
        }
    }
}

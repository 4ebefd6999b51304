//! The bitboards of both sides that the features share.

use cozy_chess::{BitBoard, Board, Color, Piece, Square, get_king_moves};

use super::masks::{file_number, pawn_attacks, rank_number};

/// A board with the pieces and attacks of both sides.
pub(super) struct EvalContext<'b> {
    pub(super) board: &'b Board,
    pub(super) occupied: BitBoard,
    sides: [Side; 2],
}

/// One side's pieces and attacks.
pub(super) struct Side {
    pub(super) pieces: BitBoard,
    pub(super) pawns: BitBoard,
    pub(super) king: Square,
    /// The squares that count for mobility: no own pawn or king on them, no enemy pawn's attack.
    pub(super) mobility_area: BitBoard,
    /// The king ring: the king's square and those around it.
    pub(super) ring: BitBoard,
    /// The squares attacked by each piece type, by any piece, and by two pieces or more.
    attacks: [BitBoard; 6],
    pub(super) attacked: BitBoard,
    pub(super) attacked_twice: BitBoard,
    /// Attacks on squares of the enemy king ring, and pieces that make them.
    pub(super) ring_attacks: usize,
    pub(super) ring_attackers: usize,
}

impl<'b> EvalContext<'b> {
    /// The context with the attacks of pawns and kings; [`add_attacks`](Self::add_attacks) adds those of pieces.
    #[inline(always)]
    pub(super) fn new(board: &'b Board) -> Self {
        let attacks = Color::ALL.map(|side| pawn_attacks(side, board.colored_pieces(side, Piece::Pawn)));
        let sides = Color::ALL.map(|side| Side::new(board, side, attacks));
        EvalContext { board, occupied: board.occupied(), sides }
    }

    #[inline(always)]
    pub(super) fn side(&self, side: Color) -> &Side {
        &self.sides[side as usize]
    }

    /// This side, and the other.
    #[inline(always)]
    pub(super) fn both(&self, side: Color) -> [&Side; 2] {
        [self.side(side), self.side(!side)]
    }

    /// 1 if it is this side's turn, otherwise 0.
    #[inline(always)]
    pub(super) fn turn(&self, side: Color) -> usize {
        usize::from(self.board.side_to_move() == side)
    }

    #[inline(always)]
    pub(super) fn pieces(&self, side: Color, piece: Piece) -> BitBoard {
        self.side(side).pieces & self.board.pieces(piece)
    }

    /// Records that one of the side's pieces attacks these squares.
    #[inline(always)]
    pub(super) fn add_attacks(&mut self, side: Color, piece: Piece, squares: BitBoard) {
        let on_ring = (squares & self.side(!side).ring).len() as usize;
        let own = &mut self.sides[side as usize];
        own.attacks[piece as usize] |= squares;
        own.attacked_twice |= own.attacked & squares;
        own.attacked |= squares;
        own.ring_attacks += on_ring;
        own.ring_attackers += usize::from(on_ring > 0);
    }
}

impl Side {
    #[inline(always)]
    fn new(board: &Board, side: Color, pawn_attacks: [BitBoard; 2]) -> Self {
        let pieces = board.colors(side);
        let pawns = pieces & board.pieces(Piece::Pawn);
        let king = board.king(side);
        let beside = get_king_moves(king);
        let [own, other] = [side, !side].map(|side| pawn_attacks[side as usize]);
        let mut attacks = [BitBoard::EMPTY; 6];
        attacks[Piece::Pawn as usize] = own;
        attacks[Piece::King as usize] = beside;
        Side {
            pieces,
            pawns,
            king,
            mobility_area: !(other | pawns | king.bitboard()),
            ring: beside | king.bitboard(),
            attacks,
            attacked: own | beside,
            attacked_twice: own & beside,
            ring_attacks: 0,
            ring_attackers: 0,
        }
    }

    /// The squares that this piece type attacks.
    #[inline(always)]
    pub(super) fn attacks(&self, piece: Piece) -> BitBoard {
        self.attacks[piece as usize]
    }

    /// The squares that pawns attack.
    #[inline(always)]
    pub(super) fn pawn_attacks(&self) -> BitBoard {
        self.attacks(Piece::Pawn)
    }
}

/// The piece-square index: the square's number from its side's point of view, mirrored so that its king is on files e to h.
#[inline(always)]
pub(super) fn square_index(side: Color, king: Square, square: Square) -> usize {
    let mirror = if file_number(king) < 4 { 7 } else { 0 };
    rank_number(side, square) * 8 + (file_number(square) ^ mirror)
}

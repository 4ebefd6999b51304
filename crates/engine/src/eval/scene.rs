//! Both sides of a position, as the features see them.

use cozy_chess::{BitBoard, Board, Color, Piece, Square, get_king_moves};

use super::masks::{file_number, pawn_attacks, rank_number};

/// Where men and kings stand, and what they attack.
pub(super) struct EvalContext<'b> {
    pub(super) board: &'b Board,
    pub(super) occupied: BitBoard,
    sides: [Side; 2],
}

/// One side's men.
pub(super) struct Side {
    pub(super) men: BitBoard,
    pub(super) pawns: BitBoard,
    pub(super) king: Square,
    /// Where a piece that stands or goes there is worth counting: no own pawn or king, no enemy pawn's attack.
    pub(super) mobility_area: BitBoard,
    /// The squares beside the king, and its own.
    pub(super) ring: BitBoard,
    /// By each kind of piece, by any, and by two or more.
    attacks: [BitBoard; 6],
    pub(super) attacked: BitBoard,
    pub(super) attacked_twice: BitBoard,
    /// Attacks on the squares beside the enemy king, and pieces that make them.
    pub(super) ring_attacks: usize,
    pub(super) ring_attackers: usize,
}

impl<'b> EvalContext<'b> {
    /// Pawns and kings; pieces attack nothing yet.
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
    pub(super) fn men(&self, side: Color, piece: Piece) -> BitBoard {
        self.side(side).men & self.board.pieces(piece)
    }

    /// One of the side's pieces sees these squares.
    #[inline(always)]
    pub(super) fn sees(&mut self, side: Color, piece: Piece, squares: BitBoard) {
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
        let men = board.colors(side);
        let pawns = men & board.pieces(Piece::Pawn);
        let king = board.king(side);
        let beside = get_king_moves(king);
        let [own, other] = [side, !side].map(|side| pawn_attacks[side as usize]);
        let mut attacks = [BitBoard::EMPTY; 6];
        attacks[Piece::Pawn as usize] = own;
        attacks[Piece::King as usize] = beside;
        Side {
            men,
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

    /// What this kind of piece attacks.
    #[inline(always)]
    pub(super) fn attacks(&self, piece: Piece) -> BitBoard {
        self.attacks[piece as usize]
    }

    /// What pawns attack.
    #[inline(always)]
    pub(super) fn pawn_attacks(&self) -> BitBoard {
        self.attacks(Piece::Pawn)
    }
}

/// The square's number as its own side sees it, mirrored so that its king stands on the right half.
#[inline(always)]
pub(super) fn seen_from(side: Color, king: Square, square: Square) -> usize {
    let mirror = if file_number(king) < 4 { 7 } else { 0 };
    rank_number(side, square) * 8 + (file_number(square) ^ mirror)
}

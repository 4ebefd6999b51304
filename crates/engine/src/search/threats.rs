//! Squares on which a piece is attacked by a less valuable one, and squares that are not attacked at all.

use cozy_chess::{BitBoard, Board, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves};

use crate::eval::masks::pawn_attacks;

/// For each piece type of the side to move, the squares that a less valuable piece of the opponent attacks. Knights and
/// bishops count as equal.
pub(crate) struct LesserThreats {
    attacks: [BitBoard; 6],
    by_any: BitBoard,
}

impl LesserThreats {
    pub(crate) fn new(board: &Board) -> Self {
        let side = !board.side_to_move();
        let occupied = board.occupied();
        let pieces = |piece| board.colored_pieces(side, piece);
        let pawns = pawn_attacks(side, pieces(Piece::Pawn));
        let minors = pawns
            | attacks(pieces(Piece::Knight), get_knight_moves)
            | attacks(pieces(Piece::Bishop), |square| get_bishop_moves(square, occupied));
        let rooks = minors | attacks(pieces(Piece::Rook), |square| get_rook_moves(square, occupied));
        let queens = attacks(pieces(Piece::Queen), |square| {
            get_bishop_moves(square, occupied) | get_rook_moves(square, occupied)
        });
        let by_any = rooks | queens | get_king_moves(board.king(side));
        LesserThreats { attacks: [BitBoard::EMPTY, pawns, pawns, minors, rooks, BitBoard::EMPTY], by_any }
    }

    /// The squares where this piece type is attacked by a less valuable piece.
    pub(crate) fn attacks(&self, piece: Piece) -> BitBoard {
        self.attacks[piece as usize]
    }

    /// The squares that no piece of the opponent attacks.
    pub(crate) fn unattacked(&self) -> BitBoard {
        !self.by_any
    }
}

/// The squares that any of these pieces attacks.
#[inline]
fn attacks(pieces: BitBoard, attacks_from: impl Fn(Square) -> BitBoard) -> BitBoard {
    pieces.into_iter().fold(BitBoard::EMPTY, |all, square| all | attacks_from(square))
}

#[cfg(test)]
mod tests {
    use cozy_chess::Move;

    use super::*;
    use mnemon_chess::Position;

    #[test]
    fn pieces_flee_from_less_valuable_ones_and_not_from_others() {
        let position: Position = "6k1/8/5p2/4R3/8/1b1N4/8/Q3K3 w - - 0 1".parse().expect("a position");
        let threats = LesserThreats::new(position.board());
        let escape = |piece, mv: &str| {
            let mv: Move = mv.parse().expect(mv);
            let attacks = threats.attacks(piece);
            i32::from(attacks.has(mv.from)) - i32::from(attacks.has(mv.to))
        };
        assert_eq!(escape(Piece::Rook, "e5e4"), 1, "from a pawn");
        assert_eq!(escape(Piece::Rook, "e5g5"), 0, "from one of its squares to the other");
        assert_eq!(escape(Piece::Rook, "e5d5"), 0, "from a pawn to a bishop");
        assert_eq!(escape(Piece::Queen, "a1a2"), -1, "to a bishop");
        assert_eq!(escape(Piece::Knight, "d3c4"), 0, "bishops are no less than knights");
        assert_eq!(escape(Piece::Knight, "d3e5"), -1, "to a pawn");
    }
}

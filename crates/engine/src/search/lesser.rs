//! Squares where a piece stands in danger of a lesser man, and those where nobody is in danger.

use cozy_chess::{BitBoard, Board, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves};

use crate::eval::masks::pawn_attacks;

/// For each kind of piece, the squares that a lesser man of the side that is not to move attacks.
pub(crate) struct LesserThreats {
    attacks: [BitBoard; 6],
    by_any: BitBoard,
}

impl LesserThreats {
    pub(crate) fn new(board: &Board) -> Self {
        let side = !board.side_to_move();
        let occupied = board.occupied();
        let men = |piece| board.colored_pieces(side, piece);
        let pawns = pawn_attacks(side, men(Piece::Pawn));
        let minors = pawns
            | seen(men(Piece::Knight), get_knight_moves)
            | seen(men(Piece::Bishop), |square| get_bishop_moves(square, occupied));
        let rooks = minors | seen(men(Piece::Rook), |square| get_rook_moves(square, occupied));
        let queens =
            seen(men(Piece::Queen), |square| get_bishop_moves(square, occupied) | get_rook_moves(square, occupied));
        let by_any = rooks | queens | get_king_moves(board.king(side));
        LesserThreats { attacks: [BitBoard::EMPTY, pawns, pawns, minors, rooks, BitBoard::EMPTY], by_any }
    }

    /// The squares where this kind of piece is attacked by a lesser man.
    pub(crate) fn attacks(&self, piece: Piece) -> BitBoard {
        self.attacks[piece as usize]
    }

    /// The squares that no man attacks.
    pub(crate) fn unattacked(&self) -> BitBoard {
        !self.by_any
    }
}

/// What any of these men sees.
#[inline]
fn seen(men: BitBoard, sees: impl Fn(Square) -> BitBoard) -> BitBoard {
    men.into_iter().fold(BitBoard::EMPTY, |all, square| all | sees(square))
}

#[cfg(test)]
mod tests {
    use cozy_chess::Move;

    use super::*;
    use mnemon_chess::Position;

    #[test]
    fn pieces_flee_from_lesser_men_and_not_from_greater() {
        let position: Position = "6k1/8/5p2/4R3/8/1b1N4/8/Q3K3 w - - 0 1".parse().expect("a position");
        let lesser = LesserThreats::new(position.board());
        let escape = |piece, mv: &str| {
            let mv: Move = mv.parse().expect(mv);
            let attacks = lesser.attacks(piece);
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

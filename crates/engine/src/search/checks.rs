//! Which moves give check.

use cozy_chess::{
    BitBoard, Board, Move, Piece, Square, get_bishop_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};

/// For each piece type, the squares from which a piece of the side to move gives check.
#[derive(Clone, Copy, Default)]
pub(crate) struct Checks {
    squares: [BitBoard; 6],
}

impl Checks {
    pub(crate) fn new(board: &Board) -> Self {
        let side = board.side_to_move();
        let king: Square = board.king(!side);
        let diagonal = get_bishop_moves(king, board.occupied());
        let straight = get_rook_moves(king, board.occupied());
        let pawn = get_pawn_attacks(king, !side);
        Checks { squares: [pawn, get_knight_moves(king), diagonal, straight, diagonal | straight, BitBoard::EMPTY] }
    }

    /// Whether the moved piece gives check from its target square. Discovered checks are not seen.
    pub(crate) fn gives_check(&self, piece: Piece, mv: Move) -> bool {
        self.squares[mv.promotion.unwrap_or(piece) as usize].has(mv.to)
    }

    /// The squares from which this piece type gives check.
    pub(crate) fn squares(&self, piece: Piece) -> BitBoard {
        self.squares[piece as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemon_chess::Position;

    #[test]
    fn direct_checks_are_seen() {
        let position: Position = "4k3/8/8/8/8/8/3Q1N2/R3K3 w Q - 0 1".parse().expect("a position");
        let checks = Checks::new(position.board());
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for mv in moves {
            let piece = position.piece_on(mv.from).expect("a piece");
            if checks.gives_check(piece, mv) {
                assert!(position.after(mv).is_check(), "{mv}");
            }
        }
        let queen = position.parse_uci("d2e2").expect("legal");
        assert!(checks.gives_check(Piece::Queen, queen));
    }
}

//! Which kind of man stands on each square: what bitboards answer only one kind at a time.

use cozy_chess::{Board, File, Move, Piece, Square};

/// The kinds of men by their squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Men([Option<Piece>; Square::NUM]);

impl Men {
    /// Those of a board.
    pub(crate) fn new(board: &Board) -> Self {
        Men(Square::ALL.map(|square| board.piece_on(square)))
    }

    /// The kind of man on a square.
    #[inline]
    pub(crate) fn on(&self, square: Square) -> Option<Piece> {
        self.0[square as usize]
    }

    /// Where they stand after a legal move. Castling is the king's move onto its own rook.
    #[inline]
    pub(crate) fn after(mut self, mv: Move, castles: bool) -> Self {
        let Move { from, to, promotion } = mv;
        let piece = self.on(from);
        self.put(from, None);
        if castles {
            self.castle(mv);
            return self;
        }
        let passing = piece == Some(Piece::Pawn) && from.file() != to.file() && self.on(to).is_none();
        self.put(to, promotion.or(piece));
        if passing {
            self.put(Square::new(to.file(), from.rank()), None);
        }
        self
    }

    #[cold]
    fn castle(&mut self, mv: Move) {
        let rank = mv.from.rank();
        let (king, rook) = if mv.to.file() > mv.from.file() { (File::G, File::F) } else { (File::C, File::D) };
        self.put(mv.to, None);
        self.put(Square::new(king, rank), Some(Piece::King));
        self.put(Square::new(rook, rank), Some(Piece::Rook));
    }

    fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.0[square as usize] = piece;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::walk::walk;

    /// As the board has them after every move, in standard chess and from Chess960's squares.
    #[test]
    fn men_stand_where_the_board_has_them() {
        let agree = |position: &Position, moves: &[Move]| {
            for &mv in moves {
                let after = position.after(mv);
                for square in Square::ALL {
                    assert_eq!(after.piece_on(square), after.board().piece_on(square), "{position}: {mv}, {square}");
                }
            }
        };
        walk(6, 5_000, |position, moves, _| agree(position, moves));
        for fen in [
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "1rk1r3/8/8/8/8/8/8/1RK1R3 b EBeb - 0 1",
            "5rkr/8/8/8/8/8/8/5RKR w HFhf - 0 1",
            "4k3/2P5/8/3pP3/8/8/8/4K3 w - d6 0 2",
        ] {
            let position: Position = fen.parse().expect(fen);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            agree(&position, &moves);
        }
    }
}

//! Which kind of man stands on each square, what bitboards answer only one kind at a time; and keys of parts of a
//! position, which statistics look at.

use cozy_chess::{Board, Color, File, Move, Piece, Square};

use crate::zobrist::ZobristKeys;

/// The kinds of men by their squares, and the keys of their parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mailbox {
    kinds: [Option<Piece>; Square::NUM],
    /// The key of all pawns, of White's other men and of Black's.
    parts: [u64; 3],
}

impl Mailbox {
    /// Those of a board.
    pub fn new(board: &Board) -> Self {
        let mut men = Mailbox { kinds: [None; Square::NUM], parts: [0; 3] };
        for square in board.occupied() {
            if let Some((piece, color)) = board.piece_on(square).zip(board.color_on(square)) {
                men.put(color, piece, square);
            }
        }
        men
    }

    /// The kind of man on a square.
    #[inline]
    pub fn on(&self, square: Square) -> Option<Piece> {
        self.kinds[square as usize]
    }

    /// The keys of the pawns, of White's other men and of Black's.
    #[inline]
    pub fn part_keys(&self) -> [u64; 3] {
        self.parts
    }

    /// The key of them all.
    #[inline]
    pub fn key(&self) -> u64 {
        let [pawns, white, black] = self.parts;
        pawns ^ white ^ black
    }

    /// A side's legal move. Castling is the king's move onto its own rook.
    #[inline(always)]
    pub fn play(&mut self, side: Color, mv: Move, castles: bool) {
        let Move { from, to, promotion } = mv;
        let Some(piece) = self.on(from) else { return };
        if castles {
            return self.castle(side, mv);
        }
        self.lift(side, piece, from);
        if let Some(taken) = self.on(to) {
            self.lift(!side, taken, to);
        } else if piece == Piece::Pawn && from.file() != to.file() {
            self.lift(!side, Piece::Pawn, Square::new(to.file(), from.rank()));
        }
        self.put(side, promotion.unwrap_or(piece), to);
    }

    #[cold]
    fn castle(&mut self, side: Color, mv: Move) {
        let rank = mv.from.rank();
        let (king, rook) = if mv.to.file() > mv.from.file() { (File::G, File::F) } else { (File::C, File::D) };
        self.lift(side, Piece::King, mv.from);
        self.lift(side, Piece::Rook, mv.to);
        self.put(side, Piece::King, Square::new(king, rank));
        self.put(side, Piece::Rook, Square::new(rook, rank));
    }

    #[inline(always)]
    fn put(&mut self, color: Color, piece: Piece, square: Square) {
        self.kinds[square as usize] = Some(piece);
        self.toggle(color, piece, square);
    }

    #[inline(always)]
    fn lift(&mut self, color: Color, piece: Piece, square: Square) {
        self.kinds[square as usize] = None;
        self.toggle(color, piece, square);
    }

    #[inline(always)]
    fn toggle(&mut self, color: Color, piece: Piece, square: Square) {
        let part = usize::from(piece != Piece::Pawn) * (1 + color as usize);
        self.parts[part] ^= ZobristKeys::of(color, piece, square);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::random_games::walk;

    /// As the board has them after every move, in standard chess and from Chess960's squares.
    #[test]
    fn men_stand_where_the_board_has_them() {
        let agree = |position: &Position, moves: &[Move]| {
            for &mv in moves {
                let after = position.after(mv);
                assert_eq!(*after.mailbox(), Mailbox::new(after.board()), "{position}: {mv}");
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

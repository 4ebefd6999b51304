//! Mailbox: the piece type on each square, O(1) where bitboards need six tests; and Zobrist keys of parts of the position,
//! which index correction histories.

use cozy_chess::{Board, Color, File, Move, Piece, Square};

use crate::zobrist::ZobristKeys;

/// The piece type on each square, and Zobrist keys of the pawns and of each side's other pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mailbox {
    types: [Option<Piece>; Square::NUM],
    /// The key of all pawns, of White's other pieces and of Black's.
    part_keys: [u64; 3],
}

impl Mailbox {
    /// The mailbox of a board.
    pub fn new(board: &Board) -> Self {
        let mut mailbox = Mailbox { types: [None; Square::NUM], part_keys: [0; 3] };
        for square in board.occupied() {
            if let Some((piece, color)) = board.piece_on(square).zip(board.color_on(square)) {
                mailbox.put(color, piece, square);
            }
        }
        mailbox
    }

    /// The piece type on a square, of either side.
    #[inline]
    pub fn on(&self, square: Square) -> Option<Piece> {
        self.types[square as usize]
    }

    /// The Zobrist keys of all pawns, of White's other pieces and of Black's other pieces.
    #[inline]
    pub fn part_keys(&self) -> [u64; 3] {
        self.part_keys
    }

    /// The Zobrist key of all pieces, without side to move, castling rights and en passant.
    #[inline]
    pub fn key(&self) -> u64 {
        let [pawns, white, black] = self.part_keys;
        pawns ^ white ^ black
    }

    /// Makes a legal move of `side`. Castling is the king's move onto its own rook.
    #[inline(always)]
    pub fn play(&mut self, side: Color, mv: Move, castles: bool) {
        let Move { from, to, promotion } = mv;
        let Some(piece) = self.on(from) else { return };
        if castles {
            return self.castle(side, mv);
        }
        self.remove(side, piece, from);
        if let Some(taken) = self.on(to) {
            self.remove(!side, taken, to);
        } else if piece == Piece::Pawn && from.file() != to.file() {
            self.remove(!side, Piece::Pawn, Square::new(to.file(), from.rank()));
        }
        self.put(side, promotion.unwrap_or(piece), to);
    }

    #[cold]
    fn castle(&mut self, side: Color, mv: Move) {
        let rank = mv.from.rank();
        let (king, rook) = if mv.to.file() > mv.from.file() { (File::G, File::F) } else { (File::C, File::D) };
        self.remove(side, Piece::King, mv.from);
        self.remove(side, Piece::Rook, mv.to);
        self.put(side, Piece::King, Square::new(king, rank));
        self.put(side, Piece::Rook, Square::new(rook, rank));
    }

    #[inline(always)]
    fn put(&mut self, color: Color, piece: Piece, square: Square) {
        self.types[square as usize] = Some(piece);
        self.toggle(color, piece, square);
    }

    #[inline(always)]
    fn remove(&mut self, color: Color, piece: Piece, square: Square) {
        self.types[square as usize] = None;
        self.toggle(color, piece, square);
    }

    #[inline(always)]
    fn toggle(&mut self, color: Color, piece: Piece, square: Square) {
        let part = usize::from(piece != Piece::Pawn) * (1 + color as usize);
        self.part_keys[part] ^= ZobristKeys::of(color, piece, square);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::random_games::walk;

    /// After every move the mailbox equals one built from the board, in standard chess and Chess960.
    #[test]
    fn the_mailbox_follows_the_board() {
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

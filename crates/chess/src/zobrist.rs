//! Zobrist keys of pieces on squares, and the key that a position will have after a move, known before the move is made:
//! early enough to prefetch its table entry.

use std::sync::LazyLock;

use cozy_chess::{Board, BoardBuilder, Color, Move, Piece, Square};

use crate::Position;
use crate::mailbox::Mailbox;

/// The Zobrist keys of cozy-chess, which does not publish them: they are the differences between the hashes of boards that
/// differ in one piece, or in the side to move. There is always a king on the board, so only differences between its
/// squares matter, and a constant that all of them share is left out.
pub(crate) struct ZobristKeys {
    pieces: [[[u64; 64]; 6]; 2],
    side_to_move: u64,
}

static ZOBRIST_KEYS: LazyLock<ZobristKeys> = LazyLock::new(|| ZobristKeys {
    pieces: Color::ALL.map(|color| {
        Piece::ALL.map(|piece| {
            let key =
                |square| if piece == Piece::King { king_key(color, square) } else { piece_key(color, piece, square) };
            Square::ALL.map(|square| key(square).unwrap_or_default())
        })
    }),
    side_to_move: Board::default().hash() ^ Board::default().null_move().map_or(0, |board| board.hash()),
});

impl ZobristKeys {
    /// The key of a piece on a square.
    #[inline]
    pub(crate) fn of(color: Color, piece: Piece, square: Square) -> u64 {
        ZOBRIST_KEYS.pieces[color as usize][piece as usize][square as usize]
    }
}

/// The hash of a board with these pieces; `None` if it is not valid.
fn hash(side_to_move: Color, pieces: &[(Color, Piece, Square)]) -> Option<u64> {
    let mut builder = BoardBuilder::empty();
    builder.side_to_move = side_to_move;
    for &(color, piece, square) in pieces {
        builder.board[square as usize] = Some((piece, color));
    }
    builder.build().ok().map(|board| board.hash())
}

/// The difference that a piece makes, from two boards whose kings are on other squares and not in check.
fn piece_key(color: Color, piece: Piece, square: Square) -> Option<u64> {
    let kings = [(Square::A1, Square::A8), (Square::H1, Square::H8), (Square::C3, Square::F5)].into_iter();
    let mut kings = kings.filter(|&(white, black)| square != white && square != black);
    kings.find_map(|(white, black)| {
        let kings = [(Color::White, Piece::King, white), (Color::Black, Piece::King, black)];
        let with = hash(!color, &[kings[0], kings[1], (color, piece, square)])?;
        Some(with ^ hash(!color, &kings)?)
    })
}

/// The difference that a king makes, beside the other king on a8. Where that one would be adjacent or on the same square, it
/// is on h1, and the difference between the two squares is taken out by way of a third board.
fn king_key(color: Color, square: Square) -> Option<u64> {
    let with = |square, other| hash(color, &[(color, Piece::King, square), (!color, Piece::King, other)]);
    let (near, far) = (Square::A8, Square::H1);
    with(square, near).or_else(|| Some(with(square, far)? ^ with(Square::D4, far)? ^ with(Square::D4, near)?))
}

impl Position {
    /// The key of the position after a null move.
    pub fn key_after_null_move(&self) -> u64 {
        self.board().hash_without_ep() ^ ZOBRIST_KEYS.side_to_move
    }

    /// The likely key of the position after a quiet move, with the same exceptions as [`prefetch_key`](Self::prefetch_key).
    #[inline]
    pub fn prefetch_key_after_quiet(&self, mv: Move) -> u64 {
        let Some(piece) = self.piece_on(mv.from) else { return 0 };
        let side = self.side_to_move();
        let moved = ZobristKeys::of(side, piece, mv.from) ^ ZobristKeys::of(side, piece, mv.to);
        self.key_after_null_move() ^ moved
    }

    /// The likely key of the position with these pieces and the other side to move. It differs from the true key if a right
    /// to castle was lost or a pawn can be captured en passant, so it serves only to prefetch a table entry.
    #[inline]
    pub fn prefetch_key(&self, pieces: &Mailbox) -> u64 {
        self.key_after_null_move() ^ self.mailbox().key() ^ pieces.key()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_games::walk;

    /// The keys are those of the positions, except for lost castling rights and captures en passant.
    #[test]
    fn prefetch_keys_are_those_of_the_positions() {
        let (mut plain, mut all) = (0, 0);
        walk(11, 5_000, |position, moves, _| {
            all += moves.len();
            if let Some(after) = position.after_null_move() {
                assert_eq!(position.key_after_null_move(), after.hash_key(), "{position}");
            }
            for &mv in moves {
                let mut likely = 0;
                let after = position.play_with_prefetch(mv, |key| likely = key);
                if is_plain(position, &after) {
                    plain += 1;
                    assert_eq!(likely, after.hash_key(), "{position}: {mv}");
                    let pieces = |position: &Position| position.board().occupied().len();
                    if mv.promotion.is_none() && pieces(&after) == pieces(position) {
                        assert_eq!(position.prefetch_key_after_quiet(mv), likely, "{position}: {mv}");
                    }
                }
            }
        });
        assert!(plain * 100 > all * 95, "{plain} of {all}");
    }

    fn is_plain(before: &Position, after: &Position) -> bool {
        let rights = |position: &Position| Color::ALL.map(|color| *position.board().castle_rights(color));
        rights(before) == rights(after) && after.en_passant().is_none()
    }
}

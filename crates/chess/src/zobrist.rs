//! The key of the position behind a move, before the move is played: early enough to fetch what the table knows of it.

use std::sync::LazyLock;

use cozy_chess::{Board, BoardBuilder, Color, Move, Piece, Square};

use crate::Position;
use crate::mailbox::Mailbox;

/// By what each man on each square changes the board's hash, and the turn. The board keeps these numbers to itself, but
/// boards that differ in one man tell them. A king is always on the board, so a number that all of a king's squares share
/// is left out.
pub(crate) struct ZobristKeys {
    men: [[[u64; 64]; 6]; 2],
    turn: u64,
}

static ZOBRIST_KEYS: LazyLock<ZobristKeys> = LazyLock::new(|| ZobristKeys {
    men: Color::ALL.map(|color| {
        Piece::ALL.map(|piece| {
            let difference =
                |square| if piece == Piece::King { of_king(color, square) } else { of(color, piece, square) };
            Square::ALL.map(|square| difference(square).unwrap_or_default())
        })
    }),
    turn: Board::default().hash() ^ Board::default().null_move().map_or(0, |board| board.hash()),
});

impl ZobristKeys {
    /// By what this man on this square changes the board's hash.
    #[inline]
    pub(crate) fn of(color: Color, piece: Piece, square: Square) -> u64 {
        ZOBRIST_KEYS.men[color as usize][piece as usize][square as usize]
    }
}

/// The hash of a board with these men, if there can be one. The side that does not move is not in check.
fn hash(turn: Color, men: &[(Color, Piece, Square)]) -> Option<u64> {
    let mut builder = BoardBuilder::empty();
    builder.side_to_move = turn;
    for &(color, piece, square) in men {
        builder.board[square as usize] = Some((piece, color));
    }
    builder.build().ok().map(|board| board.hash())
}

/// The difference that a man makes, between two boards with kings that are not in its way.
fn of(color: Color, piece: Piece, square: Square) -> Option<u64> {
    let kings = [(Square::A1, Square::A8), (Square::H1, Square::H8), (Square::C3, Square::F5)].into_iter();
    let mut kings = kings.filter(|&(white, black)| square != white && square != black);
    kings.find_map(|(white, black)| {
        let kings = [(Color::White, Piece::King, white), (Color::Black, Piece::King, black)];
        let with = hash(!color, &[kings[0], kings[1], (color, piece, square)])?;
        Some(with ^ hash(!color, &kings)?)
    })
}

/// The same for a king, beside one other king: where that one may not stand, it is led over to another square.
fn of_king(color: Color, square: Square) -> Option<u64> {
    let with = |square, other| hash(color, &[(color, Piece::King, square), (!color, Piece::King, other)]);
    let (near, far) = (Square::A8, Square::H1);
    with(square, near).or_else(|| Some(with(square, far)? ^ with(Square::D4, far)? ^ with(Square::D4, near)?))
}

impl Position {
    /// The key behind a passed turn.
    pub fn key_after_null_move(&self) -> u64 {
        self.board().hash_without_ep() ^ ZOBRIST_KEYS.turn
    }

    /// The key behind a quiet move, with the same exceptions as [`prefetch_key`](Self::prefetch_key).
    #[inline]
    pub fn prefetch_key_after_quiet(&self, mv: Move) -> u64 {
        let Some(piece) = self.piece_on(mv.from) else { return 0 };
        let side = self.side_to_move();
        let moved = ZobristKeys::of(side, piece, mv.from) ^ ZobristKeys::of(side, piece, mv.to);
        self.key_after_null_move() ^ moved
    }

    /// The key of the position where the men stand so and the other side moves, unless a right to castle has ended or a
    /// pawn can be taken en passant: good enough to fetch what is likely to be asked for.
    #[inline]
    pub fn prefetch_key(&self, men: &Mailbox) -> u64 {
        self.key_after_null_move() ^ self.mailbox().key() ^ men.key()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_games::walk;

    /// The keys are those of the positions, but for rights to castle and captures en passant.
    #[test]
    fn keys_are_those_of_the_positions() {
        let (mut plain, mut all) = (0, 0);
        walk(11, 5_000, |position, moves, _| {
            all += moves.len();
            if let Some(passed) = position.after_null_move() {
                assert_eq!(position.key_after_null_move(), passed.hash_key(), "{position}");
            }
            for &mv in moves {
                let mut likely = 0;
                let after = position.play_with_prefetch(mv, |key| likely = key);
                if is_plain(position, &after) {
                    plain += 1;
                    assert_eq!(likely, after.hash_key(), "{position}: {mv}");
                    let men = |position: &Position| position.board().occupied().len();
                    if mv.promotion.is_none() && men(&after) == men(position) {
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

//! The key of the position behind a move, before the move is played: early enough to fetch what the table knows of it.

use std::sync::LazyLock;

use cozy_chess::{Board, BoardBuilder, Color, Move, Piece, Square};

use crate::Position;

/// By what each man on each square changes the board's hash, and the turn. The board keeps these numbers to itself, but
/// boards that differ in one man tell them. A king is always on the board, so a number that all of a king's squares share
/// is left out.
pub(crate) struct Differences {
    men: [[[u64; 64]; 6]; 2],
    turn: u64,
}

static DIFFERENCES: LazyLock<Differences> = LazyLock::new(|| Differences {
    men: Color::ALL.map(|color| {
        Piece::ALL.map(|piece| {
            let difference =
                |square| if piece == Piece::King { of_king(color, square) } else { of(color, piece, square) };
            Square::ALL.map(|square| difference(square).unwrap_or_default())
        })
    }),
    turn: Board::default().hash() ^ Board::default().null_move().map_or(0, |board| board.hash()),
});

impl Differences {
    /// By what this man on this square changes the board's hash.
    #[inline]
    pub(crate) fn of(color: Color, piece: Piece, square: Square) -> u64 {
        DIFFERENCES.men[color as usize][piece as usize][square as usize]
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
    pub(crate) fn key_after_passing(&self) -> u64 {
        self.board().hash_without_ep() ^ DIFFERENCES.turn
    }

    /// The key behind a legal move, unless the move castles, promotes, takes en passant or can be taken so, or ends a
    /// right to castle: good enough to fetch what is likely to be asked for.
    #[inline]
    pub(crate) fn likely_key_after(&self, mv: Move) -> u64 {
        let (board, differences) = (self.board(), &*DIFFERENCES);
        let side = board.side_to_move();
        let Some(piece) = self.piece_on(mv.from) else { return 0 };
        let own = &differences.men[side as usize][piece as usize];
        let mut key = board.hash_without_ep() ^ differences.turn ^ own[mv.from as usize] ^ own[mv.to as usize];
        if let Some(taken) = self.piece_on(mv.to) {
            key ^= differences.men[!side as usize][taken as usize][mv.to as usize];
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::walk;

    /// The keys are those of the positions, but for moves that change more than men on their squares.
    #[test]
    fn keys_are_those_of_the_positions() {
        let (mut plain, mut all) = (0, 0);
        walk(11, 5_000, |position, moves, _| {
            all += moves.len();
            if let Some(passed) = position.passed() {
                assert_eq!(position.key_after_passing(), passed.hash_key(), "{position}");
            }
            for &mv in moves.iter().filter(|mv| is_plain(position, **mv)) {
                plain += 1;
                assert_eq!(position.likely_key_after(mv), position.after(mv).hash_key(), "{position}: {mv}");
            }
        });
        assert!(plain * 100 > all * 95, "{plain} of {all}");
    }

    fn is_plain(position: &Position, mv: Move) -> bool {
        let (board, after) = (position.board(), position.after(mv));
        let castles = board.colors(board.side_to_move()).has(mv.to);
        let rights = Color::ALL.map(|color| *board.castle_rights(color));
        let kept = rights == Color::ALL.map(|color| *after.board().castle_rights(color));
        let is_pawn = board.pieces(Piece::Pawn).has(mv.from);
        let passing = is_pawn && mv.from.file() != mv.to.file() && !board.occupied().has(mv.to);
        mv.promotion.is_none() && !castles && kept && !passing && after.en_passant().is_none()
    }
}

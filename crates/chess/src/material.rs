//! Piece values: for ordering captures, for static exchange evaluation, and for material balance.

use cozy_chess::{Board, Color, Piece};
use mnemon_table::Score;

/// In centipawns; the king's value exceeds that of all other pieces.
const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// The value of a piece type in an exchange, in centipawns.
#[inline]
pub fn piece_value(piece: Piece) -> i32 {
    VALUES[piece as usize]
}

/// The material of the side to move minus the opponent's, without kings. It stays below 18 queens, far from mate scores.
pub(crate) fn balance(board: &Board) -> Score {
    let side = |color: Color| -> i32 {
        let count = |piece| board.colored_pieces(color, piece).len() as i32;
        Piece::ALL
            .into_iter()
            .filter(|&piece| piece != Piece::King)
            .map(|piece| count(piece) * piece_value(piece))
            .sum()
    };
    (side(board.side_to_move()) - side(!board.side_to_move())) as Score
}

//! What the pieces are worth: enough to order captures, to weigh exchanges, and to play by where there is no evaluation.

use cozy_chess::{Board, Color, Piece};
use mnemon_table::Score;

/// Hundredths of a pawn; losing the king loses everything.
const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// What a piece is worth in an exchange, in hundredths of a pawn.
#[inline]
pub fn piece_value(piece: Piece) -> i32 {
    VALUES[piece as usize]
}

/// The side to move's material less the opponent's, kings left out. At most 18 queens' worth: far from any win's score.
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

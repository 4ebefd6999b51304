//! A plain evaluation: material and the activity of the pieces.
//!
//! It serves the game-agnostic search and the experiments. The engine brings its own, tuned from its games; these numbers
//! are the beginner's book's, and nothing was tuned.

use cozy_chess::{BitBoard, Board, Color, Piece, Square, get_bishop_moves, get_knight_moves, get_rook_moves};
use mnemon_search::HIGHEST_POINTS;
use mnemon_table::Score;

/// What a piece is worth, in hundredths of a pawn. A king is never given up, so it counts nothing.
pub(crate) fn value(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight | Piece::Bishop => 300,
        Piece::Rook => 500,
        Piece::Queen => 900,
        Piece::King => 0,
    }
}

/// The score for the side to move.
pub(crate) fn evaluate(board: &Board) -> Score {
    let side = board.side_to_move();
    let points = points(board, side) - points(board, !side);
    let limit = i32::from(HIGHEST_POINTS);
    points.clamp(-limit, limit) as Score
}

fn points(board: &Board, color: Color) -> i32 {
    let men = board.colors(color);
    Piece::ALL
        .into_iter()
        .flat_map(|piece| (men & board.pieces(piece)).into_iter().map(move |square| (piece, square)))
        .map(|(piece, square)| value(piece) + activity(board, piece, color, square))
        .sum()
}

/// A pawn is the better the farther it has come, a piece the more squares it sees that its own men leave free.
fn activity(board: &Board, piece: Piece, color: Color, square: Square) -> i32 {
    let sees = |squares: BitBoard| (squares & !board.colors(color)).len() as i32;
    let occupied = board.occupied();
    match piece {
        Piece::Pawn => 5 * (square.relative_to(color).rank() as i32 - 1),
        Piece::Knight => 5 * sees(get_knight_moves(square)),
        Piece::Bishop => 5 * sees(get_bishop_moves(square, occupied)),
        Piece::Rook => 3 * sees(get_rook_moves(square, occupied)),
        Piece::Queen => sees(get_bishop_moves(square, occupied) | get_rook_moves(square, occupied)),
        Piece::King => 0,
    }
}

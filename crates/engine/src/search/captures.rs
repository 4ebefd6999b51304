//! Captures: which moves are captures, what they take, and in which order they are searched.

use cozy_chess::{Board, Move, Piece};
use mnemon_chess::{Position, piece_value};

use super::history::{History, PieceTo};

/// Whether the move captures or promotes to a queen. Castling is written as the king's move onto its own rook, and is
/// quiet.
pub(super) fn is_noisy(board: &Board, mv: Move) -> bool {
    mv.promotion == Some(Piece::Queen)
        || board.colors(!board.side_to_move()).has(mv.to)
        || mv.from.file() != mv.to.file() && board.pieces(Piece::Pawn).has(mv.from)
}

/// The piece that the move captures; `None` if it captures nothing.
pub(super) fn captured(position: &Position, mv: Move) -> Option<Piece> {
    let board = position.board();
    if board.colors(!board.side_to_move()).has(mv.to) {
        return position.piece_on(mv.to);
    }
    let is_pawn = board.pieces(Piece::Pawn).has(mv.from);
    (is_pawn && mv.from.file() != mv.to.file()).then_some(Piece::Pawn)
}

/// The ordering score of a capture: most valuable victim first, then capture history.
pub(super) fn capture_score(position: &Position, piece: Piece, mv: Move, history: &History) -> i32 {
    let side = position.side_to_move();
    let victim = captured(position, mv);
    let gained = victim.map_or(0, piece_value);
    let promoted = if mv.promotion.is_some() { piece_value(Piece::Queen) } else { 0 };
    let history = victim.map_or(0, |victim| history.capture(PieceTo::new(side, piece, mv), victim));
    16 * (gained + promoted) + history / 4
}

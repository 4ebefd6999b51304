//! Captures: which moves are, what they take and which come first.

use cozy_chess::{Board, Move, Piece};

use super::history::{History, Moved};
use mnemon_chess::{Position, piece_value};

/// Whether the move takes something or promotes to a queen. Castling, the king's move onto its own rook, does not.
pub(super) fn is_noisy(board: &Board, mv: Move) -> bool {
    mv.promotion == Some(Piece::Queen)
        || board.colors(!board.side_to_move()).has(mv.to)
        || mv.from.file() != mv.to.file() && board.pieces(Piece::Pawn).has(mv.from)
}

/// What the move takes.
pub(super) fn captured(position: &Position, mv: Move) -> Option<Piece> {
    let board = position.board();
    if board.colors(!board.side_to_move()).has(mv.to) {
        return position.piece_on(mv.to);
    }
    let is_pawn = board.pieces(Piece::Pawn).has(mv.from);
    (is_pawn && mv.from.file() != mv.to.file()).then_some(Piece::Pawn)
}

/// The more is taken the better, and among equals what has done well.
pub(super) fn capture_rank(position: &Position, piece: Piece, mv: Move, history: &History) -> i32 {
    let side = position.side_to_move();
    let taken = captured(position, mv);
    let gained = taken.map_or(0, piece_value);
    let promoted = if mv.promotion.is_some() { piece_value(Piece::Queen) } else { 0 };
    let past = taken.map_or(0, |taken| history.capture(Moved::new(side, piece, mv), taken));
    16 * (gained + promoted) + past / 4
}

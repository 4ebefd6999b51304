//! Captures: which moves are, who can make them, what they take and which come first.

use cozy_chess::{BitBoard, Board, Color, Move, Piece, Rank, get_king_moves};

use super::history::{History, Moved};
use super::see;
use crate::eval::masks::pawn_attacks;

/// Whether the move takes something or promotes to a queen. Castling, the king's move onto its own rook, does not.
pub(super) fn is_noisy(board: &Board, mv: Move) -> bool {
    mv.promotion == Some(Piece::Queen)
        || board.colors(!board.side_to_move()).has(mv.to)
        || mv.from.file() != mv.to.file() && board.pieces(Piece::Pawn).has(mv.from)
}

/// What the move takes.
pub(super) fn captured(board: &Board, mv: Move) -> Option<Piece> {
    if board.colors(!board.side_to_move()).has(mv.to) {
        return board.piece_on(mv.to);
    }
    let is_pawn = board.pieces(Piece::Pawn).has(mv.from);
    (is_pawn && mv.from.file() != mv.to.file()).then_some(Piece::Pawn)
}

/// The men that may be able to take something or to promote: no pawn and no king that cannot.
pub(super) fn takers(board: &Board, targets: BitBoard) -> BitBoard {
    let side = board.side_to_move();
    let pawns = board.colored_pieces(side, Piece::Pawn);
    let king = board.colored_pieces(side, Piece::King);
    let taking = pawn_attacks(!side, targets) | Rank::Seventh.relative_to(side).bitboard();
    let beside = get_king_moves(board.king(side)) & targets;
    let taking_king = if beside.is_empty() { BitBoard::EMPTY } else { king };
    board.colors(side) & !pawns & !king | pawns & taking | taking_king
}

/// The square behind a pawn that has just made a double step.
pub(super) fn en_passant_square(board: &Board) -> BitBoard {
    board
        .en_passant()
        .map_or(BitBoard::EMPTY, |file| file.bitboard() & Rank::Sixth.relative_to(board.side_to_move()).bitboard())
}

/// The more is taken the better, and among equals what has done well.
pub(super) fn capture_rank(board: &Board, side: Color, piece: Piece, mv: Move, history: &History) -> i32 {
    let taken = captured(board, mv);
    let gained = taken.map_or(0, see::value);
    let promoted = if mv.promotion.is_some() { see::value(Piece::Queen) } else { 0 };
    let past = taken.map_or(0, |taken| history.capture(Moved::new(side, piece, mv), taken));
    16 * (gained + promoted) + past / 4
}

//! Captures: which moves are, all of them, what they take and which come first.

use cozy_chess::{
    BitBoard, Board, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use super::history::{History, Moved};
use super::see;
use crate::Position;
use crate::eval::masks::{one_ahead, pawn_attacks};

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

/// Tells every legal capture and promotion to a queen, and which man makes it.
#[inline]
pub(super) fn each_capture(board: &Board, mut tell: impl FnMut(Piece, Move)) {
    let side = board.side_to_move();
    let (occupied, targets) = (board.occupied(), board.colors(!side));
    // A man is free to go anywhere but for pins and checks; a king never is.
    let free = if board.checkers().is_empty() { !board.pinned() } else { BitBoard::EMPTY };
    let mut tell_all = |piece: Piece, from: Square, squares: BitBoard, free: BitBoard| {
        for to in squares {
            let mv = Move { from, to, promotion: None };
            if free.has(from) || board.is_legal(mv) {
                tell(piece, mv);
            }
        }
    };
    for knight in board.colored_pieces(side, Piece::Knight) {
        tell_all(Piece::Knight, knight, get_knight_moves(knight) & targets, free);
    }
    for bishop in board.colored_pieces(side, Piece::Bishop) {
        tell_all(Piece::Bishop, bishop, get_bishop_moves(bishop, occupied) & targets, free);
    }
    for rook in board.colored_pieces(side, Piece::Rook) {
        tell_all(Piece::Rook, rook, get_rook_moves(rook, occupied) & targets, free);
    }
    for queen in board.colored_pieces(side, Piece::Queen) {
        let sees = get_bishop_moves(queen, occupied) | get_rook_moves(queen, occupied);
        tell_all(Piece::Queen, queen, sees & targets, free);
    }
    let king = board.king(side);
    tell_all(Piece::King, king, get_king_moves(king) & targets, BitBoard::EMPTY);
    pawn_captures(board, free, tell);
}

/// The same for pawns, which may take en passant and promote without taking.
#[inline]
fn pawn_captures(board: &Board, free: BitBoard, mut tell: impl FnMut(Piece, Move)) {
    let side = board.side_to_move();
    let passing = en_passant_square(board);
    let targets = board.colors(!side) | passing;
    let pawns = board.colored_pieces(side, Piece::Pawn);
    let seventh = Rank::Seventh.relative_to(side).bitboard();
    for from in pawns & (pawn_attacks(!side, targets) | seventh) {
        let promotes = seventh.has(from);
        let step = if promotes { one_ahead(side, from.bitboard()) & !board.occupied() } else { BitBoard::EMPTY };
        for to in get_pawn_attacks(from, side) & targets | step {
            let mv = Move { from, to, promotion: promotes.then_some(Piece::Queen) };
            if free.has(from) && !passing.has(to) || board.is_legal(mv) {
                tell(Piece::Pawn, mv);
            }
        }
    }
}

/// The square behind a pawn that has just made a double step.
pub(super) fn en_passant_square(board: &Board) -> BitBoard {
    board
        .en_passant()
        .map_or(BitBoard::EMPTY, |file| file.bitboard() & Rank::Sixth.relative_to(board.side_to_move()).bitboard())
}

/// The more is taken the better, and among equals what has done well.
pub(super) fn capture_rank(position: &Position, piece: Piece, mv: Move, history: &History) -> i32 {
    let side = position.side_to_move();
    let taken = captured(position, mv);
    let gained = taken.map_or(0, see::value);
    let promoted = if mv.promotion.is_some() { see::value(Piece::Queen) } else { 0 };
    let past = taken.map_or(0, |taken| history.capture(Moved::new(side, piece, mv), taken));
    16 * (gained + promoted) + past / 4
}

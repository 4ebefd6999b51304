//! Which arrangements of pieces are positions, and what is wrong with the others.
//!
//! cozy-chess decides, except in two cases that its builder accepts and its move generator cannot handle, since a king could
//! be captured: kings side by side, and three pieces that give check at once. These are rejected here.

use cozy_chess::{Board, BoardBuilder, BoardBuilderError, Color, Piece, Rank, get_king_moves};

use crate::{ChessError, Field};

/// The board that a builder describes, or what is wrong with it.
pub(crate) fn build(builder: &BoardBuilder) -> Result<Board, ChessError> {
    builder.build().map_err(|error| match error {
        BoardBuilderError::InvalidBoard => Field::Board.error(what_is_wrong(builder)),
        BoardBuilderError::InvalidCastlingRights => {
            Field::Castling.error("a king or rook that may castle must stand on its first rank")
        }
        BoardBuilderError::InvalidEnPassant => Field::EnPassant.error(NO_DOUBLE_STEP),
        BoardBuilderError::InvalidHalfMoveClock => Field::HalfmoveClock.error("it goes from 0 to 100"),
        BoardBuilderError::InvalidFullmoveNumber => Field::FullmoveNumber.error("it counts from 1"),
    })
}

const NO_DOUBLE_STEP: &str = "the last move cannot have been a pawn's double step across this square";

/// Rejects the positions that cozy-chess accepts and its move generator cannot handle.
pub(crate) fn check(board: &Board) -> Result<(), ChessError> {
    if get_king_moves(board.king(Color::White)).has(board.king(Color::Black)) {
        return Err(Field::Board.error("the kings stand side by side"));
    }
    match board.checkers().len() {
        0..=2 => Ok(()),
        checkers => Err(Field::Board.error(format!("{checkers} pieces give check at once: no move can do that"))),
    }
}

/// The first thing that is wrong with the pieces on the board.
fn what_is_wrong(builder: &BoardBuilder) -> String {
    let (side, other) = (name(builder.side_to_move), name(!builder.side_to_move));
    Color::ALL
        .into_iter()
        .find_map(|color| wrong_number(builder, color))
        .or_else(|| misplaced_pawn(builder))
        .unwrap_or_else(|| format!("{other} is in check, and it is {side}'s move"))
}

fn wrong_number(builder: &BoardBuilder, color: Color) -> Option<String> {
    let pieces = || builder.board.iter().flatten().filter(|(_, owner)| *owner == color);
    let count = |wanted| pieces().filter(|(piece, _)| *piece == wanted).count();
    let side = name(color);
    match (count(Piece::King), count(Piece::Pawn), pieces().count()) {
        (0, ..) => Some(format!("the board has no {side} king")),
        (kings @ 2.., ..) => Some(format!("the board has {kings} {side} kings")),
        (_, _, pieces @ 17..) => Some(format!("the board has {pieces} {side} pieces, and 16 is the most")),
        (_, pawns @ 9.., _) => Some(format!("the board has {pawns} {side} pawns, and 8 is the most")),
        _ => None,
    }
}

fn misplaced_pawn(builder: &BoardBuilder) -> Option<String> {
    let ends = Rank::First.bitboard() | Rank::Eighth.bitboard();
    ends.into_iter().find_map(|square| match builder.square(square) {
        Some((Piece::Pawn, color)) if square.rank() == Rank::Eighth.relative_to(color) => {
            Some(format!("a pawn stands on its last rank, on {square}"))
        }
        Some((Piece::Pawn, _)) => Some(format!("a pawn stands on its first rank, on {square}")),
        _ => None,
    })
}

/// The colour's name.
pub(crate) fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

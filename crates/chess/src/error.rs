//! Why a text is no position or no move.

use std::fmt;

/// Why a text is no position, or no move of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChessError {
    /// The FEN has too few or too many fields.
    #[error(
        "a FEN has 4 or 6 fields (board, side to move, castling, en passant, and perhaps two move counters), \
         this one has {found}"
    )]
    FieldCount {
        /// How many fields the text has.
        found: usize,
    },
    /// A field of the FEN is wrong, by itself or in this position.
    #[error("the FEN's {field} is wrong: {reason}")]
    Fen {
        /// The field.
        field: Field,
        /// What is wrong with it.
        reason: String,
    },
    /// The text is no move in the expected notation.
    #[error("\"{text}\" is no move: {expected}")]
    NotAMove {
        /// The text, or its beginning.
        text: String,
        /// The notation that was expected, with examples.
        expected: &'static str,
    },
    /// The move cannot be played in this position.
    #[error("{text} is not legal here: {reason}")]
    IllegalMove {
        /// The move as it was given.
        text: String,
        /// Why it cannot be played.
        reason: String,
    },
    /// Several legal moves fit the text.
    #[error("{text} is ambiguous: it can be {candidates}")]
    AmbiguousMove {
        /// The move as it was given.
        text: String,
        /// The moves that it can be, in full.
        candidates: String,
    },
}

/// A field of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The piece on each square.
    Board,
    /// `w` or `b`.
    SideToMove,
    /// The rights to castle.
    Castling,
    /// The square that a pawn has just passed.
    EnPassant,
    /// Plies since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the move, which counts from 1.
    FullmoveNumber,
}

impl fmt::Display for Field {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Field::Board => "board",
            Field::SideToMove => "side to move",
            Field::Castling => "castling field",
            Field::EnPassant => "en passant field",
            Field::HalfmoveClock => "halfmove clock",
            Field::FullmoveNumber => "fullmove number",
        })
    }
}

impl Field {
    pub(crate) fn error(self, reason: impl Into<String>) -> ChessError {
        ChessError::Fen { field: self, reason: reason.into() }
    }
}

/// The text, or its beginning with an ellipsis: messages stay short for any input.
pub(crate) fn clipped(text: &str) -> String {
    const MAX_CHARS: usize = 32;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

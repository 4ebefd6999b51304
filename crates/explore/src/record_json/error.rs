//! What can be wrong with a record in JSON.

use std::sync::Arc;

use mnemon_search::NotationError;
use mnemon_table::Score;

/// Why a line of JSON is no record.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    /// A line beyond the longest that is read, in bytes.
    #[error("longer than {0} bytes")]
    TooLong(usize),
    /// The line is no JSON, or has a member that is unknown, missing or of another type.
    #[error("{0}")]
    Syntax(String),
    /// The source is none, or of two kinds.
    #[error("a source is an \"engine\" with its \"version\", a \"person\", a \"file\" or a \"player\"")]
    Source,
    /// A contributor's identity that is none.
    #[error("{0:?} is no identity of a memory, which has 32 hexadecimal digits")]
    Identity(String),
    /// No position is given.
    #[error("\"position\" or \"packed\" is missing")]
    NoPosition,
    /// A packed position that is not written in hexadecimal digits.
    #[error("\"packed\" are no pairs of hexadecimal digits")]
    NoHexadecimal,
    /// Bytes that are no position of the game.
    #[error("\"packed\" is no position of {game}")]
    Packed {
        /// The game.
        game: Arc<str>,
    },
    /// A text that is no position of the game.
    #[error("{text:?} is no position: {error}")]
    Position {
        /// The text.
        text: String,
        /// What is wrong with it.
        error: NotationError,
    },
    /// Two positions are given.
    #[error("\"position\" and \"packed\" are different positions")]
    PositionsDiffer,
    /// A text that is no legal move.
    #[error(transparent)]
    Move(#[from] NotationError),
    /// A code that is no legal move.
    #[error("\"best\": {0} is no legal move")]
    IllegalMove(u16),
    /// Two moves are given.
    #[error("\"best\" and \"best_move\" are different moves")]
    MovesDiffer,
    /// A word that is no origin.
    #[error("{0:?} is no origin")]
    Origin(String),
    /// The depth of an end that has no score.
    #[error("\"{0}_depth\" without \"{0}\"")]
    DepthWithoutScore(&'static str),
    /// A score that no record holds.
    #[error("\"{end}\": {score} is too large for a score")]
    ScoreTooLarge {
        /// The end: lower or upper.
        end: &'static str,
        /// The score.
        score: Score,
    },
    /// A record that no memory keeps.
    #[error("{0}")]
    Invalid(String),
}

impl From<serde_json::Error> for JsonError {
    /// The error without "line 1", since each record has its own line number.
    fn from(error: serde_json::Error) -> Self {
        let text = error.to_string();
        JsonError::Syntax(match text.rsplit_once(" at line ") {
            Some((what, _)) => format!("{what} (column {})", error.column()),
            None => text,
        })
    }
}

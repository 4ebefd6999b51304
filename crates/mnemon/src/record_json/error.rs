//! What can be wrong with a record in JSON.

use std::sync::Arc;

use mnemon_search::NotationError;
use mnemon_table::Score;

/// Why a line of JSON is no record.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum JsonError {
    #[error("longer than {0} bytes")]
    TooLong(usize),
    /// The line is no JSON, or has a member that is unknown, missing or of another type.
    #[error("{0}")]
    Syntax(String),
    #[error("a source is an \"engine\" with its \"version\", a \"person\", a \"file\" or a \"player\"")]
    Source,
    #[error("{0:?} is no identity of a memory, which has 32 hexadecimal digits")]
    Identity(String),
    #[error("\"position\" or \"packed\" is missing")]
    NoPosition,
    #[error("\"packed\" are no pairs of hexadecimal digits")]
    NoHexadecimal,
    #[error("\"packed\" is no position of {game}")]
    Packed { game: Arc<str> },
    #[error("{text:?} is no position: {error}")]
    Position { text: String, error: NotationError },
    #[error("\"position\" and \"packed\" are different positions")]
    PositionsDiffer,
    #[error(transparent)]
    Move(#[from] NotationError),
    #[error("\"best\": {0} is no legal move")]
    IllegalMove(u16),
    #[error("\"best\" and \"best_move\" are different moves")]
    MovesDiffer,
    #[error("{0:?} is no origin")]
    Origin(String),
    #[error("\"{0}_depth\" without \"{0}\"")]
    DepthWithoutScore(&'static str),
    #[error("\"{end}\": {score} is too large for a score")]
    ScoreTooLarge { end: &'static str, score: Score },
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

//! What can be wrong with a command.

use crate::words::clip;

/// A part of a line from a GUI that means nothing, or that counts as something else. An engine says it in an
/// `info string` and goes on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Complaint {
    /// The line begins with a word that is no command.
    #[error("unknown command '{}'", clip(.0))]
    UnknownCommand(String),
    /// `debug` without `on` or `off`.
    #[error("debug must be 'on' or 'off'")]
    Debug,
    /// `position` without `startpos` or `fen`: the word that stands there, if any.
    #[error("position must be 'startpos' or 'fen' and a FEN{}", instead(.0.as_deref()))]
    Position(Option<String>),
    /// A word after `position startpos` that is not `moves`.
    #[error("'{}' after 'position startpos' is not 'moves'", clip(.0))]
    NotMoves(String),
    /// `setoption` without `name`.
    #[error("setoption needs 'name' and the name of an option")]
    OptionName,
    /// A word of `go` that means nothing.
    #[error("unknown word '{}' in go", clip(.0))]
    GoWord(String),
    /// A word of `go` whose number is missing.
    #[error("go {word} needs a number and counts as {used}")]
    MissingNumber {
        /// The word.
        word: &'static str,
        /// The number that is used.
        used: i64,
    },
    /// A number of `go` that is out of its range or no number.
    #[error("go {word}: '{}' {} and counts as {used}", clip(text), if *is_number { "is out of range" } else { "is not a number" })]
    BadNumber {
        /// The word.
        word: &'static str,
        /// What follows it.
        text: String,
        /// Whether that is a number.
        is_number: bool,
        /// The number that is used.
        used: i64,
    },
}

fn instead(word: Option<&str>) -> String {
    word.map_or_else(String::new, |word| format!(", not '{}'", clip(word)))
}

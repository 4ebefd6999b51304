//! Portable Game Notation: [`PgnReader`] reads the games of a file one by one, [`PgnWriter`] writes a game.
//!
//! A reader gives the main line of each game, and the whole [`GameTree`] where it is asked for
//! ([`PgnReader::whole`]): variations, comments, annotation glyphs. [`Evaluation`] is what an engine said in a comment.
//!
//! ```
//! use mnemon_chess::pgn::{GameResult, PgnReader, PgnWriter};
//!
//! let text = "[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 {weak} 2. g4 Qh4# 0-1\n";
//! let game = PgnReader::new("text", text.as_bytes()).next().expect("a game")?;
//! assert_eq!((game.tag("White"), game.moves.len()), (Some("A"), 4));
//! assert_eq!(game.result, GameResult::BlackWins);
//!
//! let mut writer = PgnWriter::new(&game.start);
//! writer.tag("White", "A").tag("Black", "B");
//! for &mv in &game.moves {
//!     writer.play(mv);
//! }
//! assert!(writer.finish(game.result).ends_with("\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"));
//! # Ok::<(), mnemon_chess::pgn::PgnError>(())
//! ```

mod comment;
mod draft;
mod nag;
mod read;
mod tree;
mod tree_builder;
mod write;
mod write_tree;

use std::fmt;
use std::io;
use std::str::FromStr;

use cozy_chess::Color;
use mnemon_search::NotationError;

use crate::ChessError;

pub use comment::{Evaluated, Evaluation, Value, View, prose, without_evaluation};
pub use nag::nag_of_mark;
pub use read::{PgnGame, PgnReader};
pub use tree::{GameTree, Node, NodeId};
pub use write::PgnWriter;

/// Why a file gives no games.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PgnError {
    /// The file cannot be read.
    #[error("cannot read the PGN file {file}: {error}")]
    Read {
        /// The file.
        file: String,
        /// The system's error.
        error: io::Error,
    },
    /// The file has no game.
    #[error("{file}: there is no game in this file; expected PGN")]
    Empty {
        /// The file.
        file: String,
    },
}

/// Why the moves of a game could not be read to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The tag `Variant` names another game than chess or Chess960.
    #[error("the rules of {0} are not known here")]
    Variant(String),
    /// The tag `FEN` is no position.
    #[error("its FEN tag: {0}")]
    Fen(ChessError),
    /// A move cannot be played.
    #[error("line {line}, move {number}: {error}")]
    Move {
        /// The line of the file, counted from 1.
        line: u64,
        /// The number of the move with its dots: `12.` or `12...`.
        number: String,
        /// What is wrong with the move.
        error: NotationError,
    },
    /// A null move, which passes: the position after it is no position of a game.
    #[error("line {line}, move {number}: a null move; the rest of the variation is left out")]
    NullMove {
        /// The line of the file.
        line: u64,
        /// The number of the move with its dots.
        number: String,
    },
    /// A variation begins where there is no move that it could replace.
    #[error("line {line}: a variation begins where no move stands before it")]
    Variation {
        /// The line of the file.
        line: u64,
    },
    /// A game with more moves, deeper variations or longer lines than are read.
    #[error("line {line}: this game has more than 262144 moves, 16384 variations within each other or 4 MiB in a line")]
    TooLarge {
        /// The line of the file.
        line: u64,
    },
    /// A comment has no closing brace.
    #[error("line {line}: a comment begins that does not end before line {last_line}")]
    UnclosedComment {
        /// The line of the file in which the comment begins.
        line: u64,
        /// The last line of the file.
        last_line: u64,
    },
}

impl GameError {
    /// The line of the file that it is about, if it is about one.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        match *self {
            GameError::Variant(_) | GameError::Fen(_) => None,
            GameError::Move { line, .. }
            | GameError::NullMove { line, .. }
            | GameError::Variation { line }
            | GameError::TooLarge { line }
            | GameError::UnclosedComment { line, .. } => Some(line),
        }
    }
}

/// The result of a game, as its last token and its `Result` tag give it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game is not finished, or its result is not known.
    #[default]
    Unknown,
}

impl GameResult {
    /// The result of a finished game: a draw if it has no winner.
    #[must_use]
    pub fn of_winner(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }

    /// The token of PGN.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// The text is none of the four tokens of [`GameResult`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a result is 1-0, 0-1, 1/2-1/2 or *")]
pub struct NotAResult;

impl FromStr for GameResult {
    type Err = NotAResult;

    fn from_str(text: &str) -> Result<Self, NotAResult> {
        let all = [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];
        all.into_iter().find(|result| result.as_str() == text).ok_or(NotAResult)
    }
}

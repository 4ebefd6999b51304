//! Memories and files of other programs: what comes in as records, links and notes, and the known tree as a file.
//!
//! | Format | In | Out |
//! |---|---|---|
//! | JSON lines | everything that a memory has | by `record_json` |
//! | PGN | evaluations, comments as notes, moves as links | the tree with variations, evaluations and notes |
//! | EPD | analyses and names | a line for each record |
//! | lichess evaluations | records and lines of `lichess cloud` | |
//! | Polyglot books | the moves below a root | moves weighted by their winning chances |
//!
//! An import reads its input once, in any length, and keeps little of it in RAM. What cannot be read is told to a
//! [`Report`], which decides whether the rest is read. docs/files.md says what each format carries.

mod author;
mod book_in;
mod book_out;
mod epd_in;
mod epd_out;
mod format;
mod intake;
mod json_in;
mod known_tree;
mod lichess;
mod pgn_in;
mod pgn_out;

use std::io;

use mnemon_chess::pgn::PgnError;
use mnemon_chess::polyglot::BookProblem;
use mnemon_memory::MemoryError;

pub use book_out::write_book;
pub use epd_out::EpdLines;
pub use format::{FileFormat, Input};
pub use intake::{Intake, Report, Stop};
pub use known_tree::{KnownTree, TreeLimits, TreeRoot};
#[doc(hidden)]
pub use lichess::read_evaluation;
pub use pgn_out::{is_written_tree, write_pgn};

/// Why an import or an export failed as a whole.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The memory cannot be read or written.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file has no games.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// The file is no opening book.
    #[error("this is no Polyglot book: {0}")]
    Book(#[from] BookProblem),
}

/// The result of an import or an export.
pub type Result<T = ()> = std::result::Result<T, ExchangeError>;

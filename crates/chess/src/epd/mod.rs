//! Extended Position Description: one position per line, followed by operations such as `bm Qg6; id "WAC.001";`.
//!
//! The first four fields are those of a FEN. Files in use deviate from the standard, so the reader also accepts the two
//! move counters of a FEN, a semicolon before the first operation or none between two, names without quotes, commas
//! between moves, and NUL bytes as padding.

mod analysis;
mod file;
mod line;

use cozy_chess::Move;
use mnemon_search::{Notation, NotationError};

use crate::{ChessError, Position};

pub use analysis::EpdAnalysis;
pub use file::{EpdFileError, NumberedLine, read, read_lines};

/// Why a line is no EPD.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EpdError {
    /// The line does not begin with a position.
    #[error(transparent)]
    Position(#[from] ChessError),
    /// An operation names a move that is not legal in the position.
    #[error("{operation}: {error}")]
    Move {
        /// The operation: `bm`, `am` or `pv`.
        operation: &'static str,
        /// What is wrong with the move.
        error: NotationError,
    },
    /// An operation's number is none.
    #[error("{operation}: \"{text}\" is no number")]
    Number {
        /// The operation, such as `ce`.
        operation: &'static str,
        /// Its operand.
        text: String,
    },
    /// The line is longer than any position with its operations.
    #[error("this line is too long for a position")]
    TooLong,
}

/// A position with its operations.
///
/// ```
/// use mnemon_chess::epd::Epd;
///
/// let line = r#"6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id "back rank";"#;
/// let epd: Epd = line.parse()?;
/// assert_eq!(epd.id().as_deref(), Some("back rank"));
/// assert_eq!(epd.best_moves()?, [epd.position.parse_san("Ra8")?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position, with the move counters of the line (as FEN fields, or as `hmvc` and `fmvn`).
    pub position: Position,
    /// Each operation's name and its operands, without quotes.
    operations: Vec<(String, Vec<String>)>,
}

impl Epd {
    /// The operands of the first operation with this name; `None` if there is no such operation.
    pub fn operands(&self, name: &str) -> Option<&[String]> {
        find(&self.operations, name)
    }

    /// The position's name, from the operation `id`.
    pub fn id(&self) -> Option<String> {
        self.operands("id").map(|words| words.join(" ")).filter(|id| !id.is_empty())
    }

    /// The moves of the operation `bm`, in SAN or in UCI notation; none if it is missing.
    ///
    /// # Errors
    /// [`EpdError::Move`] for the first one that is not legal.
    pub fn best_moves(&self) -> Result<Vec<Move>, EpdError> {
        self.moves("bm")
    }

    /// The moves of the operation `am`, which are to be avoided; none if it is missing.
    ///
    /// # Errors
    /// [`EpdError::Move`] for the first one that is not legal.
    pub fn avoid_moves(&self) -> Result<Vec<Move>, EpdError> {
        self.moves("am")
    }

    /// Both lists of moves.
    ///
    /// # Errors
    /// [`EpdError::Move`] for the first move that is not legal.
    pub fn expected_moves(&self) -> Result<ExpectedMoves, EpdError> {
        Ok(ExpectedMoves { best: self.best_moves()?, avoid: self.avoid_moves()? })
    }

    fn moves(&self, operation: &'static str) -> Result<Vec<Move>, EpdError> {
        let words = self.operands(operation).unwrap_or_default().iter();
        // Some files have commas between the moves, or a space before the check mark.
        let words = words.map(|word| word.trim_matches(',')).filter(|word| word.contains(char::is_alphanumeric));
        words.map(|word| self.position.read_move(word).map_err(|error| EpdError::Move { operation, error })).collect()
    }
}

/// The moves that a line of a test suite expects: its `bm` and `am`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedMoves {
    /// The best moves.
    pub best: Vec<Move>,
    /// The moves to avoid.
    pub avoid: Vec<Move>,
}

impl ExpectedMoves {
    /// Whether an engine's move is one of the best moves, where there are any, and none of those to avoid. An engine without
    /// a move is not accepted. Returns `None` if nothing is expected.
    #[must_use]
    pub fn accept(&self, mv: Option<Move>) -> Option<bool> {
        let expects = !self.best.is_empty() || !self.avoid.is_empty();
        let accepts = |mv| (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv);
        expects.then(|| mv.is_some_and(accepts))
    }
}

/// The operands of the first operation with this name.
fn find<'o>(operations: &'o [(String, Vec<String>)], name: &str) -> Option<&'o [String]> {
    let (_, operands) = operations.iter().find(|(other, _)| other == name)?;
    Some(operands)
}

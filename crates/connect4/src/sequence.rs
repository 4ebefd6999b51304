//! A line of a position file: the moves that lead to a position, and optionally its expected score.

use crate::{Board, MoveError};

/// Stands for the empty board, which has no moves to write.
pub const EMPTY_BOARD: &str = "-";

/// Longer lines are refused: a game has at most 42 moves.
pub const MAX_LINE_BYTES: usize = 1000;

/// A position to solve, as the moves that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveSequence {
    /// The moves, one digit each.
    pub moves: String,
    /// The position after the moves.
    pub board: Board,
    /// The expected score, seen by the side to move, if the line has one.
    pub expected: Option<i32>,
}

/// Why a line cannot be read as a position.
#[derive(Debug, thiserror::Error)]
pub enum SequenceError {
    /// The line is longer than [`MAX_LINE_BYTES`].
    #[error("longer than {MAX_LINE_BYTES} bytes")]
    TooLong,
    /// The line is not UTF-8.
    #[error("not text: these bytes are no UTF-8")]
    NotText,
    /// The line has no moves, or starts with a space.
    #[error("no moves; '{EMPTY_BOARD}' is the empty board")]
    Empty,
    /// A move cannot be played.
    #[error("{0}")]
    Move(#[from] MoveError),
    /// The second word is not a whole number.
    #[error("{:?} is no score", shortened(.0))]
    Score(String),
}

impl MoveSequence {
    /// The position after these moves; `-` or nothing for the empty board.
    ///
    /// # Errors
    /// The first move that cannot be played.
    pub fn from_moves(moves: &str) -> Result<Self, MoveError> {
        let moves = if moves == EMPTY_BOARD { "" } else { moves };
        Ok(Self { moves: moves.to_owned(), board: Board::parse(moves)?, expected: None })
    }

    /// Reads a line without its line end: moves, optionally a score, and further words, which are ignored.
    ///
    /// # Errors
    /// A line that is too long, not UTF-8 or empty, a move that cannot be played, or a score that is no number.
    pub fn read(line: &[u8]) -> Result<Self, SequenceError> {
        if line.len() > MAX_LINE_BYTES {
            return Err(SequenceError::TooLong);
        }
        let line = std::str::from_utf8(line).map_err(|_| SequenceError::NotText)?;
        // Tools disagree on a leading space: the empty board with a score, or a position.
        if line.trim().is_empty() || line.starts_with(char::is_whitespace) {
            return Err(SequenceError::Empty);
        }
        let mut words = line.split_whitespace();
        let position = Self::from_moves(words.next().unwrap_or_default())?;
        let score = |word: &str| word.parse().map_err(|_| SequenceError::Score(word.to_owned()));
        Ok(Self { expected: words.next().map(score).transpose()?, ..position })
    }

    /// The moves as text; `-` for none.
    pub fn text(&self) -> &str {
        if self.moves.is_empty() { EMPTY_BOARD } else { &self.moves }
    }
}

/// The first 20 characters of a word, for an error message.
fn shortened(word: &str) -> String {
    let mut start: String = word.chars().take(20).collect();
    if start.len() < word.len() {
        start.push('…');
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(line: &[u8]) -> String {
        MoveSequence::read(line).expect_err("refused").to_string()
    }

    #[test]
    fn moves_and_a_score_and_what_is_not_read() {
        let position = MoveSequence::read(b"4455 -3 120 7").unwrap();
        assert_eq!((position.text(), position.expected), ("4455", Some(-3)));
        assert_eq!(MoveSequence::read(b"4455").unwrap().expected, None);
        assert_eq!(MoveSequence::read(b"4455 \t 2\r").unwrap().expected, Some(2));
        let empty = MoveSequence::read(b"- 1").unwrap();
        assert_eq!((empty.text(), empty.board, empty.expected), ("-", Board::new(), Some(1)));
    }

    #[test]
    fn every_fault_is_named() {
        assert_eq!(fault(b""), "no moves; '-' is the empty board");
        assert_eq!(fault(b" 1"), "no moves; '-' is the empty board");
        assert_eq!(fault(b"44 x"), "\"x\" is no score");
        assert_eq!(fault(b"44 1.5"), "\"1.5\" is no score");
        assert_eq!(fault(b"4a"), "move 2: 'a' is no column number");
        assert_eq!(fault(b"4\xff"), "not text: these bytes are no UTF-8");
        assert_eq!(fault(&[b'4'; 1001]), "longer than 1000 bytes");
        assert!(fault(&[b"44 ", &[b'9'; 900][..]].concat()).len() < 60);
    }
}

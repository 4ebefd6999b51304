//! A line of input: the moves of a position, and the score that it is said to have.

use crate::{Board, MoveError};

/// The word for the empty board, which has no moves to write.
pub const EMPTY_BOARD: &str = "-";

/// Longer lines are refused unread: no game has more than 42 moves.
pub const MAX_LINE_BYTES: usize = 1000;

/// A position to solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveSequence {
    /// The moves, one digit each.
    pub moves: String,
    pub board: Board,
    /// The score the line gives, for the side to move.
    pub expected: Option<i32>,
}

/// Why a line is no position.
#[derive(Debug, thiserror::Error)]
pub enum SequenceError {
    #[error("longer than {MAX_LINE_BYTES} bytes")]
    TooLong,
    #[error("not text: these bytes are no UTF-8")]
    NotText,
    #[error("no moves; '{EMPTY_BOARD}' is the empty board")]
    Empty,
    #[error("{0}")]
    Move(#[from] MoveError),
    #[error("{:?} is no score", shortened(.0))]
    Score(String),
}

impl MoveSequence {
    /// The position after these moves; `-` or nothing for the empty board.
    pub fn from_moves(moves: &str) -> Result<Self, MoveError> {
        let moves = if moves == EMPTY_BOARD { "" } else { moves };
        Ok(Self { moves: moves.to_owned(), board: Board::parse(moves)?, expected: None })
    }

    /// Reads a line without its end: moves, perhaps a score, and perhaps more that is not looked at.
    pub fn read(line: &[u8]) -> Result<Self, SequenceError> {
        if line.len() > MAX_LINE_BYTES {
            return Err(SequenceError::TooLong);
        }
        let line = std::str::from_utf8(line).map_err(|_| SequenceError::NotText)?;
        // A space in front would be an empty board with a score in some tools and a position in others.
        if line.trim().is_empty() || line.starts_with(char::is_whitespace) {
            return Err(SequenceError::Empty);
        }
        let mut words = line.split_whitespace();
        let position = Self::from_moves(words.next().unwrap_or_default())?;
        let score = |word: &str| word.parse().map_err(|_| SequenceError::Score(word.to_owned()));
        Ok(Self { expected: words.next().map(score).transpose()?, ..position })
    }

    /// The moves as they are written: `-` for none.
    pub fn text(&self) -> &str {
        if self.moves.is_empty() { EMPTY_BOARD } else { &self.moves }
    }
}

/// Enough of a word to know it by.
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

//! A training sample: a position, its score by search, and the result of its game. One line of text each.

use std::fmt;
use std::str::FromStr;

use mnemon_chess::pgn::GameResult;
use mnemon_chess::{ChessError, Color, Position};
use mnemon_table::Score;

/// A position to learn from. As text: `FEN | score | result`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    pub(super) position: Position,
    /// The search's score for White, in centipawns.
    pub(super) score: Score,
    /// Who won the game; `None` after a draw.
    pub(super) winner: Option<Color>,
}

/// Why a line is no sample.
#[derive(Debug, thiserror::Error)]
pub(super) enum SampleError {
    #[error("expected 'FEN | score | result', found {0} fields")]
    Fields(usize),
    #[error(transparent)]
    Position(#[from] ChessError),
    #[error("the score '{0}' is no number of centipawns")]
    Score(String),
    #[error("the result '{0}' is none of 1-0, 1/2-1/2, 0-1")]
    Result(String),
}

impl fmt::Display for Sample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} | {} | {}", self.position, self.score, GameResult::of_winner(self.winner))
    }
}

impl FromStr for Sample {
    type Err = SampleError;

    fn from_str(line: &str) -> Result<Self, SampleError> {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[fen, score, result] = fields.as_slice() else { return Err(SampleError::Fields(fields.len())) };
        Ok(Sample {
            position: fen.parse()?,
            score: score.parse().map_err(|_| SampleError::Score(clipped(score)))?,
            winner: winner(result).ok_or_else(|| SampleError::Result(clipped(result)))?,
        })
    }
}

/// The winner of a finished game; `None` for a text that is no result of one.
fn winner(result: &str) -> Option<Option<Color>> {
    match result.parse().ok()? {
        GameResult::WhiteWins => Some(Some(Color::White)),
        GameResult::BlackWins => Some(Some(Color::Black)),
        GameResult::Draw => Some(None),
        GameResult::Unknown => None,
    }
}

/// The beginning of a word of any length.
fn clipped(word: &str) -> String {
    word.chars().take(20).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let mut lines = 0;
        for fen in mnemon_engine::bench::POSITIONS {
            for winner in [None, Some(Color::White), Some(Color::Black)] {
                let sample = Sample { position: fen.parse().expect("a position"), score: -35, winner };
                assert_eq!(sample.to_string().parse::<Sample>().expect("a line"), sample);
                lines += 1;
            }
        }
        assert_eq!(lines, 60);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let fault = |line: &str| line.parse::<Sample>().expect_err("a fault").to_string();
        assert!(fault("8/8/4k3/8/8/4K3/4P3/8 w - - | 5").contains("found 2 fields"));
        assert!(fault("8/8/4k3/8/8/8/4P3/8 w - - | 5 | 1-0").contains("no white king"));
        assert!(fault("8/8/4k3/8/8/4K3/4P3/8 w - - | 5.5 | 1-0").contains("'5.5' is no number"));
        assert!(fault("8/8/4k3/8/8/4K3/4P3/8 w - - | 5 | 2-0").contains("'2-0' is none of"));
        assert!(fault("8/8/4k3/8/8/4K3/4P3/8 w - - | 5 | *").contains("'*' is none of"));
    }
}

//! What is learned from: a position, what the search said of it, and how its game ended. One line of text each.

use std::fmt;
use std::str::FromStr;

use mnemon_chess::{ChessError, Color, Position};
use mnemon_table::Score;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    WhiteWon,
    Drawn,
    BlackWon,
}

impl Ending {
    const ALL: [Ending; 3] = [Ending::WhiteWon, Ending::Drawn, Ending::BlackWon];

    pub(super) fn won_by(side: Color) -> Self {
        if side == Color::White { Ending::WhiteWon } else { Ending::BlackWon }
    }

    /// White's points.
    pub(super) fn points(self) -> f64 {
        match self {
            Ending::WhiteWon => 1.0,
            Ending::Drawn => 0.5,
            Ending::BlackWon => 0.0,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Ending::WhiteWon => "1-0",
            Ending::Drawn => "1/2-1/2",
            Ending::BlackWon => "0-1",
        }
    }
}

/// A position to learn from. As text: `FEN | score | ending`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    pub(super) position: Position,
    /// What the search said, in hundredths of a pawn, for White.
    pub(super) score: Score,
    pub(super) ending: Ending,
}

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
pub(super) enum SampleError {
    #[error("a line is 'FEN | score | ending', and this one has {0} fields")]
    Fields(usize),
    #[error(transparent)]
    Position(#[from] ChessError),
    #[error("the score '{0}' is no number of hundredths of a pawn")]
    Score(String),
    #[error("the ending '{0}' is none of 1-0, 1/2-1/2, 0-1")]
    Ending(String),
}

impl fmt::Display for Sample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} | {} | {}", self.position, self.score, self.ending.name())
    }
}

impl FromStr for Sample {
    type Err = SampleError;

    fn from_str(line: &str) -> Result<Self, SampleError> {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[fen, score, ending] = fields.as_slice() else { return Err(SampleError::Fields(fields.len())) };
        let found = Ending::ALL.into_iter().find(|one| one.name() == ending);
        Ok(Sample {
            position: fen.parse()?,
            score: score.parse().map_err(|_| SampleError::Score(clipped(score)))?,
            ending: found.ok_or_else(|| SampleError::Ending(clipped(ending)))?,
        })
    }
}

/// The beginning of a word that may be of any length.
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
            for ending in Ending::ALL {
                let sample = Sample { position: fen.parse().expect("a position"), score: -35, ending };
                assert_eq!(sample.to_string().parse::<Sample>().expect("a line"), sample);
                lines += 1;
            }
        }
        assert_eq!(lines, 60);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let fault = |line: &str| line.parse::<Sample>().expect_err("a fault").to_string();
        assert!(fault("8/8/4k3/8/8/4K3/4P3/8 w - - | 5").contains("has 2 fields"));
        assert!(fault("8/8/4k3/8/8/8/4P3/8 w - - | 5 | 1-0").contains("no white king"));
        assert!(fault("8/8/4k3/8/8/4K3/4P3/8 w - - | 5.5 | 1-0").contains("'5.5' is no number"));
        assert!(fault("8/8/4k3/8/8/4K3/4P3/8 w - - | 5 | 2-0").contains("'2-0' is none of"));
    }
}

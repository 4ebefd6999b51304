//! The Connect Four positions of an experiment: random ones, or those of a file.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use mnemon_connect4::Board;
use mnemon_connect4::sequence::{MAX_LINE_BYTES, MoveSequence, SequenceError};
use mnemon_search::lines::Lines;
use mnemon_search::random::Random;

use crate::error::cannot;
use crate::{LabError, Result};

/// Which positions, of how many stones, from which file.
#[derive(Args)]
pub(crate) struct Connect4Sample {
    /// Take the positions of this file, one a line, instead of random ones
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Stones on the board of a random position of Connect Four
    #[arg(long, default_value_t = 10, conflicts_with = "file", value_parser = clap::value_parser!(u32).range(0..=36))]
    stones: u32,
    /// Number of positions; of a file, the first ones [default: 100]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    positions: Option<u32>,
    /// Seed of the random positions of Connect Four
    #[arg(long, default_value_t = 1, conflicts_with = "file")]
    seed: u64,
}

/// The number of positions by default.
const DEFAULT_COUNT: u32 = 100;

impl Connect4Sample {
    /// The positions.
    pub(crate) fn boards(&self) -> Result<Vec<Board>> {
        let count = self.positions.unwrap_or(DEFAULT_COUNT) as usize;
        match &self.file {
            Some(path) => read(path, count),
            None => {
                let mut random = Random::new(self.seed);
                Ok((0..count).map(|_| random_board(&mut random, self.stones)).collect())
            }
        }
    }
}

impl Connect4Sample {
    /// The file, for a game with another format.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The number of positions, if it was given.
    pub(crate) fn count(&self) -> Option<u32> {
        self.positions
    }
}

/// The options that give the same positions again.
impl fmt::Display for Connect4Sample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(path) => write!(formatter, "--file {}", path.display())?,
            None => write!(formatter, "--stones {} --seed {}", self.stones, self.seed)?,
        }
        write!(formatter, " --positions {}", self.positions.unwrap_or(DEFAULT_COUNT))
    }
}

fn read(path: &Path, count: usize) -> Result<Vec<Board>> {
    let cannot_read = cannot("read", path);
    let mut lines = Lines::open(path, MAX_LINE_BYTES).map_err(&cannot_read)?;
    let wrong_line = |line: u64| {
        let path = path.to_owned();
        move |error: SequenceError| LabError::Line { path, line, reason: error.to_string() }
    };
    let mut boards = Vec::new();
    while boards.len() < count
        && let Some((number, line)) = lines.next().map_err(&cannot_read)?
    {
        if !line.starts_with(b"#") {
            boards.push(MoveSequence::read(&line).map_err(wrong_line(number.number))?.board);
        }
    }
    if boards.is_empty() { Err(LabError::NoPositions { path: path.to_owned() }) } else { Ok(boards) }
}

/// A position after `stones` random moves in which no side has won or can win with its next move.
pub(crate) fn random_board(random: &mut Random, stones: u32) -> Board {
    loop {
        let mut board = Board::new();
        while board.stones() < stones && !board.can_win_now() {
            let columns: Vec<usize> = board.columns().collect();
            board = board.play(columns[random.below(columns.len())]);
        }
        if board.stones() == stones && !board.can_win_now() {
            return board;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_undecided_positions() {
        let boards = |seed| {
            let mut random = Random::new(seed);
            (0..20).map(|_| random_board(&mut random, 36)).collect::<Vec<_>>()
        };
        assert_eq!(boards(1), boards(1));
        assert_ne!(boards(1), boards(2));
        assert!(boards(3).iter().all(|board| board.stones() == 36 && !board.can_win_now()));
    }
}

//! The samples of a fit: a training set, and every tenth game as a validation set.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use mnemon_chess::Color;
use mnemon_search::random::mix;

use super::features::Features;
use super::loss::Example;
use super::sample::{Sample, SampleError};
use crate::error::cannot;
use crate::play::SideResult;
use crate::{LabError, Result};
use mnemon_search::lines::read_line;

/// The longest line that is read; no FEN with its score and result is longer.
const MAX_LINE_BYTES: usize = 256;
/// One game in ten is for validation: whole games, because the positions of a game are similar.
const VALIDATION: u64 = 10;

/// The samples of a fit.
#[derive(Default)]
pub(super) struct Data {
    pub(super) training: Vec<Example>,
    pub(super) validation: Vec<Example>,
    pub(super) games: u64,
}

impl Data {
    /// Reads files; the seed decides which games are for validation.
    pub(super) fn read(paths: &[PathBuf], seed: u64) -> Result<Self> {
        let mut data = Data::default();
        for path in paths {
            data.read_file(path, seed)?;
        }
        if data.training.is_empty() || data.validation.is_empty() {
            return Err(LabError::TooLittleData(format!(
                "{} games are too few for a training set and a validation set",
                data.games
            )));
        }
        Ok(data)
    }

    fn read_file(&mut self, path: &Path, seed: u64) -> Result {
        let cannot = cannot("read", path);
        let mut reader = BufReader::new(File::open(path).map_err(&cannot)?);
        let (mut number, mut is_new) = (0_u64, true);
        while let Some(line) = read_line(&mut reader, MAX_LINE_BYTES).map_err(&cannot)? {
            number += 1;
            if line.is_empty() {
                is_new = true;
                continue;
            }
            self.games += u64::from(is_new);
            is_new = false;
            let sample: Sample = String::from_utf8_lossy(&line).parse().map_err(|error: SampleError| {
                LabError::Line { path: path.to_owned(), line: number, reason: error.to_string() }
            })?;
            let is_validation = mix(seed ^ mix(self.games)).is_multiple_of(VALIDATION);
            if is_validation { &mut self.validation } else { &mut self.training }.push(example(&sample));
        }
        Ok(())
    }
}

fn example(sample: &Sample) -> Example {
    let features = Features::of(sample.position.board());
    Example {
        features,
        score: sample.score,
        points: SideResult::for_side(Color::White, sample.winner).points(),
        target: 0.5,
    }
}

//! The files of positions, read for learning; every tenth game is kept aside to judge what was learned.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use mnemon_search::random::mix;

use super::error::Example;
use super::features::Features;
use super::sample::{Sample, SampleError};
use crate::error::cannot;
use crate::{LabError, Result};
use mnemon_search::lines::read_line;

/// No FEN with its score and ending is longer.
const LONGEST_LINE: usize = 256;
/// One game of so many is kept aside: whole games, because the positions of one game are much alike.
const KEPT_ASIDE: u64 = 10;

/// What to learn from.
#[derive(Default)]
pub(super) struct Data {
    pub(super) learning: Vec<Example>,
    pub(super) judging: Vec<Example>,
    pub(super) games: u64,
}

impl Data {
    /// Reads files; the seed decides which games are kept aside.
    pub(super) fn read(paths: &[PathBuf], seed: u64) -> Result<Self> {
        let mut data = Data::default();
        for path in paths {
            data.read_file(path, seed)?;
        }
        if data.learning.is_empty() || data.judging.is_empty() {
            return Err(LabError::TooLittleData(format!(
                "{} games are too few to learn from and to judge by",
                data.games
            )));
        }
        Ok(data)
    }

    fn read_file(&mut self, path: &Path, seed: u64) -> Result {
        let cannot = cannot("read", path);
        let mut reader = BufReader::new(File::open(path).map_err(&cannot)?);
        let (mut number, mut is_new) = (0_u64, true);
        while let Some(line) = read_line(&mut reader, LONGEST_LINE).map_err(&cannot)? {
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
            let is_aside = mix(seed ^ mix(self.games)).is_multiple_of(KEPT_ASIDE);
            if is_aside { &mut self.judging } else { &mut self.learning }.push(example(&sample));
        }
        Ok(())
    }
}

fn example(sample: &Sample) -> Example {
    let features = Features::of(sample.position.board());
    Example { features, score: sample.score, points: sample.ending.points(), target: 0.5 }
}

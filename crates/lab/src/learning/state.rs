//! The file that makes the experiment resumable: one line for each series of games that is finished.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::series::{Opponent, Rounds, SeriesResult};
use crate::error::cannot;
use crate::play::SideResult;
use crate::{LabError, Result};

const HEAD: &str = "mnemon lab learning, finished series";

/// The finished series of an experiment, in a file.
pub(super) struct State {
    path: PathBuf,
    pub(super) results: Vec<SeriesResult>,
}

impl State {
    /// Reads what an earlier run of this experiment has finished, or begins the file.
    ///
    /// # Errors
    /// A file that cannot be read or written, or that is of another experiment.
    pub(super) fn open(path: &Path, experiment: &str) -> Result<Self> {
        let head = format!("{HEAD}: {experiment}\n");
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(cannot("create", folder))?;
        }
        if !path.exists() {
            fs::write(path, &head).map_err(cannot("write", path))?;
        }
        let text = fs::read_to_string(path).map_err(cannot("read", path))?;
        let Some(lines) = text.strip_prefix(&head) else {
            return Err(LabError::Usage(format!(
                "{} is no state of this experiment: another command wrote it; delete it, or name another file by --state",
                path.display()
            )));
        };
        let mut state = State { path: path.to_owned(), results: Vec::new() };
        // A line that was cut off by a kill is played again, with its career.
        lines.lines().filter_map(parse).for_each(|result| state.replace(result));
        Ok(state)
    }

    /// The results of a series, if it is finished.
    pub(super) fn get(&self, learner: &str, opponent: Opponent, seed: u64) -> Option<&SeriesResult> {
        self.results
            .iter()
            .find(|known| (known.learner.as_str(), known.opponent, known.seed) == (learner, opponent, seed))
    }

    fn replace(&mut self, result: SeriesResult) {
        let key = |result: &SeriesResult| (result.learner.clone(), result.opponent, result.seed);
        self.results.retain(|known| key(known) != key(&result));
        self.results.push(result);
    }

    /// Adds the series of a career, in one write.
    pub(super) fn add(&mut self, results: Vec<SeriesResult>) -> Result {
        let text: String = results.iter().map(line).collect();
        // After a line that was cut off, a new one begins.
        let text = format!("\n{text}");
        let mut file = OpenOptions::new().append(true).open(&self.path).map_err(cannot("write", &self.path))?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_data()).map_err(cannot("write", &self.path))?;
        results.into_iter().for_each(|result| self.replace(result));
        Ok(())
    }
}

fn line(result: &SeriesResult) -> String {
    let SeriesResult { learner, opponent, seed, rounds, records } = result;
    let letter = |result: &SideResult| match result {
        SideResult::Loss => 'l',
        SideResult::Draw => 'd',
        SideResult::Win => 'w',
    };
    let rounds: Vec<String> = rounds.iter().map(|games| games.iter().map(letter).collect()).collect();
    format!("{learner} {} {seed} {records} {};\n", opponent.name(), rounds.join("/"))
}

fn parse(line: &str) -> Option<SeriesResult> {
    let words: Vec<&str> = line.strip_suffix(';')?.split(' ').collect();
    let [learner, opponent, seed, records, rounds] = words[..] else { return None };
    let result = |letter| match letter {
        'l' => Some(SideResult::Loss),
        'd' => Some(SideResult::Draw),
        'w' => Some(SideResult::Win),
        _ => None,
    };
    let rounds: Option<Rounds> = rounds.split('/').map(|games| games.chars().map(result).collect()).collect();
    Some(SeriesResult {
        learner: learner.to_owned(),
        opponent: Opponent::ALL.into_iter().find(|known| known.name() == opponent)?,
        seed: seed.parse().ok()?,
        rounds: rounds?,
        records: records.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_finished_is_read_again_and_a_cut_line_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep/learning.state");
        let result = SeriesResult {
            learner: "bebe".to_owned(),
            opponent: Opponent::Varying,
            seed: 3,
            rounds: vec![vec![SideResult::Win, SideResult::Draw], vec![SideResult::Loss, SideResult::Loss]],
            records: 77,
        };
        let mut state = State::open(&path, "this").expect("a new file");
        state.add(vec![result.clone(), SeriesResult { opponent: Opponent::Foreign, ..result.clone() }]).expect("kept");
        let text = fs::read_to_string(&path).expect("a file");
        assert_eq!(State::open(&path, "this").expect("the same").results.len(), 2);
        fs::write(&path, &text[..text.len() - 3]).expect("cut");
        assert_eq!(State::open(&path, "this").expect("the same").results, [result]);
        assert!(State::open(&path, "another").is_err());
        assert_eq!(fs::read_to_string(&path).expect("a file"), text[..text.len() - 3], "it is left as it was");
    }
}

//! `mnemon lab tune play`: games of the engine against itself, to a file that grows game by game.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use clap::Args;
use mnemon_search::random::{Random, mix};

use super::games::Player;
use super::sample::Sample;
use crate::error::cannot;
use crate::report::{Progress, Report, say};
use crate::{LabError, Result};

/// How many games, and how.
#[derive(Args)]
pub struct Arguments {
    /// How many games the file shall have; those that are in it already count
    #[arg(long, default_value_t = 1_000)]
    games: u64,
    /// Nodes a move
    #[arg(long, default_value_t = 4_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1_024))]
    threads: u16,
    /// Which openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file, which grows by each finished game
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments, report: &dyn Report) -> Result {
    let (file, there) = open(&arguments.out)?;
    let progress = Progress::resumed(report, "games", there, arguments.games);
    let ledger = Mutex::new(Ledger { file, next: there, waiting: BTreeMap::new(), positions: 0 });
    let next = AtomicU64::new(there);
    thread::scope(|scope| {
        let play = || play_games(arguments, &next, &ledger, &progress);
        let threads: Vec<_> = (0..arguments.threads).map(|_| scope.spawn(play)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })?;
    drop(progress);
    let ledger = ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
    let played = ledger.next - there;
    say(report, format_args!("{played} games, {} positions to {}", ledger.positions, arguments.out.display()))
}

/// Plays one game after the other until all have been taken.
fn play_games(arguments: &Arguments, next: &AtomicU64, ledger: &Mutex<Ledger>, progress: &Progress<'_>) -> Result {
    let mut player = Player::new(arguments.nodes)?;
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= arguments.games {
            return Ok(());
        }
        let samples = player.play(&mut Random::new(mix(arguments.seed).wrapping_add(mix(number))));
        let lines: String = samples.iter().map(|sample| format!("{sample}\n")).collect();
        let mut ledger = ledger.lock().unwrap_or_else(PoisonError::into_inner);
        ledger.enter(number, samples.len(), lines + "\n").map_err(cannot("write", &arguments.out))?;
        progress.advance(1);
    }
}

/// The file and the games that wait for an earlier one: they are written in order, so that the same seed gives the same
/// file with any number of threads, and a run that was stopped goes on where it was.
struct Ledger {
    file: File,
    next: u64,
    waiting: BTreeMap<u64, (usize, String)>,
    positions: usize,
}

impl Ledger {
    fn enter(&mut self, number: u64, positions: usize, game: String) -> std::io::Result<()> {
        self.waiting.insert(number, (positions, game));
        while let Some((positions, game)) = self.waiting.remove(&self.next) {
            self.file.write_all(game.as_bytes())?;
            self.next += 1;
            self.positions += positions;
        }
        Ok(())
    }
}

/// The file at its end, and how many games are in it. An empty line ends a game; one that a stop has cut off is removed.
///
/// A file of anything else is refused, so that a slip of the pen does not cut it off.
fn open(path: &Path) -> Result<(File, u64)> {
    let cannot = cannot("write", path);
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(&cannot)?;
    }
    let text = if path.exists() { fs::read_to_string(path).map_err(&cannot)? } else { String::new() };
    if let Some(line) = text.lines().next() {
        line.parse::<Sample>().map_err(|error| LabError::Line {
            path: path.to_owned(),
            line: 1,
            reason: format!("the file has other things in it: {error}"),
        })?;
    }
    let ends = text.match_indices("\n\n").map(|(at, end)| at + end.len());
    let (games, length) = ends.fold((0, 0), |(games, _), end| (games + 1, end));
    let file = OpenOptions::new().create(true).append(true).open(path).map_err(&cannot)?;
    file.set_len(length as u64).map_err(&cannot)?;
    Ok((file, games))
}

//! `mnemon lab tune play`: games of the engine against itself, appended to a file one by one.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use mnemon_search::random::{Random, mix};
use mnemon_table::file::{OwnKind, open_regular, open_to_append};

use super::sample::Sample;
use super::self_play::SelfPlayer;
use crate::console::{Console, ProgressBar, say};
use crate::error::cannot;
use crate::threads::run_workers;
use crate::{LabError, Result};

/// The number of games and their terms.
#[derive(Args)]
pub struct Arguments {
    /// Number of games that the file shall have, with those that it has already
    #[arg(long, default_value_t = 1_000)]
    games: u64,
    /// Nodes a move
    #[arg(long, default_value_t = 4_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games played at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1_024))]
    threads: u16,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File to which each finished game is appended
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    let (file, present) = open(&arguments.out)?;
    let progress = ProgressBar::resumed(console, "games", present, arguments.games);
    let games = Mutex::new(GameFile { file, next: present, waiting: BTreeMap::new(), positions: 0 });
    let next = AtomicU64::new(present);
    let play = || play_games(arguments, &next, &games, &progress);
    run_workers(console, vec![play; arguments.threads.into()])?.into_iter().collect::<Result>()?;
    drop(progress);
    let games = games.into_inner().unwrap_or_else(PoisonError::into_inner);
    let played = games.next - present;
    say(console, format_args!("{played} games, {} positions to {}", games.positions, arguments.out.display()))
}

/// Plays one game after the other until none is left.
fn play_games(arguments: &Arguments, next: &AtomicU64, games: &Mutex<GameFile>, progress: &ProgressBar<'_>) -> Result {
    let mut player = SelfPlayer::new(arguments.nodes)?;
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= arguments.games {
            return Ok(());
        }
        let samples = player.play(&mut Random::new(mix(arguments.seed).wrapping_add(mix(number))));
        let lines: String = samples.iter().map(|sample| format!("{sample}\n")).collect();
        let mut games = games.lock().unwrap_or_else(PoisonError::into_inner);
        games.add(number, samples.len(), lines + "\n").map_err(cannot("write", &arguments.out))?;
        progress.advance(1);
    }
}

/// The file, and the finished games that wait for an earlier one. Games are written in order, so that the same seed gives
/// the same file with any number of threads, and a run that was stopped can be resumed.
struct GameFile {
    file: File,
    next: u64,
    waiting: BTreeMap<u64, (usize, String)>,
    positions: usize,
}

impl GameFile {
    fn add(&mut self, number: u64, positions: usize, game: String) -> std::io::Result<()> {
        self.waiting.insert(number, (positions, game));
        while let Some((positions, game)) = self.waiting.remove(&self.next) {
            self.file.write_all(game.as_bytes())?;
            self.next += 1;
            self.positions += positions;
        }
        Ok(())
    }
}

/// Opens the file at its end, and counts its games. An empty line ends a game; a last game without one was cut off when the
/// run was stopped, and is removed.
///
/// A file of anything else is refused, so that a mistyped path does not truncate it.
fn open(path: &Path) -> Result<(File, u64)> {
    let cannot = cannot("write", path);
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(&cannot)?;
    }
    let mut text = String::new();
    if path.exists() {
        open_regular(path)?.read_to_string(&mut text).map_err(&cannot)?;
    }
    if let Some(line) = text.lines().next() {
        line.parse::<Sample>().map_err(|error| LabError::Line {
            path: path.to_owned(),
            line: 1,
            reason: format!("this is no file of samples: {error}"),
        })?;
    }
    let ends = text.match_indices("\n\n").map(|(at, end)| at + end.len());
    let (games, length) = ends.fold((0, 0), |(games, _), end| (games + 1, end));
    let file = open_to_append(path, &OwnKind::TEXT)?;
    file.set_len(length as u64).map_err(&cannot)?;
    Ok((file, games))
}

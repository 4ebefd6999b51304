//! `mnemon analyze`: a position, a test suite or games, analysed by our own engine or by another one over UCI.
//!
//! Each analysis recalls, searches and learns. Its summary says what was recalled, what is new, and what that saved.

mod analyst;
mod annotate;
mod annotated_file;
mod engine_args;
mod figures;
mod limit;
mod live;
mod memory_args;
mod objects;
mod own_engine;
mod played_line;
mod screen;
mod side_by_side;
mod single;
mod suite;
mod summary;
mod tally;
mod uci_engine;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use mnemon_chess::Position;
use mnemon_engine::GameHistory;
use mnemon_memory::policy::Policy;

use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::{Result, UsageError};
use analyst::{Analyst, Terms};
use memory_args::OpenMemory;
use mnemon_chess::pgn::PgnReader;
use mnemon_chess::read_line_of_play;
use own_engine::OwnEngine;
use uci_engine::UciEngine;

/// What `mnemon analyze -h` says after the options.
const SHORT_NOTES: &str = "\
Without anything: six seconds for the starting position. Run it twice: the second time goes on where the first one \
stopped.";

/// What `mnemon analyze --help` says after the options.
const NOTES: &str = concat!(
    "\
Without a limit a position is analysed for six seconds, and each position of a file for one second. Ctrl-C ends the \
search, keeps what was found, and shows it; a second one quits at once.

Scores are in pawns, and #3 is a mate in three moves. They are for the side to move, and for White in the table of a \
game. What a move of a game loses is the score of the engine's move less that of the move played, each no more than six \
pawns: from half a pawn on it is marked ?!, from one ?, from two ??.

Without --memory the memory is MNEMON_MEMORY, or else ",
    crate::memory_location::default_path!(),
    ". docs/analyze.md has the members of the JSON objects."
);

/// What to analyse, to which limit, and the form of the output.
#[derive(Args)]
#[command(after_help = SHORT_NOTES, after_long_help = NOTES)]
pub(crate) struct Arguments {
    /// The position: a FEN or 'startpos', perhaps with 'moves e4 e5' after it
    #[arg(value_name = "FEN", conflicts_with_all = ["epd", "pgn"])]
    position: Vec<String>,
    /// Analyse each position of this EPD file, and compare with its best moves (bm) and moves to avoid (am)
    #[arg(long, value_name = "FILE", conflicts_with = "pgn")]
    epd: Option<PathBuf>,
    /// Analyse each position of the games in this PGN file, and say what each move loses
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the games to this file, with evaluations, marks, and better lines as variations
    #[arg(long, value_name = "FILE", requires = "pgn")]
    annotate: Option<PathBuf>,
    /// Of each game, also its variations
    #[arg(long, requires = "pgn")]
    variations: bool,
    #[command(flatten)]
    limit: limit::Arguments,
    /// The number of best lines to find
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Of each game only from this move on
    #[arg(long, value_name = "N", requires = "pgn", default_value_t = 1)]
    from_move: u16,
    /// Of each game only up to this move
    #[arg(long, value_name = "N", requires = "pgn", default_value_t = u16::MAX, hide_default_value = true)]
    to_move: u16,
    /// Answer with JSON objects, one a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    memory: memory_args::MemoryArgs,
    /// Size of the table in RAM, in MiB [default: 64, or what the engine chooses]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=33_554_432))]
    hash: Option<u64>,
    /// Threads; with one, the same input gives the same nodes [default: 1, or what the engine chooses]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    engine: engine_args::EngineArgs,
}

impl Arguments {
    fn terms(&self, memory: Option<&OpenMemory>) -> Result<Terms> {
        Ok(Terms {
            limit: self.limit.limit(self.epd.is_some() || self.pgn.is_some()),
            memory: memory.map(|opened| opened.path.clone()),
            policy: memory.map_or(Policy::Off, |opened| opened.policy),
            interrupt: Interrupt::listen(|| ())?,
        })
    }

    /// The options of another engine that arguments of ours stand for.
    fn engine_options(&self) -> Vec<(String, String)> {
        let threads = self.threads.map(|threads| ("Threads", threads.to_string()));
        let hash = self.hash.map(|hash| ("Hash", hash.to_string()));
        let lines = (self.multipv > 1).then(|| ("MultiPV", self.multipv.to_string()));
        let options = [threads, hash, lines].into_iter().flatten();
        options.map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// The engines that were named, started.
    fn other_engines(&self) -> Result<Vec<UciEngine>> {
        let setups = self.engine.setups(&self.engine_options())?;
        if setups.is_empty() {
            return Ok(Vec::new());
        }
        let opened = self.memory.open()?;
        let memory = self.memory.for_other_engines(opened.as_ref())?;
        let terms = self.terms(opened.as_ref())?;
        setups.iter().map(|setup| UciEngine::start(setup, terms.clone(), memory.clone())).collect()
    }

    /// The one that analyses: another engine if one is named, or else our own.
    fn analyst(&self, mut others: Vec<UciEngine>) -> Result<Box<dyn Analyst>> {
        if others.len() > 1 {
            return Err(UsageError::new("two engines analyse one position side by side; for a file name one").into());
        }
        if let Some(other) = others.pop() {
            return Ok(Box::new(other));
        }
        let opened = self.memory.open()?;
        let terms = self.terms(opened.as_ref())?;
        Ok(Box::new(OwnEngine::new(self, terms, opened)?))
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    // Errors of the input are found before anything is searched.
    match (&arguments.epd, &arguments.pgn) {
        (Some(file), _) => {
            let suite = suite::Suite::read(file)?;
            suite::run(arguments, suite, &mut *arguments.analyst(arguments.other_engines()?)?)
        }
        (_, Some(file)) => {
            let is_whole = arguments.variations || arguments.annotate.is_some();
            let open = if is_whole { PgnReader::open_whole } else { PgnReader::open };
            let games = open(file)?;
            annotate::run(arguments, games, &mut *arguments.analyst(arguments.other_engines()?)?)
        }
        _ => {
            let game = game(&arguments.position)?;
            let mut others = arguments.other_engines()?;
            if others.len() > 1 {
                return side_by_side::run(arguments, &game, &mut others);
            }
            single::run(arguments, game, &mut *arguments.analyst(others)?)
        }
    }
}

/// The game that the arguments describe; without arguments, one that has not begun.
fn game(words: &[String]) -> Result<GameHistory> {
    if words.is_empty() {
        return Ok(GameHistory::default());
    }
    let text = words.join(" ");
    let explain = |error| {
        UsageError(format!(
            "{:?} is no position: {error}; expected a FEN or 'startpos', perhaps with 'moves e4 e5' after it",
            text.trim()
        ))
    };
    let (start, moves) = read_line_of_play(&text).map_err(explain)?;
    Ok(with_moves(start, &moves))
}

/// The game from a position on by legal moves.
fn with_moves(start: Position, moves: &[mnemon_chess::Move]) -> GameHistory {
    let mut game = GameHistory::from(start);
    moves.iter().for_each(|&mv| game.play(mv));
    game
}

/// The exit code of a whole file: `is_fine` says that no error was reported.
fn exit_code(analyst: &dyn Analyst, is_fine: bool) -> ExitCode {
    match (analyst.is_interrupted(), is_fine) {
        (true, _) => ExitCode::from(INTERRUPTED),
        (false, true) => ExitCode::SUCCESS,
        (false, false) => ExitCode::FAILURE,
    }
}

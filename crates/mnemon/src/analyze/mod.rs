//! `mnemon analyze`: a position, a test suite or games, analysed by the engine that remembers.
//!
//! Each analysis recalls, searches and learns. Its summary says what was recalled, what is new, and what that saved.

mod analyst;
mod annotate;
pub(crate) mod figures;
pub(crate) mod interrupt;
pub(crate) mod limit;
mod live;
mod memory_args;
mod objects;
pub(crate) mod screen;
mod single;
mod suite;
mod summary;
mod tally;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use mnemon_chess::Position;
use mnemon_engine::GameHistory;

use crate::{Result, UsageError};
use analyst::Analyst;
use mnemon_chess::read_line_of_play;

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
    /// Size of the table in RAM, in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=33_554_432))]
    hash: u64,
    /// Threads; with one, the same input gives the same nodes
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    // Errors of the input are found before anything is searched.
    match (&arguments.epd, &arguments.pgn) {
        (Some(file), _) => {
            let suite = suite::Suite::read(file)?;
            suite::run(arguments, suite, &mut Analyst::new(arguments)?)
        }
        (_, Some(file)) => {
            let games = mnemon_chess::pgn::PgnReader::open(file)?;
            annotate::run(arguments, games, &mut Analyst::new(arguments)?)
        }
        _ => {
            let game = game(&arguments.position)?;
            single::run(arguments, game, &mut Analyst::new(arguments)?)
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

/// The exit code of a file that was not analysed to its end, as shells number an interrupt.
pub(crate) const INTERRUPTED: u8 = 130;

/// The exit code of a whole file: `is_fine` says that no error was reported.
fn exit_code(analyst: &Analyst, is_fine: bool) -> ExitCode {
    match (analyst.is_interrupted(), is_fine) {
        (true, _) => ExitCode::from(INTERRUPTED),
        (false, true) => ExitCode::SUCCESS,
        (false, false) => ExitCode::FAILURE,
    }
}

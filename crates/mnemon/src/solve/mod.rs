//! `mnemon solve`: Connect Four positions and their scores.
//!
//! Every score is for the side to move: positive when it wins, 0 for a draw, negative when it loses.

mod bench;
pub(crate) mod book;
pub(crate) mod input;
pub(crate) mod outcome;
pub(crate) mod picture;
mod session;
mod write;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::Result;
use crate::connect4::solver::Settings;

/// How a score is to be read, wherever one is shown.
pub(crate) const SIGNS: &str = "scores are for the side to move: + it wins, 0 draw, - it loses; the sooner, the larger";

/// What `mnemon solve -h` says after the options.
const SHORT_NOTES: &str = "Scores are for the side to move: + it wins, 0 draw, - it loses.";

/// What `mnemon solve --help` says after the options.
const NOTES: &str = "\
A position is its moves from the empty board: one digit a move, 1 for the leftmost column; '-' is the empty board. \
A score may follow on the line, which --verify checks; what follows the score is not read, and lines that begin with \
'#' are skipped. Without arguments and --file, positions are read from stdin.

Scores are for the side to move: positive when it wins, 0 for a draw, negative when it loses. A win with the winner's \
n-th stone scores 22 - n, so a faster win scores more. With --weak a score is only 1, 0 or -1.

To a pipe or a file, each position is answered with a line: moves, score, nodes, microseconds, and with --all the \
score of each column from the left, '-' for a full one. What the tables learn from one position serves the next, so \
nodes depend on the positions before; only --bench forgets between them.";

/// What to solve, and the form of the output.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, after_help = SHORT_NOTES, after_long_help = NOTES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    /// Positions, as digits: 4455 is the centre, the centre again, and twice the column right of it
    #[arg(value_name = "MOVES")]
    positions: Vec<OsString>,
    /// Read positions from this file, one a line; may be given several times
    #[arg(long, value_name = "FILE")]
    file: Vec<PathBuf>,
    /// Only who wins: scores are 1, 0 or -1
    #[arg(long)]
    weak: bool,
    /// The score of every column
    #[arg(long)]
    all: bool,
    /// Answer with a JSON object a line
    #[arg(long, conflicts_with = "draw")]
    json: bool,
    /// Draw each board, as a terminal shows a single position
    #[arg(long)]
    draw: bool,
    /// Compare with the scores that follow the moves
    #[arg(long)]
    verify: bool,
    /// For each file, mean time and mean positions, with the tables cleared before each position
    #[arg(long, conflicts_with_all = ["all", "draw", "book"])]
    bench: bool,
    /// Look positions up in this opening book first
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    #[command(flatten)]
    engine: Settings,
}

/// The subcommands.
#[derive(Subcommand)]
enum Action {
    /// Make an opening book, or continue one that was interrupted
    Book(book::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let is_fine = match &arguments.action {
        Some(Action::Book(book)) => book::run(book)?,
        None => session::run(arguments)?,
    };
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

//! `mnemon play`: a game against the solver, in a terminal or through a pipe.

mod game;
mod opponent;

use clap::{Args, Subcommand, ValueEnum};

use crate::Result;
use crate::connect4::solver::Settings;

/// The games.
#[derive(Subcommand)]
pub(crate) enum Game {
    /// Connect Four: columns are typed as 1 to 7; 'undo', 'hint' and 'quit' do what they say
    Connect4(Arguments),
}

/// How the computer plays, and who begins.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Who begins; without it the program asks
    #[arg(long, value_name = "WHO")]
    start: Option<Side>,
    /// Look only this many moves ahead instead of playing perfectly
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u8).range(1..=8))]
    level: Option<u8>,
    /// Look positions up in this opening book first
    #[arg(long, value_name = "FILE")]
    book: Option<std::path::PathBuf>,
    #[command(flatten)]
    engine: Settings,
}

/// The players.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    /// You
    Me,
    /// The solver
    Computer,
}

pub(crate) fn run(game: &Game) -> Result {
    let Game::Connect4(arguments) = game;
    game::run(arguments)
}

#![doc = include_str!("../README.md")]

mod bounds;
mod bratko_kopec;
mod connect4_sample;
mod console;
mod error;
mod explore;
mod game_match;
mod learning;
mod memory_costs;
mod middlegames;
mod play;
mod played_games;
mod plot;
mod random;
mod replacement;
mod results;
mod resume;
mod statistics;
mod suite;
mod techniques;
mod threads;
mod tune;

use clap::Subcommand;

pub use console::{Console, Silent};
pub use error::{LabError, Result};

/// An experiment with its arguments. They are arguments of a command line, so that a page of results can state the command
/// that gives it again.
#[derive(Subcommand)]
pub enum Experiment {
    /// Nodes to a fixed depth for every replacement scheme and table size (Breuker and others, 1994)
    Replacement(replacement::Arguments),
    /// Nodes by what the table keeps, each kind of bound and the hash move, in Connect Four or chess
    Bounds(bounds::Arguments),
    /// Score by round of each learning policy against one opponent, then against a stranger ("Learning in Bebe", 1990)
    Learning(learning::Arguments),
    /// Costs and gains of the long-term memory: restarts, learning, recall, bytes and records a second
    Memory(memory_costs::Arguments),
    /// Nodes of an analysis after a restart, cold and with a memory, on the Bratko-Kopec positions
    Resume(resume::Arguments),
    /// One long search of a position against a tree that grows from it, with the same number of nodes
    Explore(explore::Arguments),
    /// Match between two UCI engines: the score, and the difference in Elo with its interval
    Match(Box<game_match::Arguments>),
    /// Test positions with known best moves: the number solved, and the points
    Suite(suite::Arguments),
    /// Nodes of the Connect Four solver with each of its techniques switched off in turn
    Techniques(techniques::Arguments),
    /// Tune the chess evaluation's weights with games of the engine against itself
    #[command(subcommand)]
    Tune(tune::Step),
}

/// MiB in bytes. A size that does not fit a `usize` becomes the largest, which every table refuses as too large.
fn mebibytes(count: u64) -> usize {
    usize::try_from(count << 20).unwrap_or(usize::MAX)
}

/// Runs the experiment. Results go to `console` and to the files that the arguments name.
///
/// # Errors
/// Whatever keeps the experiment from a result. Arguments that ask for something that does not exist are
/// [`LabError::Usage`]; a line that cannot be written, such as to a closed pipe, is [`LabError::Console`].
pub fn run(experiment: &Experiment, console: &dyn Console) -> Result {
    match experiment {
        Experiment::Replacement(arguments) => replacement::run(arguments, console),
        Experiment::Bounds(arguments) => bounds::run(arguments, console),
        Experiment::Learning(arguments) => learning::run(arguments, console),
        Experiment::Memory(arguments) => memory_costs::run(arguments, console),
        Experiment::Resume(arguments) => resume::run(arguments, console),
        Experiment::Explore(arguments) => explore::run(arguments, console),
        Experiment::Match(arguments) => game_match::run(arguments, console),
        Experiment::Suite(arguments) => suite::run(arguments, console),
        Experiment::Techniques(arguments) => techniques::run(arguments, console),
        Experiment::Tune(step) => tune::run(step, console),
    }
}

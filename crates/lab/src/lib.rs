#![doc = include_str!("../README.md")]

mod bounds;
mod bratko_kopec;
mod connect4_sample;
mod error;
mod game_match;
mod learning;
mod memory_costs;
mod middlegames;
mod play;
mod plot;
mod random_moves;
mod replacement;
mod report;
mod results;
mod resume;
mod statistics;
mod suite;
mod techniques;
mod tune;

use clap::Subcommand;

pub use error::{LabError, Result};
pub use report::{Report, Silent};

/// The experiments.
#[derive(Subcommand)]
pub enum Experiment {
    /// Nodes to a fixed depth for every replacement scheme and table size (Breuker and others, 1994)
    Replacement(replacement::Arguments),
    /// What each kind of bound and the best move are worth in the table, in Connect Four or chess
    Bounds(bounds::Arguments),
    /// Score by round of each learning policy against one opponent, and against another ("Learning in Bebe", 1990)
    Learning(learning::Arguments),
    /// What the long-term memory costs and gives: restarts, learning, recall, bytes and records a second
    Memory(memory_costs::Arguments),
    /// Cold against warm: the Bratko-Kopec positions analysed again after a restart
    Resume(resume::Arguments),
    /// Two engines play each other over UCI: the score, and the difference in Elo with its interval
    Match(Box<game_match::Arguments>),
    /// Test positions with known answers: how many are solved, and how many points they give
    Suite(suite::Arguments),
    /// Connect Four with each technique of the search switched off, one at a time
    Techniques(techniques::Arguments),
    /// The chess evaluation's weights, from games that the engine plays against itself
    #[command(subcommand)]
    Tune(tune::Step),
}

/// Bytes of so many MiB, as large as the machine can count: a table then says that it is too large.
fn mebibytes(count: u64) -> usize {
    usize::try_from(count << 20).unwrap_or(usize::MAX)
}

/// Runs the experiment: results go to `report`, and to the files that its arguments name.
///
/// # Errors
/// Why there is no result; a report that nobody takes is [`LabError::Report`].
pub fn run(experiment: &Experiment, report: &dyn Report) -> Result {
    match experiment {
        Experiment::Replacement(arguments) => replacement::run(arguments, report),
        Experiment::Bounds(arguments) => bounds::run(arguments, report),
        Experiment::Learning(arguments) => learning::run(arguments, report),
        Experiment::Memory(arguments) => memory_costs::run(arguments, report),
        Experiment::Resume(arguments) => resume::run(arguments, report),
        Experiment::Match(arguments) => game_match::run(arguments, report),
        Experiment::Suite(arguments) => suite::run(arguments, report),
        Experiment::Techniques(arguments) => techniques::run(arguments, report),
        Experiment::Tune(step) => tune::run(step, report),
    }
}

#![doc = include_str!("../README.md")]

mod bars;
mod bounds;
mod bratko_kopec;
mod game_match;
mod learning;
mod memory_costs;
mod middle_games;
mod output;
mod plot;
mod progress;
mod replacement;
mod results;
mod resume;
mod sample;
mod suite;
mod techniques;
mod tune;

use clap::Subcommand;

/// What an experiment may fail with.
pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

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

/// Runs the experiment.
///
/// # Errors
/// What went wrong, for the person who started it.
pub fn run(experiment: &Experiment) -> Result {
    match experiment {
        Experiment::Replacement(arguments) => replacement::run(arguments),
        Experiment::Bounds(arguments) => bounds::run(arguments),
        Experiment::Learning(arguments) => learning::run(arguments),
        Experiment::Memory(arguments) => memory_costs::run(arguments),
        Experiment::Resume(arguments) => resume::run(arguments),
        Experiment::Match(arguments) => game_match::run(arguments),
        Experiment::Suite(arguments) => suite::run(arguments),
        Experiment::Techniques(arguments) => techniques::run(arguments),
        Experiment::Tune(step) => tune::run(step),
    }
}

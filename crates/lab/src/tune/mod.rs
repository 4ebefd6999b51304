//! `mnemon lab tune`: the chess evaluation's weights, fitted to games that the engine plays against itself.
//!
//! `play` writes positions of these games with the search's score and the game's result; `fit` fits the weights to both
//! and writes them as the source file that the engine is built from.

mod data;
mod descent;
mod features;
mod fit;
mod loss;
mod play;
mod sample;
mod self_play;
mod source;
#[cfg(test)]
mod testing;

use clap::Subcommand;

use crate::{Console, Result};

/// The two steps of tuning.
#[derive(Subcommand)]
pub enum Step {
    /// Play games of the engine against itself, and write their quiet positions to a file
    Play(play::Arguments),
    /// Fit the weights to these files, and write them as the engine's source
    Fit(fit::Arguments),
}

pub(crate) fn run(step: &Step, console: &dyn Console) -> Result {
    match step {
        Step::Play(arguments) => play::run(arguments, console),
        Step::Fit(arguments) => fit::run(arguments, console),
    }
}

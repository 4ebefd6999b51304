//! `mnemon lab tune`: the chess evaluation's weights, fitted to games that the engine plays against itself.
//!
//! `play` writes positions of such games with what the search said of them and how the game ended; `fit` makes the
//! weights agree with both, and writes them as the source file that the engine is built from.

mod data;
mod descent;
mod error;
mod features;
mod fit;
mod games;
mod play;
mod sample;
mod source;
#[cfg(test)]
mod testing;

use clap::Subcommand;

use crate::{Report, Result};

/// The two steps.
#[derive(Subcommand)]
pub enum Step {
    /// The engine plays against itself; quiet positions of its games go to a file
    Play(play::Arguments),
    /// Fits the weights to such files, and writes them as the engine's source
    Fit(fit::Arguments),
}

pub(crate) fn run(step: &Step, report: &dyn Report) -> Result {
    match step {
        Step::Play(arguments) => play::run(arguments, report),
        Step::Fit(arguments) => fit::run(arguments, report),
    }
}

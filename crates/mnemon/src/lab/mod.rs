//! `mnemon lab`: experiments that can be repeated, with their results as Markdown, CSV and a plot.

mod plot;
mod replacement;
mod results;

use clap::Subcommand;

use crate::Result;

/// The experiments.
#[derive(Subcommand)]
pub(crate) enum Experiment {
    /// Nodes to a fixed depth for every replacement scheme and table size (Breuker and others, 1994)
    Replacement(replacement::Arguments),
}

pub(crate) fn run(experiment: &Experiment) -> Result {
    match experiment {
        Experiment::Replacement(arguments) => replacement::run(arguments),
    }
}

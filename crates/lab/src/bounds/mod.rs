//! `mnemon lab bounds`: what each kind of bound, and the best move, are worth in the table.

mod chess;
mod connect4;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::bars;
use super::results::Grid;
use super::sample::Sample;
use crate::{Report, Result};

/// What to measure.
#[derive(Args)]
pub struct Arguments {
    /// The game: Connect Four positions are solved, chess positions searched to a depth
    #[arg(long, value_enum, default_value_t = Which::Connect4)]
    game: Which,
    #[command(flatten)]
    sample: Sample,
    /// Plies to search each chess position to
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=40))]
    depth: u8,
    /// Table sizes in MiB [default: 2,4,16,64, in chess 16]
    #[arg(long, value_delimiter = ',', value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: Vec<u64>,
    /// Where the results go
    #[arg(long, default_value = "docs/results", value_name = "FOLDER")]
    out: PathBuf,
}

/// Whose positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    /// The solver of Connect Four
    Connect4,
    /// Middle games of chess, or the positions of an EPD file
    Chess,
}

pub(crate) fn run(arguments: &Arguments, report: &dyn Report) -> Result {
    match arguments.game {
        Which::Connect4 => connect4::run(arguments, report),
        Which::Chess => chess::run(arguments, report),
    }
}

impl Arguments {
    /// The table sizes, or the usual ones.
    fn sizes(&self, usual: &[u64]) -> Vec<u64> {
        if self.hash.is_empty() { usual.to_vec() } else { self.hash.clone() }
    }
}

/// The sizes as the option takes them.
fn listed(sizes: &[u64]) -> String {
    sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

/// How many per cent fewer nodes than in the first column.
fn saved(nodes: &Grid) -> Grid {
    let rows = nodes.rows.iter().map(|(name, numbers)| {
        let saved = numbers[1..].iter().map(|number| (1.0 - number / numbers[0].max(f64::MIN_POSITIVE)) * 100.0);
        (name.clone(), saved.collect())
    });
    Grid { corner: nodes.corner.clone(), columns: nodes.columns[1..].to_vec(), rows: rows.collect() }
}

/// The nodes as parts of those in the first column.
fn plot(nodes: &Grid, title: &str) -> Result<String> {
    let mut ratios = Vec::new();
    for (size, numbers) in &saved(nodes).rows {
        let kept = nodes.columns[1..].iter().zip(numbers);
        ratios.extend(kept.map(|(kept, saved)| (format!("{size} MiB: {kept}"), 1.0 - saved / 100.0)));
    }
    let ratios: Vec<_> = ratios.iter().map(|(name, ratio)| (name.as_str(), *ratio)).collect();
    bars::svg(&ratios, title)
}

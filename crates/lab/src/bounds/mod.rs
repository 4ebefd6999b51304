//! `mnemon lab bounds`: what each kind of bound, and the hash move, are worth in the table.

mod chess;
mod connect4;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::connect4_sample::Connect4Sample;
use crate::plot::ratio_bars;
use crate::results::Grid;
use crate::{Console, Result};

/// The positions, the searches and the tables.
#[derive(Args)]
pub struct Arguments {
    /// Game: Connect Four positions are solved, chess positions searched to a depth
    #[arg(long, value_enum, default_value_t = GameName::Connect4)]
    game: GameName,
    #[command(flatten)]
    sample: Connect4Sample,
    /// Plies to search each chess position to
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=40))]
    depth: u8,
    /// Table sizes in MiB [default: 2,4,16,64, in chess 4096 to 1048576 entries]
    #[arg(long, value_delimiter = ',', value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: Vec<u64>,
    /// Table sizes in entries, in chess
    #[arg(long, value_delimiter = ',', value_name = "N", conflicts_with = "hash", value_parser = clap::value_parser!(u32).range(8..))]
    entries: Vec<u32>,
    /// Folder for the results
    #[arg(long, default_value = "docs/results", value_name = "FOLDER")]
    out: PathBuf,
}

/// The game whose positions are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GameName {
    /// The solver of Connect Four
    Connect4,
    /// Chess middlegames, or the positions of an EPD file
    Chess,
}

pub(crate) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    match arguments.game {
        GameName::Connect4 => connect4::run(arguments, console),
        GameName::Chess => chess::run(arguments, console),
    }
}

impl Arguments {
    /// The table sizes, or the default ones.
    fn sizes(&self, default: &[u64]) -> Vec<u64> {
        if self.hash.is_empty() { default.to_vec() } else { self.hash.clone() }
    }

    /// The table sizes in entries of 16 bytes, or the default ones.
    fn entries(&self) -> Vec<usize> {
        match (&self.entries[..], &self.hash[..]) {
            ([], []) => [12, 14, 16, 20].map(|power| 1 << power).to_vec(),
            ([], sizes) => sizes.iter().map(|&size| crate::mebibytes(size) / 16).collect(),
            (entries, _) => entries.iter().map(|&entries| entries as usize).collect(),
        }
    }
}

/// The sizes as the option takes them.
fn listed(sizes: &[impl ToString]) -> String {
    sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// The per cent of nodes saved compared with the first column.
fn saved(nodes: &Grid) -> Grid {
    let rows = nodes.rows.iter().map(|(name, numbers)| {
        let saved = numbers[1..].iter().map(|number| (1.0 - number / numbers[0].max(f64::MIN_POSITIVE)) * 100.0);
        (name.clone(), saved.collect())
    });
    Grid { corner: nodes.corner.clone(), columns: nodes.columns[1..].to_vec(), rows: rows.collect() }
}

/// A column of [`saved`] over all table sizes: `46.5 %`, or `18.3 to 20.9 %`.
fn saved_range(saved: &Grid, column: usize) -> String {
    let numbers = || saved.rows.iter().map(|(_, numbers)| numbers[column]);
    let (min, max) = (numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max));
    let [min, max] = [min, max].map(|number| format!("{number:.1}"));
    if min == max { format!("{min} %") } else { format!("{min} to {max} %") }
}

/// The least and the greatest change of the nodes from one column to another over all table sizes.
fn change(nodes: &Grid, from: usize, to: usize) -> String {
    let changes = || {
        let rows = nodes.rows.iter();
        rows.map(|(_, numbers)| (numbers[to] / numbers[from].max(f64::MIN_POSITIVE) - 1.0) * 100.0)
    };
    let (min, max) = (changes().fold(f64::INFINITY, f64::min), changes().fold(f64::NEG_INFINITY, f64::max));
    format!("{min:+.1} to {max:+.1} %")
}

/// A bar for each column but the first: its nodes as a share of those in the first.
fn plot(nodes: &Grid, unit: &str, title: &str) -> Result<String> {
    let mut ratios = Vec::new();
    for (size, numbers) in &saved(nodes).rows {
        let kept = nodes.columns[1..].iter().zip(numbers);
        ratios.extend(kept.map(|(kept, saved)| (format!("{size} {unit}: {kept}"), 1.0 - saved / 100.0)));
    }
    let ratios: Vec<_> = ratios.iter().map(|(name, ratio)| (name.as_str(), *ratio)).collect();
    ratio_bars(&ratios, title)
}

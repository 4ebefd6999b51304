//! `mnemon lab replacement`: the experiment of Breuker, Uiterwijk and van den Herik's "Replacement Schemes for
//! Transposition Tables" (ICCA Journal 17(4), 1994), on the synthetic game, and on middle games of chess as they did.
//!
//! Each scheme searches the same positions to the same depth with tables of several sizes; what counts is the number of
//! nodes. Positions × schemes × sizes are independent, so threads share them out; each search itself runs on one thread
//! and gives the same count everywhere.

mod measure;
mod page;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mnemon_search::Game;
use mnemon_search::games::{Rules, Synthetic};
use mnemon_search::random::Random;

use super::middle_games::middle_games;
use super::results::Grid;
use super::{plot, results};
use crate::{Report, Result};
use measure::Job;
use page::Subject;

/// What to measure.
#[derive(Args)]
pub struct Arguments {
    /// The game whose positions are searched
    #[arg(long, value_enum, default_value_t = Which::Synthetic)]
    game: Which,
    /// Plies to search each position to [default: 14, in chess 6]
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=40))]
    depth: Option<u8>,
    /// Positions to search [default: 10, in chess 8 of 12]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    positions: Option<u32>,
    /// Searches to run at the same time; the counts do not depend on it [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Where the results go
    #[arg(long, default_value = "docs/results", value_name = "FOLDER")]
    out: PathBuf,
}

/// Whose positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    /// A game made of random numbers, with transpositions in every position
    Synthetic,
    /// Middle games of chess
    Chess,
}

/// Table sizes, as powers of two. Trees of chess to the usual depth are smaller.
const SYNTHETIC_SIZES: std::ops::RangeInclusive<u32> = 13..=20;
const CHESS_SIZES: std::ops::RangeInclusive<u32> = 10..=17;

pub(crate) fn run(arguments: &Arguments, report: &dyn Report) -> Result {
    match arguments.game {
        Which::Synthetic => {
            let positions = synthetic(arguments.positions.unwrap_or(10));
            arguments.publish(report, &positions, arguments.depth.unwrap_or(14), SYNTHETIC_SIZES, &page::SYNTHETIC)
        }
        Which::Chess => {
            let positions = middle_games(Some(arguments.positions.unwrap_or(8)))?;
            arguments.publish(report, &positions, arguments.depth.unwrap_or(6), CHESS_SIZES, &page::CHESS)
        }
    }
}

impl Arguments {
    fn publish<G: Game + Sync>(
        &self,
        report: &dyn Report,
        positions: &[G],
        depth: u8,
        sizes: std::ops::RangeInclusive<u32>,
        subject: &Subject,
    ) -> Result {
        let threads =
            self.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
        let measure = |hints| Job { positions, depth, sizes: sizes.clone(), hints, threads }.measure(report);
        let (hinted, unhinted) = (measure(true)?, measure(false)?);
        let command =
            format!("mnemon lab replacement{} --depth {depth} --positions {}", subject.option, positions.len());
        let title = format!("Nodes to a fixed depth by replacement scheme ({})", subject.game);
        let plot = |grid: &Grid, order: &str| plot::svg(grid, &format!("{title}, {order}"), "million nodes");
        let names = subject.names();
        let files = [
            (names[0].as_str(), subject.page(&command, positions.len(), depth, [&hinted, &unhinted])),
            (names[1].as_str(), hinted.to_csv()),
            (names[2].as_str(), plot(&hinted, "the table's move first")?),
            (names[3].as_str(), unhinted.to_csv()),
            (names[4].as_str(), plot(&unhinted, "the table's move not used")?),
        ];
        results::publish(report, &self.out, &files)
    }
}

/// Middle-game positions: eight random moves into a game of its own each.
fn synthetic(count: u32) -> Vec<Synthetic> {
    let position = |seed: u32| {
        let mut random = Random::new(seed.into());
        let rules = Rules { seed, tracks: 8, length: 100, gain: 40, noise: 20, sudden_end: 0 };
        (0..8).fold(Synthetic::new(rules), |position, _| position.play(random.below(8) as u8))
    };
    (1..=count).map(position).collect()
}

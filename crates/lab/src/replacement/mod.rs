//! `mnemon lab replacement`: the experiment of Breuker, Uiterwijk and van den Herik's "Replacement Schemes for
//! Transposition Tables" (ICCA Journal 17(4), 1994), on the synthetic game and, as in the paper, on chess middle games.
//!
//! Each scheme searches the same positions to the same depth with tables of several sizes; the measure is the number of
//! nodes. Searches run in parallel, each on one thread, so the counts do not depend on the machine.

mod measure;
mod page;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mnemon_search::Game;
use mnemon_search::games::{Rules, Synthetic};
use mnemon_search::random::Random;

use crate::middlegames::middlegames;
use crate::plot::grid_lines;
use crate::results::{self, Grid};
use crate::{Console, Result};
use measure::Job;
use page::Subject;

/// The positions and the depth.
#[derive(Args)]
pub struct Arguments {
    /// Game whose positions are searched
    #[arg(long, value_enum, default_value_t = GameName::Synthetic)]
    game: GameName,
    /// Plies to search each position to [default: 14, in chess 6]
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=40))]
    depth: Option<u8>,
    /// Positions to search [default: 10, in chess 8 of 12]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    positions: Option<u32>,
    /// Searches to run at the same time; the counts do not depend on it [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Folder for the results
    #[arg(long, default_value = "docs/results", value_name = "FOLDER")]
    out: PathBuf,
}

/// The game whose positions are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GameName {
    /// A game made of random numbers, with transpositions in every position
    Synthetic,
    /// Chess middle games
    Chess,
}

/// Table sizes as powers of two. The trees of chess to the default depth are smaller.
const SYNTHETIC_SIZES: std::ops::RangeInclusive<u32> = 13..=20;
const CHESS_SIZES: std::ops::RangeInclusive<u32> = 10..=17;

pub(crate) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    match arguments.game {
        GameName::Synthetic => {
            let positions = synthetic(arguments.positions.unwrap_or(10));
            arguments.publish(console, &positions, arguments.depth.unwrap_or(14), SYNTHETIC_SIZES, &page::SYNTHETIC)
        }
        GameName::Chess => {
            let positions = middlegames(Some(arguments.positions.unwrap_or(8)))?;
            arguments.publish(console, &positions, arguments.depth.unwrap_or(6), CHESS_SIZES, &page::CHESS)
        }
    }
}

impl Arguments {
    fn publish<G: Game + Sync>(
        &self,
        console: &dyn Console,
        positions: &[G],
        depth: u8,
        sizes: std::ops::RangeInclusive<u32>,
        subject: &Subject,
    ) -> Result {
        let threads =
            self.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
        let measure = |hash_moves| Job { positions, depth, sizes: sizes.clone(), hash_moves, threads }.measure(console);
        let (with_moves, without_moves) = (measure(true)?, measure(false)?);
        let command =
            format!("mnemon lab replacement{} --depth {depth} --positions {}", subject.option, positions.len());
        let title = format!("Nodes to a fixed depth by replacement scheme ({})", subject.game);
        let plot = |grid: &Grid, order: &str| grid_lines(grid, &format!("{title}, {order}"), "million nodes");
        let names = subject.names();
        let files = [
            (names[0].as_str(), subject.page(&command, positions.len(), depth, [&with_moves, &without_moves])),
            (names[1].as_str(), with_moves.to_csv()),
            (names[2].as_str(), plot(&with_moves, "hash move searched first")?),
            (names[3].as_str(), without_moves.to_csv()),
            (names[4].as_str(), plot(&without_moves, "hash move not used")?),
        ];
        results::publish(console, &self.out, &files)
    }
}

/// Positions eight random moves into a synthetic game; each has rules of its own.
fn synthetic(count: u32) -> Vec<Synthetic> {
    let position = |seed: u32| {
        let mut random = Random::new(seed.into());
        let rules = Rules { seed, tracks: 8, length: 100, gain: 40, noise: 20, sudden_end: 0 };
        (0..8).fold(Synthetic::new(rules), |position, _| position.play(random.below(8) as u8))
    };
    (1..=count).map(position).collect()
}

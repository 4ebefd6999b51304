//! `mnemon lab replacement`: the experiment of Breuker, Uiterwijk and van den Herik's "Replacement Schemes for
//! Transposition Tables" (ICCA Journal 17(4), 1994), on the synthetic game and, as in the paper, on chess middle games.
//!
//! Each scheme searches the same positions to the same depth with tables of several sizes; the measure is the number of
//! nodes. Searches run in parallel, each on one thread, so the counts do not depend on the machine.

mod measure;
mod page;
mod variants;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mnemon_search::Game;
use mnemon_search::games::{Rules, Synthetic};
use mnemon_search::random::Random;

use crate::middlegames::middlegames;
use crate::played_games::played_games;
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
    /// Table sizes in entries, instead of a row of powers of two: 8192 are those of Slate's experiment (1987), where
    /// buckets have two ways
    #[arg(long, value_delimiter = ',', value_name = "N", value_parser = clap::value_parser!(u32).range(4..))]
    entries: Vec<u32>,
    /// Scheme to measure; may be given several times [default: all of them]
    #[arg(long = "scheme", value_name = "NAME", ignore_case = true, value_parser = variants::NAMES)]
    schemes: Vec<String>,
    /// Step backward through two chess games: each of their positions is searched, the last first, with one table
    #[arg(long, conflicts_with_all = ["positions", "game"])]
    backward: bool,
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

const BACKWARD_SIZES: [u32; 6] = [10, 11, 12, 13, 14, 15];

pub(crate) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    if arguments.backward {
        return arguments.publish_backward(console);
    }
    match arguments.game {
        GameName::Synthetic => {
            let positions = synthetic(arguments.positions.unwrap_or(10));
            arguments.publish(console, positions, arguments.depth.unwrap_or(14), SYNTHETIC_SIZES, &page::SYNTHETIC)
        }
        GameName::Chess => {
            let positions = middlegames(Some(arguments.positions.unwrap_or(8)))?;
            arguments.publish(console, positions, arguments.depth.unwrap_or(6), CHESS_SIZES, &page::CHESS)
        }
    }
}

impl Arguments {
    /// The table sizes in entries: those given, or else these powers of two.
    fn sizes(&self, powers: impl IntoIterator<Item = u32>) -> Vec<usize> {
        let given: Vec<usize> = self.entries.iter().map(|&entries| entries as usize).collect();
        if given.is_empty() { powers.into_iter().map(|power| 1 << power).collect() } else { given }
    }

    fn threads(&self) -> usize {
        self.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
    }

    /// The options for the sizes and the schemes, with a blank before each, and what they add to the names of files: so that a
    /// part of the experiment does not take the place of the whole. Both are empty by default.
    fn selection(&self) -> (String, String) {
        let sizes: Vec<String> = self.entries.iter().map(u32::to_string).collect();
        let mut option = if sizes.is_empty() { String::new() } else { format!(" --entries {}", sizes.join(",")) };
        option.extend(self.schemes.iter().map(|scheme| format!(" --scheme {}", scheme.to_lowercase())));
        let schemes = self.schemes.iter().map(|scheme| scheme.to_lowercase());
        (option, sizes.into_iter().chain(schemes).map(|part| format!("-{part}")).collect())
    }

    fn publish<G: Game + Sync>(
        &self,
        console: &dyn Console,
        positions: Vec<G>,
        depth: u8,
        sizes: std::ops::RangeInclusive<u32>,
        subject: &Subject,
    ) -> Result {
        let (sizes, threads) = (self.sizes(sizes), self.threads());
        let series: Vec<Vec<G>> = positions.into_iter().map(|position| vec![position]).collect();
        let measure = |hash_moves| {
            Job { series: &series, depth, sizes: &sizes, schemes: &self.schemes, hash_moves, threads }.measure(console)
        };
        let (with_moves, without_moves) = (measure(true)?, measure(false)?);
        let (option, suffix) = self.selection();
        let command =
            format!("mnemon lab replacement{} --depth {depth} --positions {}{option}", subject.option, series.len());
        let title = format!("Nodes to a fixed depth by replacement scheme ({})", subject.game);
        let plot = |grid: &Grid, order: &str| grid_lines(grid, &format!("{title}, {order}"), "million nodes");
        let names = subject.names(&suffix);
        let page = subject.page(&command, series.len(), depth, [&with_moves, &without_moves], &names);
        let files = [
            (names[0].as_str(), page),
            (names[1].as_str(), with_moves.to_csv()),
            (names[2].as_str(), plot(&with_moves, "hash move searched first")?),
            (names[3].as_str(), without_moves.to_csv()),
            (names[4].as_str(), plot(&without_moves, "hash move not used")?),
        ];
        results::publish(console, &self.out, &files)
    }

    /// Each game's positions from the last to the first, with one table, the hash move searched first.
    fn publish_backward(&self, console: &dyn Console) -> Result {
        let mut games = played_games();
        games.iter_mut().for_each(|game| game.reverse());
        let (sizes, depth) = (self.sizes(BACKWARD_SIZES), self.depth.unwrap_or(5));
        let job = Job {
            series: &games,
            depth,
            sizes: &sizes,
            schemes: &self.schemes,
            hash_moves: true,
            threads: self.threads(),
        };
        let nodes = job.measure(console)?;
        let (option, suffix) = self.selection();
        let command = format!("mnemon lab replacement --backward --depth {depth}{option}");
        let names = [".md", ".csv", ".svg"].map(|end| format!("replacement-backward{suffix}{end}"));
        let positions = games.iter().map(Vec::len).sum();
        let title = "Nodes backward through two games by replacement scheme";
        let files = [
            (names[0].as_str(), page::backward(&command, positions, depth, &nodes, &names[2])),
            (names[1].as_str(), nodes.to_csv()),
            (names[2].as_str(), grid_lines(&nodes, title, "million nodes")?),
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

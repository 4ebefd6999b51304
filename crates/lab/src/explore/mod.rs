//! `mnemon lab explore`: what a number of nodes is worth, spent on one long search of a position or on a tree that grows
//! from it. A search of ten times the nodes judges.

mod judge;
mod methods;
mod page;
mod positions;

use std::path::PathBuf;

use clap::Args;

use self::judge::Judgement;
use self::methods::{Method, MethodResult};
use self::positions::TestPosition;
use crate::Result;
use crate::console::{Console, ProgressBar};
use crate::results;

/// The nodes, and where the results go.
#[derive(Args)]
pub struct Arguments {
    /// Nodes that each method may spend on a position
    #[arg(long, default_value_t = 400_000, value_name = "N", value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,
    /// Nodes of each search of a growing tree
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = clap::value_parser!(u64).range(10..))]
    each: u64,
    /// Only the first positions of each kind, at most this many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    only: Option<u8>,
    /// Size of the table in MiB
    #[arg(long, default_value_t = 16, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,
    /// Folder for the results
    #[arg(long, default_value = "docs/results", value_name = "FOLDER")]
    out: PathBuf,
}

/// How much more the judge searches.
const JUDGE_FACTOR: u64 = 10;
/// The states of a method that are compared: after these parts of its nodes.
const CHECKPOINTS: [u64; 5] = [16, 8, 4, 2, 1];

impl Arguments {
    fn command(&self) -> String {
        let mut command =
            format!("mnemon lab explore --nodes {} --each {} --hash {}", self.nodes, self.each, self.hash);
        if let Some(only) = self.only {
            command += &format!(" --only {only}");
        }
        command
    }

    fn checkpoints(&self) -> [u64; CHECKPOINTS.len()] {
        CHECKPOINTS.map(|part| self.nodes / part)
    }
}

/// One position with what each method and the judge say of it.
struct Case {
    position: TestPosition,
    judgement: Judgement,
    /// In the order of [`Method::ALL`].
    results: Vec<MethodResult>,
}

pub(crate) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    let positions = positions::all(arguments.only)?;
    let progress = ProgressBar::of(console, "positions", positions.len() as u64);
    let mut cases = Vec::new();
    for position in positions {
        let judgement = judge::judge(arguments, &position.position)?;
        let results = Method::ALL.map(|method| method.run(arguments, &position.position, &judgement));
        cases.push(Case { position, judgement, results: results.into_iter().collect::<Result<_>>()? });
        progress.advance(1);
    }
    drop(progress);
    let files = [
        ("explore.md", page::page(arguments, &cases)),
        ("explore.csv", page::csv(&cases)),
        ("explore.svg", page::plot(arguments, &cases)?),
    ];
    results::publish(console, &arguments.out, &files)
}

//! `mnemon bench`: a fixed job whose node count is a checksum of the search.

use std::time::Duration;

use clap::Args;
use mnemon_engine::bench as chess;
use mnemon_search::games::{Rules, Synthetic};
use mnemon_search::{Limits, Search, Silent, Stats};
use mnemon_table::Table;

use crate::output::say;
use crate::{Result, progress};

/// How to run the bench; the defaults give the signature.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Plies to search each position to
    #[arg(long, default_value_t = 13, value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: u8,
    /// Threads; only one thread gives the same count each time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Size of the table in MiB
    #[arg(long, default_value_t = 16, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=33_554_432))]
    hash: u64,
    /// Plies to search each chess position to
    #[arg(long, default_value_t = chess::DEPTH, value_parser = clap::value_parser!(u8).range(1..=100))]
    chess_depth: u8,
}

/// The number of positions.
const POSITIONS: u32 = 12;

pub(crate) fn run(arguments: &Arguments) -> Result {
    let table: Table = Table::new(usize::try_from(arguments.hash << 20)?)?;
    let limits = Limits::depth(arguments.depth);
    let search = Search { limits, threads: arguments.threads.into(), ..Search::new(&table) };
    let bar = progress::bar(POSITIONS.into(), "bench");
    let (mut stats, mut time) = (Stats::default(), Duration::ZERO);
    for position in positions() {
        table.clear(1);
        let answer = search.run(&position, &mut Silent);
        stats += answer.stats;
        time += answer.time;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let cutoffs = stats.exact_cutoffs + stats.lower_cutoffs + stats.upper_cutoffs;
    let speed = stats.nodes as f64 / time.as_secs_f64();
    say(format_args!("Positions: {POSITIONS} of synthetic games, to depth {}", arguments.depth))?;
    say(format_args!("Probes:    {}, {} known, {cutoffs} cut off", stats.probes, stats.hits))?;
    say(format_args!("Nodes:     {}", stats.nodes))?;
    say(format_args!("Nodes/s:   {speed:.0}"))?;
    chess_positions(arguments)
}

/// The chess engine's search, which has its own signature.
fn chess_positions(arguments: &Arguments) -> Result {
    let positions = chess::POSITIONS.len();
    let bar = progress::bar(positions as u64, "chess");
    let bytes = usize::try_from(arguments.hash << 20)?;
    let benched = chess::run(arguments.chess_depth, arguments.threads.into(), bytes, |_, _| bar.inc(1))?;
    bar.finish_and_clear();
    say(format_args!("Chess:     {positions} positions, to depth {}", arguments.chess_depth))?;
    say(format_args!("Chess nodes:   {}", benched.nodes))?;
    say(format_args!("Chess nodes/s: {:.0}", benched.nodes_per_second()))?;
    Ok(())
}

/// Games with different numbers of moves and different kinds of scores.
fn positions() -> impl Iterator<Item = Synthetic> {
    (0..POSITIONS).map(|seed| {
        let tracks = 4 + (seed % 5) as u8;
        Synthetic::new(Rules {
            seed,
            tracks,
            length: 60,
            gain: 30,
            noise: 15,
            sudden_end: if seed % 3 == 0 { 200 } else { 0 },
        })
    })
}

//! `mnemon lab suite`: test positions with known best moves, such as Win at Chess or the Strategic Test Suite.
//!
//! The engine searches every position from a cleared table and without a memory, so that positions do not influence each
//! other.

mod position;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use mnemon_chess::epd;
use mnemon_engine::Table;
use mnemon_engine::search::{Limits, SearchOutcome, SearchRequest, Searcher, Silent};

use crate::console::{Console, ProgressBar, say};
use crate::{LabError, Result};
use position::{SuitePosition, SuiteTotals};

/// The positions, and the limit of each search.
#[derive(Args)]
pub struct Arguments {
    /// File of positions, one per line (EPD), with `bm` or `am`, or the points of each move in `c8` and `c9`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Time for each position: 1s, 0.2s or 200ms
    #[arg(long, default_value = "1s", value_parser = duration, conflicts_with_all = ["nodes", "depth"])]
    time: Duration,
    /// Nodes for each position
    #[arg(long, conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies to search each position to
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=100))]
    depth: Option<u8>,
    /// Size of the table in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=33_554_432))]
    hash: u64,
    /// Search threads; with one, the same nodes or depth give the same moves
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Number of positions, the first of the file [default: all]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    positions: Option<u32>,
}

/// `200ms`, `0.2s`, or a number of seconds.
fn duration(text: &str) -> std::result::Result<Duration, &'static str> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.parse::<f64>().ok().map(|number| number * unit);
    let seconds = seconds.filter(|seconds| (1e-3..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or("expected a time of 1ms or more, as in 1s or 200ms")
}

pub(crate) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    let positions = arguments.suite()?;
    let table = Table::new(crate::mebibytes(arguments.hash))?;
    let mut searcher = Searcher::new(arguments.threads.into());
    let progress = ProgressBar::of(console, "suite", positions.len() as u64);
    let mut totals = SuiteTotals::default();
    for position in &positions {
        table.clear(arguments.threads.into());
        searcher.new_game();
        let outcome = arguments.search(position, &table, &mut searcher);
        if let Some(missed) = totals.add(position, &outcome) {
            say(console, missed)?;
        }
        progress.advance(1);
    }
    drop(progress);
    totals.lines().into_iter().try_for_each(|line| say(console, line))
}

impl Arguments {
    fn limits(&self) -> Limits {
        match (self.nodes, self.depth) {
            (Some(nodes), _) => Limits::nodes(nodes),
            (None, Some(depth)) => Limits::depth(depth),
            (None, None) => Limits::time(self.time),
        }
    }

    fn search(&self, position: &SuitePosition, table: &Table, searcher: &mut Searcher) -> SearchOutcome {
        let never = AtomicBool::new(false);
        searcher.search(&SearchRequest::new(&position.position, self.limits()), table, &never, &never, &mut Silent)
    }

    fn suite(&self) -> Result<Vec<SuitePosition>> {
        let count = self.positions.map_or(usize::MAX, |positions| positions as usize);
        let mut positions = Vec::new();
        for (number, epd) in epd::read(&self.file)?.iter().take(count) {
            let position = SuitePosition::new(epd, *number);
            positions.push(position.map_err(|error| LabError::Line {
                path: self.file.clone(),
                line: *number,
                reason: error.to_string(),
            })?);
        }
        Ok(positions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(
            ["1s", "0.2s", "200ms", "3"].map(|text| duration(text).map(|time| time.as_millis())),
            [Ok(1000), Ok(200), Ok(200), Ok(3000)]
        );
        for text in ["", "s", "ms", "0", "-1s", "nan", "1e99", "1m", "0.1ms"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}

//! `mnemon lab techniques`: what each technique of the Connect Four search is worth, by doing without it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use mnemon_connect4::{Board, Precision, Solver, Technique, Techniques};

use super::results::Grid;
use super::sample::Sample;
use super::{bars, results};
use crate::Result;
use crate::report::{Progress, Report};

/// What to measure.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    sample: Sample,
    /// Size of the table in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,
    /// Where the results go
    #[arg(long, default_value = "docs/results", value_name = "FOLDER")]
    out: PathBuf,
}

/// One way to search, and what it took for all positions.
struct Row {
    name: &'static str,
    techniques: Techniques,
    nodes: u64,
    time: Duration,
}

pub(crate) fn run(arguments: &Arguments, report: &dyn Report) -> Result {
    let boards = arguments.sample.boards()?;
    let grid = to_grid(&measure(report, arguments.hash, &boards)?, boards.len());
    let title = "Connect Four: nodes without a technique, times those with all";
    let ratios = grid.rows[1..].iter().map(|(name, numbers)| (name.as_str(), numbers[1]));
    let files = [
        ("techniques.md", page(arguments, &boards, &grid)),
        ("techniques.csv", grid.to_csv()),
        ("techniques.svg", bars::svg(&ratios.collect::<Vec<_>>(), title)?),
    ];
    results::publish(report, &arguments.out, &files)
}

/// Solves every position in every way. The ways take turns at each position, so that whatever else the machine does
/// slows all of them alike.
fn measure(report: &dyn Report, mebibytes: u64, boards: &[Board]) -> Result<Vec<Row>> {
    let row = |name, techniques| Row { name, techniques, nodes: 0, time: Duration::ZERO };
    let without = Technique::ALL.map(|technique| row(technique.name(), Techniques::Without(technique)));
    let mut rows: Vec<Row> = std::iter::once(row("(all)", Techniques::All)).chain(without).collect();
    let mut solver: Solver = Solver::new(crate::mebibytes(mebibytes))?;
    let progress = Progress::of(report, "techniques", (rows.len() * boards.len()) as u64);
    for board in boards {
        for row in &mut rows {
            solver = solver.with_techniques(row.techniques);
            let start = Instant::now();
            solver.clear();
            row.nodes += solver.solve(board, Precision::Strong)?.nodes;
            row.time += start.elapsed();
            progress.advance(1);
        }
    }
    drop(progress);
    Ok(rows)
}

/// Nodes and time a position, and how many times those of the search with everything.
fn to_grid(rows: &[Row], positions: usize) -> Grid {
    let ratio = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 1.0 };
    let line = |row: &Row| {
        let (nodes, time) = (row.nodes as f64, row.time.as_secs_f64());
        let count = positions as f64;
        let ratios = (ratio(nodes, rows[0].nodes as f64), ratio(time, rows[0].time.as_secs_f64()));
        (row.name.to_owned(), vec![nodes / 1e3 / count, ratios.0, time * 1e3 / count, ratios.1])
    };
    let columns = ["thousand nodes", "times the nodes", "milliseconds", "times the time"];
    Grid {
        corner: "without".to_owned(),
        columns: columns.map(str::to_owned).into(),
        rows: rows.iter().map(line).collect(),
    }
}

fn page(arguments: &Arguments, boards: &[Board], grid: &Grid) -> String {
    let command = format!("mnemon lab techniques {} --hash {}", arguments.sample, arguments.hash);
    format!(
        "# What each technique is worth\n\n{}\n\
         Nodes and time a position to solve {} Connect Four positions exactly, with one thread, {} MiB and cleared \
         tables, when one technique of the search is switched off. The nodes repeat exactly; the time is this \
         machine's.\n\n{}\n![Nodes without each technique](techniques.svg)\n",
        results::circumstances(&command),
        boards.len(),
        arguments.hash,
        grid.to_markdown(2),
    )
}

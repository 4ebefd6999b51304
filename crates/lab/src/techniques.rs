//! `mnemon lab techniques`: the Connect Four solver with each of its techniques switched off in turn.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use mnemon_connect4::{Board, Precision, Solver, Technique, Techniques};

use crate::Result;
use crate::connect4_sample::Connect4Sample;
use crate::console::{Console, ProgressBar};
use crate::plot::ratio_bars;
use crate::results::{self, Grid, Page};

/// The positions and the table.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    sample: Connect4Sample,
    /// Size of the table in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,
    /// Folder for the results
    #[arg(long, default_value = "docs/results", value_name = "FOLDER")]
    out: PathBuf,
}

/// A configuration of the solver, and its totals over all positions.
struct Row {
    name: &'static str,
    techniques: Techniques,
    nodes: u64,
    time: Duration,
}

pub(crate) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    let boards = arguments.sample.boards()?;
    let grid = to_grid(&measure(console, arguments.hash, &boards)?, boards.len());
    let title = "Connect Four: nodes without a technique, times those with all";
    let ratios = grid.rows[1..].iter().map(|(name, numbers)| (name.as_str(), numbers[1]));
    let files = [
        ("techniques.md", page(arguments, &boards, &grid)),
        ("techniques.csv", grid.to_csv()),
        ("techniques.svg", ratio_bars(&ratios.collect::<Vec<_>>(), title)?),
    ];
    results::publish(console, &arguments.out, &files)
}

/// Solves every position with every configuration. They take turns at each position, so that other load on the machine
/// slows all of them alike.
fn measure(console: &dyn Console, mebibytes: u64, boards: &[Board]) -> Result<Vec<Row>> {
    let row = |name, techniques| Row { name, techniques, nodes: 0, time: Duration::ZERO };
    let without = Technique::ALL.map(|technique| row(technique.name(), Techniques::Without(technique)));
    let mut rows: Vec<Row> = std::iter::once(row("(all)", Techniques::All)).chain(without).collect();
    let mut solver: Solver = Solver::new(crate::mebibytes(mebibytes))?;
    let progress = ProgressBar::of(console, "techniques", (rows.len() * boards.len()) as u64);
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

/// Nodes and time a position, and their ratios to those with all techniques.
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
    let page = Page {
        title: "What each technique is worth",
        conclusion: conclusion(grid),
        table: format!("{}\n![Nodes without each technique](techniques.svg)", grid.to_markdown(2)),
        command: format!("mnemon lab techniques {} --hash {}", arguments.sample, arguments.hash),
        method: format!(
            "{} Connect Four positions solved exactly, with one thread, {} MiB and cleared tables, each time with one \
             technique switched off; means for each position. The nodes repeat exactly; the time is this machine's.",
            boards.len(),
            arguments.hash,
        ),
        details: String::new(),
    };
    page.to_string()
}

/// The technique that saves most, the next ones, and those that save next to nothing.
fn conclusion(grid: &Grid) -> String {
    let mut rows: Vec<&(String, Vec<f64>)> = grid.rows.iter().skip(1).collect();
    rows.sort_by(|(_, left), (_, right)| right[1].total_cmp(&left[1]));
    let Some((name, numbers)) = rows.first() else { return String::new() };
    let next: Vec<_> = rows[1..].iter().take(3).map(|(name, numbers)| format!("{name} ({:.2})", numbers[1])).collect();
    let useless: Vec<_> =
        rows.iter().filter(|(_, numbers)| numbers[1] < 1.015).map(|(name, _)| name.as_str()).collect();
    let useless = if useless.is_empty() { "none".to_owned() } else { useless.join(", ") };
    format!(
        "The technique that saves most is {name}: without it the Connect Four solver searches {:.2} times the nodes and \
         takes {:.2} times the time. Next come {}. Techniques that save 1 % of the nodes or less: {useless}.",
        numbers[1],
        numbers[3],
        next.join(", "),
    )
}

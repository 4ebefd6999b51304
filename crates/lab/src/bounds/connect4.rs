//! Connect Four: what the second bound and the best move are worth in the solver's table, at equal memory.
//!
//! The tutorial of Pascal Pons keeps only upper bounds up to its part 11; part 12 adds lower bounds to the same
//! entries and needs 10 to 15 per cent fewer nodes. An entry here has the same 8 bytes in every case.

use mnemon_connect4::{Board, Precision, Solver, Technique, Techniques};

use super::{Arguments, listed, plot, saved};
use crate::Result;
use crate::report::{Progress, Report};
use crate::results::{self, Grid};

/// What an entry keeps, from least to most.
const KEPT: [(&str, Techniques); 3] = [
    ("upper bound", Techniques::UpperBoundsOnly),
    ("both bounds", Techniques::Without(Technique::BestMove)),
    ("both and best move", Techniques::All),
];

pub(super) fn run(arguments: &Arguments, report: &dyn Report) -> Result {
    let boards = arguments.sample.boards()?;
    let sizes = arguments.sizes(&[2, 4, 16, 64]);
    let nodes = measure(report, &sizes, &boards)?;
    let files = [
        ("bounds.md", page(arguments, &sizes, &boards, &nodes)),
        ("bounds.csv", nodes.to_csv()),
        ("bounds.svg", plot(&nodes, "Connect Four: nodes, times those with upper bounds only in the table")?),
    ];
    results::publish(report, &arguments.out, &files)
}

/// Thousand nodes a position for each table size and for each that an entry can keep. Every position begins with
/// cleared tables.
fn measure(report: &dyn Report, sizes: &[u64], boards: &[Board]) -> Result<Grid> {
    let progress = Progress::of(report, "bounds", (sizes.len() * KEPT.len() * boards.len()) as u64);
    let mut rows = Vec::new();
    for &size in sizes {
        let mut solver: Solver = Solver::new(crate::mebibytes(size))?;
        let mut numbers = Vec::new();
        for (_, techniques) in KEPT {
            solver = solver.with_techniques(techniques);
            let mut nodes = 0;
            for board in boards {
                solver.clear();
                nodes += solver.solve(board, Precision::Strong)?.nodes;
                progress.advance(1);
            }
            numbers.push(nodes as f64 / 1e3 / boards.len() as f64);
        }
        rows.push((size.to_string(), numbers));
    }
    drop(progress);
    Ok(Grid { corner: "MiB".to_owned(), columns: KEPT.map(|(name, _)| name.to_owned()).into(), rows })
}

fn page(arguments: &Arguments, sizes: &[u64], boards: &[Board], nodes: &Grid) -> String {
    let command = format!("mnemon lab bounds {} --hash {}", arguments.sample, listed(sizes));
    format!(
        "# Bounds in the table: Connect Four\n\n{}\n\
         Thousand nodes a position to solve {} Connect Four positions exactly, with one thread and cleared tables, by \
         what an entry of 8 bytes keeps:\n\n{}\n\
         Per cent fewer nodes than with upper bounds only:\n\n{}\n\
         ![Nodes by what the table keeps](bounds.svg)\n\n{}\n{NOTE}",
        results::circumstances(&command),
        boards.len(),
        nodes.to_markdown(2),
        saved(nodes).to_markdown(1),
        finding(nodes),
    )
}

/// The result in a sentence.
fn finding(nodes: &Grid) -> String {
    let changes = |from: usize, to: usize| {
        let change =
            |(_, numbers): &(String, Vec<f64>)| (numbers[to] / numbers[from].max(f64::MIN_POSITIVE) - 1.0) * 100.0;
        let changes = || nodes.rows.iter().map(change);
        let (least, most) = (changes().fold(f64::INFINITY, f64::min), changes().fold(f64::NEG_INFINITY, f64::max));
        format!("{least:+.1} to {most:+.1} per cent")
    };
    format!(
        "Beside upper bounds only, both bounds change the nodes by {}; the best move on top of both bounds changes them \
         by {}.\n",
        changes(0, 1),
        changes(1, 2)
    )
}

/// What the numbers can be compared with.
const NOTE: &str = "\
The tutorial found 10 to 15 per cent fewer nodes with both bounds than with upper bounds only (part 12, without a best \
move in either). This search differs from the tutorial's: it looks all children up before it searches one, so what is \
kept for a position serves its parent too; it has static bounds that the tutorial lacks; and it tries two small tables, \
of 16 KiB and 1 MiB, before the one whose size is given, so the size matters only to positions that those do not \
solve. \
[The same question on chess](bounds-chess.md).\n";

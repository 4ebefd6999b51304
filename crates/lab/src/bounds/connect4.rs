//! Connect Four: what the second bound and the best move are worth in the solver's table, at equal memory.
//!
//! The tutorial of Pascal Pons keeps only upper bounds up to its part 11; part 12 adds lower bounds to the same
//! entries and needs 10 to 15 per cent fewer nodes. An entry here has the same 8 bytes in every case.

use mnemon_connect4::{Board, Precision, Solver, Technique, Techniques};

use super::{Arguments, change, listed, plot, saved, saved_range};
use crate::Result;
use crate::console::{Console, ProgressBar};
use crate::results::{self, Grid, Page};

/// What is kept, from least to most; the last in a table for each bound.
const KEPT: [(&str, Techniques); 4] = [
    ("upper bound", Techniques::UpperBoundsOnly),
    ("both bounds", Techniques::Without(Technique::BestMove)),
    ("both and best move", Techniques::All),
    ("two tables", Techniques::SeparateTables),
];

pub(super) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    let boards = arguments.sample.boards()?;
    let sizes = arguments.sizes(&[2, 4, 16, 64]);
    let nodes = measure(console, &sizes, &boards)?;
    let files = [
        ("bounds.md", page(arguments, &sizes, &boards, &nodes)),
        ("bounds.csv", nodes.to_csv()),
        ("bounds.svg", plot(&nodes, "MiB", "Connect Four: nodes, times those with upper bounds only in the table")?),
    ];
    results::publish(console, &arguments.out, &files)
}

/// Thousand nodes a position for each table size (rows) and each entry of [`KEPT`] (columns), from cleared tables.
fn measure(console: &dyn Console, sizes: &[u64], boards: &[Board]) -> Result<Grid> {
    let progress = ProgressBar::of(console, "bounds", (sizes.len() * KEPT.len() * boards.len()) as u64);
    let mut rows = Vec::new();
    for &size in sizes {
        let mut numbers = Vec::new();
        for (_, techniques) in KEPT {
            let solver: Solver = Solver::new(crate::mebibytes(size))?;
            let solver = match techniques {
                Techniques::SeparateTables => solver.with_separate_tables()?,
                _ => solver.with_techniques(techniques),
            };
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
    let saved = saved(nodes);
    let page = Page {
        title: "Bounds in the table: Connect Four",
        conclusion: format!(
            "A table that keeps both bounds of a position instead of its upper bound alone saves {} of the nodes of the \
             Connect Four solver. Keeping the best move as well changes the nodes by {}. Two tables of half the size, one for \
             each bound, change them by {} against one table that has all in an entry.",
            saved_range(&saved, 0),
            change(nodes, 1, 2),
            change(nodes, 2, 3),
        ),
        table: format!(
            "{}\nThousand nodes a position, by what an entry of 8 bytes keeps. Per cent fewer nodes than with upper \
             bounds only:\n\n{}\n![Nodes by what the table keeps](bounds.svg)",
            nodes.to_markdown(2),
            saved.to_markdown(1),
        ),
        command: format!("mnemon lab bounds {} --hash {}", arguments.sample, listed(sizes)),
        method: format!(
            "{} Connect Four positions solved exactly, with one thread and cleared tables.\n\n{METHOD}",
            boards.len()
        ),
        details: String::new(),
    };
    page.to_string()
}

/// What the numbers can be compared with.
const METHOD: &str = "\
The tutorial of Pascal Pons found 10 to 15 per cent fewer nodes with both bounds than with upper bounds only (part 12, \
without a best move in either). This search differs from the tutorial's: it probes all children before it searches one, so \
what is kept for a position serves its parent too; it has static bounds that the tutorial lacks; and it uses two small \
tables, of 16 KiB and 1 MiB, before the one whose size is given, so that the size matters only to positions that those do \
not solve. `two tables` keeps upper bounds and best moves in one table and lower bounds and best moves in the other, each of \
half the size; both are probed. The tutorial compares one table with two without figures. [The same question on chess](bounds-chess.md).";

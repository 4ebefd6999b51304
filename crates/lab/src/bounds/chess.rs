//! Chess: nodes to a fixed depth by what the table keeps, with the generic search of `mnemon-search`.

use mnemon_chess::epd;
use mnemon_engine::EvaluatedPosition;
use mnemon_search::{Keep, Limits, Search, Silent};
use mnemon_table::Table;

use super::{Arguments, listed, plot, saved, saved_range};
use crate::Result;
use crate::console::{Console, ProgressBar};
use crate::middlegames::middlegames;
use crate::results::{self, Grid, Page};

/// What the table keeps, and whether the hash move is searched first.
const KEPT: [(&str, Keep, bool); 6] = [
    ("nothing", Keep::Nothing, false),
    ("move only", Keep::Moves, true),
    ("exact and move", Keep::Exact, true),
    ("upper and move", Keep::Upper, true),
    ("both and move", Keep::Both, true),
    ("both without move", Keep::Both, false),
];

pub(super) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    let positions = match arguments.sample.file() {
        Some(path) => {
            let count = arguments.sample.count().map_or(usize::MAX, |count| count as usize);
            epd::read(path)?.into_iter().take(count).map(|(_, epd)| EvaluatedPosition(epd.position)).collect()
        }
        None => middlegames(arguments.sample.count())?,
    };
    let sizes = arguments.sizes(&[16]);
    let nodes = measure(console, &positions, arguments.depth, &sizes)?;
    let files = [
        ("bounds-chess.md", page(arguments, &sizes, positions.len(), &nodes)),
        ("bounds-chess.csv", nodes.to_csv()),
        ("bounds-chess.svg", plot(&nodes, "Chess: nodes to a fixed depth, times those without a table")?),
    ];
    results::publish(console, &arguments.out, &files)
}

/// Thousand nodes a position for each table size (rows) and each entry of [`KEPT`] (columns), from cleared tables.
fn measure(console: &dyn Console, positions: &[EvaluatedPosition], depth: u8, sizes: &[u64]) -> Result<Grid> {
    let progress = ProgressBar::of(console, "bounds", (sizes.len() * KEPT.len() * positions.len()) as u64);
    let mut rows = Vec::new();
    for &size in sizes {
        let table: Table = Table::new(crate::mebibytes(size))?;
        let mut numbers = Vec::new();
        for (_, keep, hash_moves) in KEPT {
            let mut nodes = 0;
            for position in positions {
                table.clear(1);
                let search = Search { limits: Limits::depth(depth), keep, hash_moves, ..Search::new(&table) };
                nodes += search.run(position, &mut Silent).stats.nodes;
                progress.advance(1);
            }
            numbers.push(nodes as f64 / 1e3 / positions.len() as f64);
        }
        rows.push((size.to_string(), numbers));
    }
    drop(progress);
    Ok(Grid { corner: "MiB".to_owned(), columns: KEPT.map(|(name, ..)| name.to_owned()).into(), rows })
}

fn page(arguments: &Arguments, sizes: &[u64], positions: usize, nodes: &Grid) -> String {
    let depth = arguments.depth;
    let file = arguments.sample.file().map(|path| format!(" --file {}", path.display())).unwrap_or_default();
    let sample = if file.is_empty() { "chess middle games" } else { "chess positions" };
    let saved = saved(nodes);
    let range = |column| saved_range(&saved, column);
    let page = Page {
        title: "Bounds in the table: chess",
        conclusion: format!(
            "A table that keeps both bounds and the hash move saves {} of the nodes of a search without a table; upper \
             bounds and the move save {}, exact values and the move {}, the move alone {}.",
            range(3),
            range(2),
            range(1),
            range(0),
        ),
        table: format!(
            "{}\nThousand nodes a position, by what the table keeps. Per cent fewer nodes than without a table:\n\n{}\n\
             ![Nodes by what the table keeps](bounds-chess.svg)",
            nodes.to_markdown(1),
            saved.to_markdown(1),
        ),
        command: format!(
            "mnemon lab bounds --game chess{file} --positions {positions} --depth {depth} --hash {}",
            listed(sizes)
        ),
        method: format!(
            "{positions} {sample} searched to depth {depth} by iterative deepening and principal variation search, with \
             one thread and cleared tables. {METHOD}"
        ),
        details: String::new(),
    };
    page.to_string()
}

/// What the columns mean.
const METHOD: &str = "\
The search is the generic one of `mnemon-search` with the chess engine's evaluation at the leaves: no quiescence search, \
no null move, no reductions, all of which would mix with what the table does.

- `move only`: the hash move orders the moves; no score of the table is used.
- `exact`: a score of the table ends a node only where it is exact.
- `upper`: a score is used as an upper bound, so that it cuts off where all moves fail low, and never where one fails high.
- `both`: what the engine and every search here use; its last column does not search the hash move first.

[The same question on Connect Four](bounds.md).";

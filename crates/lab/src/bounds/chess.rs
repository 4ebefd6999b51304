//! Chess: nodes to a fixed depth by what the table keeps, with the plain search of this project.

use mnemon_engine::EvaluatedPosition;
use mnemon_search::{Keep, Limits, Search, Silent};
use mnemon_table::Table;

use super::{Arguments, listed, plot, saved};
use crate::Result;
use crate::middle_games::middle_games;
use crate::report::{Progress, Report};
use crate::results;
use crate::results::Grid;
use mnemon_chess::epd;

/// What the table keeps, and whether its move is searched first.
const KEPT: [(&str, Keep, bool); 6] = [
    ("nothing", Keep::Nothing, false),
    ("move only", Keep::Moves, true),
    ("exact and move", Keep::Exact, true),
    ("upper and move", Keep::Upper, true),
    ("both and move", Keep::Both, true),
    ("both without move", Keep::Both, false),
];

pub(super) fn run(arguments: &Arguments, report: &dyn Report) -> Result {
    let positions = match arguments.sample.file() {
        Some(path) => {
            let count = arguments.sample.count().map_or(usize::MAX, |count| count as usize);
            epd::read(path)?.into_iter().take(count).map(|(_, epd)| EvaluatedPosition(epd.position)).collect()
        }
        None => middle_games(arguments.sample.count())?,
    };
    let sizes = arguments.sizes(&[16]);
    let nodes = measure(report, &positions, arguments.depth, &sizes)?;
    let files = [
        ("bounds-chess.md", page(arguments, &sizes, positions.len(), &nodes)),
        ("bounds-chess.csv", nodes.to_csv()),
        ("bounds-chess.svg", plot(&nodes, "Chess: nodes to a fixed depth, times those without a table")?),
    ];
    results::publish(report, &arguments.out, &files)
}

/// Thousand nodes a position for each table size and for each that the table can keep, from cleared tables.
fn measure(report: &dyn Report, positions: &[EvaluatedPosition], depth: u8, sizes: &[u64]) -> Result<Grid> {
    let progress = Progress::of(report, "bounds", (sizes.len() * KEPT.len() * positions.len()) as u64);
    let mut rows = Vec::new();
    for &size in sizes {
        let table: Table = Table::new(crate::mebibytes(size))?;
        let mut numbers = Vec::new();
        for (_, keep, hints) in KEPT {
            let mut nodes = 0;
            for position in positions {
                table.clear(1);
                let search = Search { limits: Limits::depth(depth), keep, hash_moves: hints, ..Search::new(&table) };
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
    let (depth, sizes) = (arguments.depth, listed(sizes));
    let file = arguments.sample.file().map(|path| format!(" --file {}", path.display())).unwrap_or_default();
    let command =
        format!("mnemon lab bounds --game chess{file} --positions {positions} --depth {depth} --hash {sizes}");
    format!(
        "# Bounds in the table: chess\n\n{}\n\
         Thousand nodes a position to search {positions} middle games of chess to depth {depth} by iterative deepening \
         and principal variation search, with one thread and cleared tables, by what the table keeps:\n\n{}\n\
         Per cent fewer nodes than without a table:\n\n{}\n\
         ![Nodes by what the table keeps](bounds-chess.svg)\n\n{NOTE}",
        results::circumstances(&command),
        nodes.to_markdown(1),
        saved(nodes).to_markdown(1),
    )
}

/// What the columns mean.
const NOTE: &str = "\
`move only` orders the moves and nothing else. `exact` ends a node only where its value is known; in a search with null \
windows few nodes have one. `upper` takes a value for what it is at most, so it cuts off where no move is good enough, \
and never where one is too good. `both` is what the engine and every search here use; its last column leaves the \
table's move out of the order. The search is the plain one of `mnemon-search` with the chess engine's evaluation at the \
leaves: no quiescence search, no null move, no reductions, all of which would mix with what the table does. [The same \
question on Connect Four](bounds.md).\n";

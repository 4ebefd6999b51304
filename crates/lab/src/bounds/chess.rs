//! Chess: nodes to a fixed depth by what the table keeps, with the generic search of `mnemon-search`.

use mnemon_chess::epd;
use mnemon_engine::EvaluatedPosition;
use mnemon_search::{Keep, Limits, Search, Silent};
use mnemon_table::replace::Aged;
use mnemon_table::{Table, Wide};

use super::{Arguments, change, listed, plot, saved, saved_range};
use crate::Result;
use crate::console::{Console, ProgressBar};
use crate::middlegames::middlegames;
use crate::results::{self, Grid, Page};

/// What is kept, and how.
struct Kept {
    name: &'static str,
    keep: Keep,
    /// Whether the hash move is searched first.
    hash_moves: bool,
    /// Whether each bound has a table of its own, of half the size.
    two_tables: bool,
}

impl Kept {
    const fn in_one_table(name: &'static str, keep: Keep, hash_moves: bool) -> Self {
        Kept { name, keep, hash_moves, two_tables: false }
    }
}

const KEPT: [Kept; 7] = [
    Kept::in_one_table("nothing", Keep::Nothing, false),
    Kept::in_one_table("move only", Keep::Moves, true),
    Kept::in_one_table("exact and move", Keep::Exact, true),
    Kept::in_one_table("upper and move", Keep::Upper, true),
    Kept::in_one_table("both and move", Keep::Both, true),
    Kept::in_one_table("both without move", Keep::Both, false),
    Kept { name: "two tables", keep: Keep::Both, hash_moves: true, two_tables: true },
];

/// The columns of one table with both bounds and the move, and of a table for each bound.
const ONE_TABLE: usize = 4;
const TWO_TABLES: usize = 6;

pub(super) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    let positions = match arguments.sample.file() {
        Some(path) => {
            let count = arguments.sample.count().map_or(usize::MAX, |count| count as usize);
            epd::read(path)?.into_iter().take(count).map(|(_, epd)| EvaluatedPosition(epd.position)).collect()
        }
        None => middlegames(arguments.sample.count())?,
    };
    let sizes = arguments.entries();
    let nodes = measure(console, &positions, arguments.depth, &sizes)?;
    let files = [
        ("bounds-chess.md", page(arguments, positions.len(), &nodes)),
        ("bounds-chess.csv", nodes.to_csv()),
        ("bounds-chess.svg", plot(&nodes, "entries", "Chess: nodes to a fixed depth, times those without a table")?),
    ];
    results::publish(console, &arguments.out, &files)
}

/// Thousand nodes a position for each table size (rows) and each entry of [`KEPT`] (columns), from cleared tables.
fn measure(console: &dyn Console, positions: &[EvaluatedPosition], depth: u8, sizes: &[usize]) -> Result<Grid> {
    let progress = ProgressBar::of(console, "bounds", (sizes.len() * KEPT.len() * positions.len()) as u64);
    let mut rows = Vec::new();
    for &entries in sizes {
        let numbers = KEPT.iter().map(|kept| {
            let nodes = kept.nodes(positions, depth, entries, || progress.advance(1))?;
            Ok(nodes as f64 / 1e3 / positions.len() as f64)
        });
        rows.push((entries.to_string(), numbers.collect::<Result<_>>()?));
    }
    drop(progress);
    Ok(Grid { corner: "Entries".to_owned(), columns: KEPT.iter().map(|kept| kept.name.to_owned()).collect(), rows })
}

impl Kept {
    /// Nodes of all positions with this many entries in all tables together.
    fn nodes(
        &self,
        positions: &[EvaluatedPosition],
        depth: u8,
        entries: usize,
        mut advance: impl FnMut(),
    ) -> Result<u64> {
        let new_table = |entries| Table::<Wide, Aged>::with_entries(entries, Aged);
        let table = new_table(if self.two_tables { entries / 2 } else { entries })?;
        let second = if self.two_tables { Some(new_table(entries / 2)?) } else { None };
        let search = Search {
            limits: Limits::depth(depth),
            keep: self.keep,
            hash_moves: self.hash_moves,
            lower_bounds: second.as_ref(),
            ..Search::new(&table)
        };
        let mut nodes = 0;
        for position in positions {
            std::iter::once(&table).chain(&second).for_each(|table| table.clear(1));
            nodes += search.run(position, &mut Silent).stats.nodes;
            advance();
        }
        Ok(nodes)
    }
}

fn page(arguments: &Arguments, positions: usize, nodes: &Grid) -> String {
    let depth = arguments.depth;
    let file = arguments.sample.file().map(|path| format!(" --file {}", path.display())).unwrap_or_default();
    let sample = if file.is_empty() { "chess middle games" } else { "chess positions" };
    let saved = saved(nodes);
    let range = |column| saved_range(&saved, column);
    let page = Page {
        title: "Bounds in the table: chess",
        conclusion: format!(
            "A table that keeps both bounds and the hash move saves {} of the nodes of a search without a table; upper \
             bounds and the move save {}, exact values and the move {}, the move alone {}. Two tables of half the size, one \
             for each bound, change the nodes by {} against one table that has both in an entry.",
            range(3),
            range(2),
            range(1),
            range(0),
            change(nodes, ONE_TABLE, TWO_TABLES),
        ),
        table: format!(
            "{}\nThousand nodes a position, by what the table keeps. Per cent fewer nodes than without a table:\n\n{}\n\
             ![Nodes by what the table keeps](bounds-chess.svg)",
            nodes.to_markdown(1),
            saved.to_markdown(1),
        ),
        command: format!(
            "mnemon lab bounds --game chess{file} --positions {positions} --depth {depth} --entries {}",
            listed(&arguments.entries())
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
- `both`: what the engine and every search here use; `without move` does not search the hash move first.
- `two tables`: one keeps upper bounds and the other lower bounds, each with half of the entries and with the move; an exact
  value is in both. A node probes both. An entry has the same 16 bytes as one with both bounds, so that two tables of half \
the size are as large as one.

[The same question on Connect Four](bounds.md).";

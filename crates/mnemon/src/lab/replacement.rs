//! `mnemon lab replacement`: the experiment of Breuker, Uiterwijk and van den Herik's "Replacement Schemes for
//! Transposition Tables" (ICCA Journal 17(4), 1994), on the synthetic game.
//!
//! Each scheme searches the same positions to the same depth with tables of 2^13 to 2^20 entries; what counts is the
//! number of nodes. Positions × schemes × sizes are independent, so threads share them out; each search itself runs on
//! one thread and gives the same count everywhere.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;
use mnemon_search::games::{Rules, Synthetic};
use mnemon_search::random::Random;
use mnemon_search::{Game, Limits, Quiet, Search};
use mnemon_table::replace::{Replace, SchemeVisitor, each_scheme};
use mnemon_table::{Table, TableError, Wide};

use super::results::Grid;
use super::{plot, results};
use crate::{Result, progress};

/// What to measure.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Plies to search each position to
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u8).range(1..=40))]
    depth: u8,
    /// Positions to search
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    positions: u32,
    /// Searches to run at the same time; the counts do not depend on it [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Where the results go
    #[arg(long, default_value = "docs/results", value_name = "FOLDER")]
    out: PathBuf,
}

/// Table sizes, as powers of two.
const SIZES: std::ops::RangeInclusive<u32> = 13..=20;

/// Bytes of one entry in the wide layout.
const ENTRY_BYTES: usize = 16;

pub(crate) fn run(arguments: &Arguments) -> Result {
    let hinted = measure(arguments, true)?;
    let unhinted = measure(arguments, false)?;
    let command = format!("mnemon lab replacement --depth {} --positions {}", arguments.depth, arguments.positions);
    let report = report(&command, arguments, &hinted, &unhinted);
    let title = "Nodes to a fixed depth by replacement scheme (synthetic game)";
    let plot = |grid: &Grid, order: &str| plot::svg(grid, &format!("{title}, {order}"), "million nodes");
    let files = [
        ("replacement.md", report),
        ("replacement.csv", hinted.to_csv()),
        ("replacement.svg", plot(&hinted, "the table's move first")?),
        ("replacement-unhinted.csv", unhinted.to_csv()),
        ("replacement-unhinted.svg", plot(&unhinted, "the table's move not used")?),
    ];
    results::publish(&arguments.out, &files)
}

/// One scheme, as something that can be listed: a type cannot.
struct Scheme {
    name: &'static str,
    nodes: fn(&Synthetic, usize, u8, bool) -> std::result::Result<u64, TableError>,
}

struct Schemes(Vec<Scheme>);

impl SchemeVisitor for Schemes {
    fn visit<R: Replace>(&mut self, _scheme: R) {
        // The paper's names for two of them.
        let name = match R::NAME {
            "Always" => "New",
            "Deeper" => "Deep",
            name => name,
        };
        self.0.push(Scheme { name, nodes: nodes_of::<R> });
    }
}

/// Nodes to search the position to the depth with a table of so many entries.
fn nodes_of<R: Replace>(
    position: &Synthetic,
    entries: usize,
    depth: u8,
    hints: bool,
) -> std::result::Result<u64, TableError> {
    let table: Table<Wide, R> = Table::new(entries * ENTRY_BYTES)?;
    let search = Search { limits: Limits::depth(depth), hints, ..Search::new(&table) };
    Ok(search.run(position, &mut Quiet).stats.nodes)
}

/// Million nodes for each size and scheme, all positions together, with or without the table's move searched first.
fn measure(arguments: &Arguments, hints: bool) -> Result<Grid> {
    let mut schemes = Schemes(Vec::new());
    each_scheme(&mut schemes);
    let Schemes(schemes) = schemes;
    let positions = positions(arguments.positions);
    let sizes: Vec<usize> = SIZES.map(|power| 1 << power).collect();
    let cells: Vec<_> = sizes.iter().flat_map(|&size| schemes.iter().map(move |scheme| (size, scheme))).collect();
    let bar = progress::bar((cells.len() * positions.len()) as u64, if hints { "with hints" } else { "without" });
    let count = |&(size, scheme): &(usize, &Scheme)| -> std::result::Result<f64, TableError> {
        let mut total = 0;
        for position in &positions {
            total += (scheme.nodes)(position, size, arguments.depth, hints)?;
            bar.inc(1);
        }
        Ok(total as f64 / 1e6)
    };
    let jobs = arguments.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let counts: Vec<f64> = shared_out(&cells, jobs, count).into_iter().collect::<std::result::Result<_, _>>()?;
    bar.finish_and_clear();
    Ok(Grid {
        corner: "Entries".to_owned(),
        columns: schemes.iter().map(|scheme| scheme.name.to_owned()).collect(),
        rows: SIZES.map(|power| format!("2^{power}")).zip(counts.chunks(schemes.len()).map(<[f64]>::to_vec)).collect(),
    })
}

/// The results of `work` on each item, in order, computed by so many threads.
fn shared_out<T: Sync, U: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        while let Some((number, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, items.get(n)?)))
        {
            done.push((number, work(item)));
        }
        done
    };
    let mut done: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    done.sort_unstable_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Middle-game positions: eight random moves into a game of its own each.
fn positions(count: u32) -> Vec<Synthetic> {
    let position = |seed: u32| {
        let mut random = Random::new(seed.into());
        let rules = Rules { seed, tracks: 8, length: 100, gain: 40, noise: 20, sudden_end: 0 };
        (0..8).fold(Synthetic::new(rules), |position, _| position.play(random.below(8) as u8))
    };
    (1..=count).map(position).collect()
}

/// How many per cent more than the best of its row each number is.
fn over_best(nodes: &Grid) -> Grid {
    let rows = nodes.rows.iter().map(|(name, numbers)| {
        let best = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        (name.clone(), numbers.iter().map(|number| (number / best - 1.0) * 100.0).collect())
    });
    Grid { corner: nodes.corner.clone(), columns: nodes.columns.clone(), rows: rows.collect() }
}

fn report(command: &str, arguments: &Arguments, hinted: &Grid, unhinted: &Grid) -> String {
    format!(
        "# Replacement schemes\n\n{}\n\
         Million nodes to search {} positions of the synthetic game (eight moves a position, most of them transposing) \
         to depth {} by iterative deepening and principal variation search.\n\n\
         ## The table's move searched first\n\n{}\n\
         ## The table's move not used\n\n{}\n\
         ## Beside the paper\n\n{}\n{REASONS}",
        results::circumstances(command),
        arguments.positions,
        arguments.depth,
        section(hinted, "replacement.svg"),
        section(unhinted, "replacement-unhinted.svg"),
        findings(hinted, unhinted).join("\n"),
    )
}

fn section(nodes: &Grid, plot: &str) -> String {
    format!(
        "{}\nPer cent more nodes than the best scheme at that size:\n\n{}\n![Nodes by scheme and size]({plot})\n",
        nodes.to_markdown(2),
        over_best(nodes).to_markdown(1)
    )
}

/// The paper's findings beside ours, as the lines of a table.
fn findings(hinted: &Grid, unhinted: &Grid) -> Vec<String> {
    let last = hinted.rows.len() - 1;
    let cells = |change: &dyn Fn(&Grid, usize) -> String| {
        [(hinted, 0), (hinted, last), (unhinted, 0), (unhinted, last)].map(|(grid, row)| change(grid, row)).join(" | ")
    };
    let line = |what: &str, paper: &str, schemes: &[&str], others: &[&str]| {
        let change =
            |grid: &Grid, row| format!("{:+.1} %", (mean(grid, row, schemes) / mean(grid, row, others) - 1.0) * 100.0);
        format!("| {what} | {paper} | {} |", cells(&change))
    };
    let spread = |grid: &Grid, row: usize| {
        let numbers = SEVEN.map(|scheme| mean(grid, row, &[scheme]));
        let (best, worst) =
            (numbers.into_iter().fold(f64::INFINITY, f64::min), numbers.into_iter().fold(0.0, f64::max));
        format!("{:+.1} %", (best / worst - 1.0) * 100.0)
    };
    vec![
        "Change in nodes; the paper searched chess middle games.\n".to_owned(),
        "| | paper | first, 2^13 | first, 2^20 | not used, 2^13 | not used, 2^20 |".to_owned(),
        "|---|---|--:|--:|--:|--:|".to_owned(),
        line("two levels: TwoDeep to Deep", "fewer", &["TwoDeep"], &["Deep"]),
        line("two levels: TwoBig1 to Big1", "fewer", &["TwoBig1"], &["Big1"]),
        line("subtree size: Big1 and BigAll to Deep", "fewer", &["Big1", "BigAll"], &["Deep"]),
        line("subtree size: TwoBig1 to TwoDeep", "fewer", &["TwoBig1"], &["TwoDeep"]),
        format!("| best of the seven to worst | -23 % at 8 K, -3 % above 512 K | {} |", cells(&spread)),
        String::new(),
    ]
}

/// The paper's schemes.
const SEVEN: [&str; 7] = ["New", "Old", "Deep", "Big1", "BigAll", "TwoDeep", "TwoBig1"];

/// The mean of some schemes' numbers in a row.
fn mean(grid: &Grid, row: usize, schemes: &[&str]) -> f64 {
    let of_schemes = |(name, _): &(&String, &f64)| schemes.contains(&name.as_str());
    let numbers: Vec<f64> = grid.columns.iter().zip(&grid.rows[row].1).filter(of_schemes).map(|(_, &n)| n).collect();
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// Why the synthetic game need not agree.
const REASONS: &str = "\
Where this differs from the paper, the game is the reason to look at first. Its moves may be played in any order, so a \
move that is good in one position is good in most, and killers and history order the moves better than a move that a \
shallower search left in the table: without the table's move the search needs far fewer nodes, and a scheme that loses \
many entries (New) gains by it where the table's move is used. The second half, where only the entries' scores count, \
is therefore the fairer comparison of the schemes. Transpositions here come from playing a few moves in another order: a \
position is met again soon or not at all, which favours the new over the deep; in chess a deep subtree is also met again \
much later. Every position has about eight moves, so depth and subtree size are nearly the same order, and the table \
keeps the size as a logarithm in half octaves. The four-slot schemes (Worth, Aged) are not in the paper.\n";

//! What the counts say, beside what the paper found.

use crate::results::{self, Grid};

/// What was searched, in words.
pub(super) struct Subject {
    /// The game's name.
    pub(super) game: &'static str,
    /// The option that chooses it, with a blank before it; empty for the usual one.
    pub(super) option: &'static str,
    /// The beginning of its files' names.
    stem: &'static str,
    /// What the positions are.
    positions: &'static str,
    /// What to think of beside the paper.
    reasons: &'static str,
}

pub(super) const SYNTHETIC: Subject = Subject {
    game: "synthetic game",
    option: "",
    stem: "replacement",
    positions: "positions of the synthetic game (eight moves a position, most of them transposing)",
    reasons: SYNTHETIC_REASONS,
};

pub(super) const CHESS: Subject = Subject {
    game: "chess",
    option: " --game chess",
    stem: "replacement-chess",
    positions: "middle games of chess",
    reasons: CHESS_REASONS,
};

/// How many per cent more than the best of its row each number is.
fn over_best(nodes: &Grid) -> Grid {
    let rows = nodes.rows.iter().map(|(name, numbers)| {
        let best = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        (name.clone(), numbers.iter().map(|number| (number / best - 1.0) * 100.0).collect())
    });
    Grid { corner: nodes.corner.clone(), columns: nodes.columns.clone(), rows: rows.collect() }
}

impl Subject {
    /// The files' names: the report, then counts and plot with the table's move first, then the same without it.
    pub(super) fn names(&self) -> [String; 5] {
        [".md", ".csv", ".svg", "-unhinted.csv", "-unhinted.svg"].map(|end| format!("{}{end}", self.stem))
    }

    /// The report; the grids are with the table's move searched first and with it not used.
    pub(super) fn page(&self, command: &str, positions: usize, depth: u8, grids: [&Grid; 2]) -> String {
        let [_, _, plot, _, unhinted_plot] = self.names();
        let [hinted, unhinted] = grids;
        format!(
            "# Replacement schemes: {}\n\n{}\n\
             Million nodes to search {positions} {} to depth {depth} by iterative deepening and principal variation \
             search.\n\n\
             ## The table's move searched first\n\n{}\n\
             ## The table's move not used\n\n{}\n\
             ## Beside the paper\n\n{}\n{}",
            self.game,
            results::circumstances(command),
            self.positions,
            section(hinted, &plot),
            section(unhinted, &unhinted_plot),
            findings(hinted, unhinted).join("\n"),
            self.reasons,
        )
    }
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
    let (least, most) = (&hinted.rows[0].0, &hinted.rows[last].0);
    vec![
        "Change in nodes; the paper searched chess middle games.\n".to_owned(),
        format!("| | paper | first, {least} | first, {most} | not used, {least} | not used, {most} |"),
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
const SYNTHETIC_REASONS: &str = "\
Where this differs from the paper, the game is the reason to look at first. Its moves may be played in any order, so a \
move that is good in one position is good in most, and killers and history order the moves better than a move that a \
shallower search left in the table: without the table's move the search needs far fewer nodes, and a scheme that loses \
many entries (New) gains by it where the table's move is used. The second half, where only the entries' scores count, \
is therefore the fairer comparison of the schemes. Transpositions here come from playing a few moves in another order: a \
position is met again soon or not at all, which favours the new over the deep; in chess a deep subtree is also met again \
much later. Every position has about eight moves, so depth and subtree size are nearly the same order, and the table \
keeps the size as a logarithm in half octaves. The four-slot schemes (Worth, Aged) are not in the paper. \
[The same on chess](replacement-chess.md).\n";

/// How this differs from the paper's experiment.
const CHESS_REASONS: &str = "\
The paper's tables had 8 K to 1024 K entries. Here the tables are as small as the trees ask for: what \
matters is how many positions compete for an entry. The leaves are evaluated as they stand and are not kept in the table. The search is the \
plain one of this project (`mnemon-search`: no null move, no reductions), not the chess engine's, whose pruning would \
mix with what the table does. The four-slot schemes (Worth, Aged) are not in the paper. [The same on the synthetic \
game](replacement.md).\n";

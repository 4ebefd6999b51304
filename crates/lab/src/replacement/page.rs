//! The page of results, beside what the paper found.

use crate::results::{Grid, Page};

/// What was searched.
pub(super) struct Subject {
    /// The game's name.
    pub(super) game: &'static str,
    /// The option that chooses it, with a blank before it; empty for the default.
    pub(super) option: &'static str,
    /// The beginning of its files' names.
    stem: &'static str,
    /// What the positions are.
    positions: &'static str,
    /// What differs from the paper.
    method: &'static str,
}

pub(super) const SYNTHETIC: Subject = Subject {
    game: "synthetic game",
    option: "",
    stem: "replacement",
    positions: "positions of the synthetic game (eight moves a position, most of them transposing)",
    method: SYNTHETIC_METHOD,
};

pub(super) const CHESS: Subject = Subject {
    game: "chess",
    option: " --game chess",
    stem: "replacement-chess",
    positions: "chess middle games",
    method: CHESS_METHOD,
};

/// The per cent by which each number exceeds the best of its row.
fn over_best(nodes: &Grid) -> Grid {
    let rows = nodes.rows.iter().map(|(name, numbers)| {
        let best = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        (name.clone(), numbers.iter().map(|number| (number / best - 1.0) * 100.0).collect())
    });
    Grid { corner: nodes.corner.clone(), columns: nodes.columns.clone(), rows: rows.collect() }
}

impl Subject {
    /// The files' names: the page, then counts and plot with the hash move searched first, then the same without it.
    pub(super) fn names(&self, suffix: &str) -> [String; 5] {
        [".md", ".csv", ".svg", "-unhinted.csv", "-unhinted.svg"].map(|end| format!("{}{suffix}{end}", self.stem))
    }

    /// The page; the grids are with the hash move searched first and with it not used.
    pub(super) fn page(
        &self,
        command: &str,
        positions: usize,
        depth: u8,
        grids: [&Grid; 2],
        names: &[String; 5],
    ) -> String {
        let [_, _, plot, _, plot_without] = names;
        let [with_moves, without_moves] = grids;
        let page = Page {
            title: &format!("Replacement schemes: {}", self.game),
            conclusion: conclusion(with_moves, without_moves),
            table: comparison(with_moves, without_moves),
            command: command.to_owned(),
            method: format!(
                "{positions} {} searched to depth {depth} by iterative deepening and principal variation search.\n\n{}",
                self.positions, self.method
            ),
            details: format!(
                "## Hash move searched first\n\n{}\n## Hash move not used\n\n{}",
                section(with_moves, plot),
                section(without_moves, plot_without),
            ),
        };
        page.to_string()
    }
}

fn section(nodes: &Grid, plot: &str) -> String {
    format!(
        "Million nodes:\n\n{}\nPer cent more nodes than the best scheme at that size:\n\n{}\n![Nodes by scheme and \
         size]({plot})\n",
        nodes.to_markdown(2),
        over_best(nodes).to_markdown(1)
    )
}

/// The best schemes of the smallest and of the largest table, and the paper's two questions, as far as the schemes that were
/// measured answer them.
fn conclusion(with_moves: &Grid, without_moves: &Grid) -> String {
    let last = with_moves.rows.len() - 1;
    let (smallest, largest) = (&with_moves.rows[0].0, &with_moves.rows[last].0);
    let best = format!(
        "With the hash move searched first, {} needs fewest nodes at {smallest} entries and {} at {largest}; with it not \
         used, {} and {}.",
        best(with_moves, 0),
        best(with_moves, last),
        best(without_moves, 0),
        best(without_moves, last),
    );
    let answers = answers(with_moves, without_moves);
    let sentences = [best, answers, against_aged(&[with_moves, without_moves])];
    sentences.into_iter().filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The answers to the paper's two questions; empty if some of their schemes were not measured.
fn answers(with_moves: &Grid, without_moves: &Grid) -> String {
    let questions = [TWO_LEVELS, SUBTREE_SIZE];
    if !questions.iter().flatten().all(|question| question.applies_to(with_moves)) {
        return String::new();
    }
    let [two_levels, subtree_size] = questions.map(|questions| {
        let corners = corners(with_moves, without_moves);
        let changes = || corners.iter().flat_map(|&(grid, row)| questions.map(|question| question.change(grid, row)));
        let (min, max) = (changes().fold(f64::INFINITY, f64::min), changes().fold(f64::NEG_INFINITY, f64::max));
        format!("{min:+.1} to {max:+.1} %")
    });
    format!(
        "Two levels change the nodes by {two_levels} against one, subtree size against depth by {subtree_size}; the paper \
         found fewer nodes with both."
    )
}

/// The name of the scheme with the fewest nodes in a row.
fn best(grid: &Grid, row: usize) -> String {
    let best = grid.columns.iter().zip(&grid.rows[row].1).min_by(|(_, left), (_, right)| left.total_cmp(right));
    best.map_or_else(String::new, |(name, _)| name.clone())
}

/// The smallest and the largest table, with the hash move searched first and with it not used; twice the only size if there
/// is one.
fn corners<'g>(with_moves: &'g Grid, without_moves: &'g Grid) -> [(&'g Grid, usize); 4] {
    let last = with_moves.rows.len() - 1;
    [(with_moves, 0), (with_moves, last), (without_moves, 0), (without_moves, last)]
}

/// The variants of Aged compared with it, over all sizes; empty if one of them was not measured.
fn against_aged(grids: &[&Grid]) -> String {
    if !grids.iter().all(|grid| has_all(grid, &["Aged", "Worth", "Exact", "Extreme"])) {
        return String::new();
    }
    let range = |scheme: &str| {
        let rows = || grids.iter().flat_map(|grid| (0..grid.rows.len()).map(move |row| (grid, row)));
        let changes =
            || rows().map(|(grid, row)| (mean(grid, row, &[scheme]) / mean(grid, row, &["Aged"]) - 1.0) * 100.0);
        let (min, max) = (changes().fold(f64::INFINITY, f64::min), changes().fold(f64::NEG_INFINITY, f64::max));
        format!("{min:+.1} to {max:+.1} %")
    };
    format!(
        "Compared with Aged, Worth (decisive scores count for some plies of depth) changes the nodes by {}, Exact (exact \
         values do) by {}, and Extreme (scores from 64 on do, without age) by {}.",
        range("Worth"),
        range("Exact"),
        range("Extreme"),
    )
}

/// The page of the measurement that steps backward through games.
pub(super) fn backward(command: &str, positions: usize, depth: u8, nodes: &Grid, plot: &str) -> String {
    let last = nodes.rows.len() - 1;
    let page = Page {
        title: "Replacement schemes: backward through a game",
        conclusion: format!(
            "{} needs fewest nodes at {} entries and {} at {}. {}",
            best(nodes, 0),
            nodes.rows[0].0,
            best(nodes, last),
            nodes.rows[last].0,
            against_aged(&[nodes]),
        ),
        table: section(nodes, plot),
        command: command.to_owned(),
        method: format!(
            "The {positions} positions of two chess games searched to depth {depth}, from each game's last position to its \
             first, with one table for a game and a new generation for each position.\n\n{BACKWARD_METHOD}"
        ),
        details: String::new(),
    };
    page.to_string()
}

const BACKWARD_METHOD: &str = "\
An analyst steps backward through a game so that the table knows what follows: the search of a position meets the positions \
that were searched before it. The games are D. Byrne against Fischer (New York 1956) and Kasparov against Topalov (Wijk aan \
Zee 1999). The search is the generic one of `mnemon-search` by iterative deepening, with the chess engine's evaluation at \
the leaves, and searches the hash move first. Exact values come from the principal variation, since all other nodes are \
searched with null windows: to prefer them is to prefer its entries. [From an empty table](replacement-chess.md).";

/// A comparison that the paper makes: the nodes of some schemes against those of others.
#[derive(Clone, Copy)]
struct Question {
    text: &'static str,
    schemes: &'static [&'static str],
    others: &'static [&'static str],
}

const TWO_LEVELS: [Question; 2] = [
    Question { text: "two levels: TwoDeep to Deep", schemes: &["TwoDeep"], others: &["Deep"] },
    Question { text: "two levels: TwoBig1 to Big1", schemes: &["TwoBig1"], others: &["Big1"] },
];
const SUBTREE_SIZE: [Question; 2] = [
    Question { text: "subtree size: Big1 and BigAll to Deep", schemes: &["Big1", "BigAll"], others: &["Deep"] },
    Question { text: "subtree size: TwoBig1 to TwoDeep", schemes: &["TwoBig1"], others: &["TwoDeep"] },
];

impl Question {
    /// Whether all of its schemes were measured.
    fn applies_to(&self, grid: &Grid) -> bool {
        has_all(grid, self.schemes) && has_all(grid, self.others)
    }

    /// The change in nodes in per cent.
    fn change(&self, grid: &Grid, row: usize) -> f64 {
        (mean(grid, row, self.schemes) / mean(grid, row, self.others) - 1.0) * 100.0
    }
}

/// Whether all of these schemes were measured.
fn has_all(grid: &Grid, schemes: &[&str]) -> bool {
    schemes.iter().all(|scheme| grid.columns.iter().any(|column| column == scheme))
}

/// The paper's findings beside ours, in the smallest and the largest table, as far as the schemes were measured.
fn comparison(with_moves: &Grid, without_moves: &Grid) -> String {
    let last = with_moves.rows.len() - 1;
    let cells = |change: &dyn Fn(&Grid, usize) -> f64| {
        corners(with_moves, without_moves).map(|(grid, row)| format!("{:+.1} %", change(grid, row))).join(" | ")
    };
    let spread = |grid: &Grid, row: usize| {
        let numbers = SEVEN.map(|scheme| mean(grid, row, &[scheme]));
        let (best, worst) =
            (numbers.into_iter().fold(f64::INFINITY, f64::min), numbers.into_iter().fold(0.0, f64::max));
        (best / worst - 1.0) * 100.0
    };
    let (smallest, largest) = (&with_moves.rows[0].0, &with_moves.rows[last].0);
    let mut lines = vec![
        format!("| | paper | first, {smallest} | first, {largest} | not used, {smallest} | not used, {largest} |"),
        "|---|---|--:|--:|--:|--:|".to_owned(),
    ];
    for question in TWO_LEVELS.into_iter().chain(SUBTREE_SIZE).filter(|question| question.applies_to(with_moves)) {
        let cells = cells(&|grid, row| question.change(grid, row));
        lines.push(format!("| {} | fewer | {cells} |", question.text));
    }
    if has_all(with_moves, &SEVEN) {
        lines.push(format!("| best of the seven to worst | -23 % at 8 K, -3 % above 512 K | {} |", cells(&spread)));
    }
    if lines.len() == 2 {
        return "The schemes that were measured answer none of the paper's questions.".to_owned();
    }
    format!("{}\n\n{LEGEND}", lines.join("\n"))
}

const LEGEND: &str = "\
Change in nodes compared with the paper, D.M. Breuker, J.W.H.M. Uiterwijk and H.J. van den Herik, \"Replacement Schemes for \
Transposition Tables\" (1994), which searched chess middle games. \"First\": the hash move is searched first; \"not used\": \
only scores and bounds of the table are used.";

/// The paper's schemes.
const SEVEN: [&str; 7] = ["New", "Old", "Deep", "Big1", "BigAll", "TwoDeep", "TwoBig1"];

/// The mean of some schemes' numbers in a row.
fn mean(grid: &Grid, row: usize, schemes: &[&str]) -> f64 {
    let of_schemes = |(name, _): &(&String, &f64)| schemes.contains(&name.as_str());
    let numbers: Vec<f64> = grid.columns.iter().zip(&grid.rows[row].1).filter(of_schemes).map(|(_, &n)| n).collect();
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// Why the synthetic game need not agree with the paper.
const SYNTHETIC_METHOD: &str = "\
Where this differs from the paper, the game is the first reason to consider. Its moves may be played in any order, so a move \
that is good in one position is good in most, and killers and history order the moves better than the hash move of a \
shallower search: without the hash move the search needs far fewer nodes, and a scheme that loses many entries (New) gains \
by it where the hash move is used. The second half, where only the entries' scores count, is therefore the fairer comparison \
of the schemes. Transpositions here come from playing a few moves in another order: a position is met again soon or not at \
all, which favours new entries over deep ones; in chess a deep subtree is also met again much later. Every position has \
about eight moves, so depth and subtree size are nearly the same order, and the table keeps the size as a logarithm in half \
octaves. The four-slot schemes (Worth, Aged, Extreme, Exact) are not in the paper. [The same on chess](replacement-chess.md).";

/// How this differs from the paper's experiment.
const CHESS_METHOD: &str = "\
The paper's tables had 8 K to 1024 K entries. Here the tables are small in proportion to the trees: what matters is how many \
positions compete for an entry. The leaves are evaluated statically and are not kept in the table. The search is the generic \
one of `mnemon-search` (no null move, no reductions), not the chess engine's, whose pruning would mix with what the table \
does. The four-slot schemes (Worth, Aged, \
Extreme, Exact) are not in the paper. [The same on the synthetic game](replacement.md), \
[and backward through games](replacement-backward.md).";

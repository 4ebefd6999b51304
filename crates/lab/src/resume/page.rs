//! The page of results.

use std::fmt::Write as _;
use std::time::Duration;

use super::{Arguments, Case};
use crate::results::Page;
use crate::statistics::median;

/// The goal for the nodes after a restart, in per cent of those before it, and for the memory, in per cent of the table.
const GOAL_PERCENT: f64 = 5.0;

pub(super) fn page(arguments: &Arguments, cases: &[Case], all_bytes: u64) -> String {
    let sizes = Sizes { hash_bytes: (arguments.hash << 20) as f64, all_bytes: all_bytes as f64 };
    let page = Page {
        title: "An analysis after a restart",
        conclusion: conclusion(arguments, cases, &sizes),
        table: summary(arguments, cases, &sizes),
        command: arguments.command(),
        method: format!(
            "{} positions to depth {}, then to depth {}, one thread, {} MiB of table. Before each analysis everything in \
             RAM is dropped; what is left is a file. \"Uninterrupted\" is what the analysis from scratch takes for its last \
             iteration.\n\n{METHOD}",
            cases.len(),
            arguments.depth(),
            arguments.depth() + 1,
            arguments.hash,
        ),
        details: [deeper(arguments, cases), same_depth(arguments, cases, &sizes), answers(cases)].join("\n"),
    };
    page.to_string()
}

struct Sizes {
    hash_bytes: f64,
    all_bytes: f64,
}

impl Sizes {
    fn percent(&self, bytes: f64) -> f64 {
        bytes * 100.0 / self.hash_bytes
    }

    /// The median and the largest share of the table that a memory of one position takes.
    fn memories(&self, cases: &[Case]) -> [f64; 2] {
        let shares = || cases.iter().map(|case| self.percent(case.memory_bytes as f64));
        [median(shares()), shares().fold(0.0, f64::max)]
    }
}

/// Medians of the nodes to one ply deeper than known, in per cent of an analysis from scratch: without a restart, with
/// the memory, with the saved table.
fn deeper_medians(arguments: &Arguments, cases: &[Case]) -> [f64; 3] {
    [0, 1, 2].map(|column| median(cases.iter().map(|case| deeper_shares(arguments, case)[column])))
}

fn deeper_shares(arguments: &Arguments, case: &Case) -> [f64; 3] {
    let all = case.nothing.nodes;
    let last = all - case.nothing.up_to(arguments.depth()).0;
    [last, case.resumed[1].nodes, case.loaded[1].nodes].map(|nodes| share(nodes, all))
}

fn conclusion(arguments: &Arguments, cases: &[Case], sizes: &Sizes) -> String {
    let [uninterrupted, resumed, loaded] = deeper_medians(arguments, cases);
    format!(
        "After a restart, `resume` reaches one ply more than the memory knows with a median of {resumed:.1} % of the nodes \
         of a cold start; the last iteration of an uninterrupted analysis takes {uninterrupted:.1} %, Load Hash \
         {loaded:.1} %. A position that is asked to no more than its known depth is answered with the same move, score and \
         depth in {} of {} cases, from a file of {:.2} % of the table.",
        same_answers(cases),
        cases.len(),
        sizes.memories(cases)[0],
    )
}

fn summary(arguments: &Arguments, cases: &[Case], sizes: &Sizes) -> String {
    let depth = arguments.depth();
    let nodes = |of: &dyn Fn(&Case) -> u64| median(cases.iter().map(|case| share(of(case), case.cold.nodes)));
    let time = |of: &dyn Fn(&Case) -> Duration| {
        median(cases.iter().map(|case| of(case).as_secs_f64() * 100.0 / case.nothing.up_to(depth).1.as_secs_f64()))
    };
    let [uninterrupted, resumed, loaded] = deeper_medians(arguments, cases).map(|share| format!("{share:.1}"));
    let [memory, largest] = sizes.memories(cases);
    let known = nodes(&|case| case.resumed[0].nodes);
    let mut text =
        "| after the restart | nodes to one ply deeper, % of cold | nodes to the known depth, % of cold | time to \
                    the known depth, % of cold | file, % of the table |\n|---|--:|--:|--:|--:|\n"
            .to_owned();
    let line = |name: &str, deeper: &str, nodes: f64, time: f64, file: &str| {
        format!("| {name} | {deeper} | {nodes:.3} | {time:.1} | {file} |\n")
    };
    let size = format!("{memory:.2}, at most {largest:.2}");
    text += &line("`resume`, a memory of its own", &resumed, known, time(&|case| case.resumed[0].time), &size);
    let size = format!("{:.2} for all", sizes.percent(sizes.all_bytes));
    let among_all = nodes(&|case| case.among_all.nodes);
    text += &line("`resume`, one memory for all", "", among_all, time(&|case| case.among_all.time), &size);
    let _ = writeln!(text, "| uninterrupted | {uninterrupted} | | | |");
    let size = format!("{:.1}", median(cases.iter().map(|case| sizes.percent(case.table_bytes as f64))));
    let table = nodes(&|case| case.loaded[0].nodes);
    text += &line("Save Hash, Load Hash", &loaded, table, time(&|case| case.loaded[0].time), &size);
    text += &line("nothing", "100.0", nodes(&|case| case.nothing.up_to(depth).0), 100.0, "0");
    let word = |met: bool| if met { "met" } else { "missed" };
    format!(
        "{text}\nMedians of {} positions. Goals: nodes to the known depth at most {GOAL_PERCENT} % of cold: {}. Memory file \
         under {GOAL_PERCENT} % of the table: {}.",
        cases.len(),
        word(known <= GOAL_PERCENT),
        word(largest < GOAL_PERCENT),
    )
}

fn deeper(arguments: &Arguments, cases: &[Case]) -> String {
    let mut text = format!(
        "## To depth {}, one ply deeper than known\n\nNodes in per cent of an analysis from scratch.\n\n\
         | | from scratch: nodes | uninterrupted: % | `resume`: % | Load Hash: % |\n|--:|--:|--:|--:|--:|\n",
        arguments.depth() + 1
    );
    for case in cases {
        let [last, resumed, loaded] = deeper_shares(arguments, case);
        let _ = writeln!(text, "| {} | {} | {last:.1} | {resumed:.1} | {loaded:.1} |", case.number, case.nothing.nodes);
    }
    let [last, resumed, loaded] = deeper_medians(arguments, cases);
    let _ = writeln!(text, "| median | | {last:.1} | {resumed:.1} | {loaded:.1} |");
    text
}

fn same_depth(arguments: &Arguments, cases: &[Case], sizes: &Sizes) -> String {
    let mut text = format!(
        "## To depth {}, the known depth\n\n\
         | | cold: nodes | ms | `resume`: % | ms | memory, % of table | for all: % | ms | Load Hash: % | ms | nothing: % |\n\
         |--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        arguments.depth()
    );
    for case in cases {
        let (nothing, cold) = (case.nothing.up_to(arguments.depth()), case.cold.nodes);
        let _ = writeln!(
            text,
            "| {} | {cold} | {} | {:.3} | {} | {:.2} | {:.3} | {} | {:.3} | {} | {:.0} |",
            case.number,
            milliseconds(nothing.1),
            share(case.resumed[0].nodes, cold),
            milliseconds(case.resumed[0].time),
            sizes.percent(case.memory_bytes as f64),
            share(case.among_all.nodes, cold),
            milliseconds(case.among_all.time),
            share(case.loaded[0].nodes, cold),
            milliseconds(case.loaded[0].time),
            share(nothing.0, cold),
        );
    }
    text
}

/// Move, score and depth of each analysis to the known depth.
fn answers(cases: &[Case]) -> String {
    let mut text = "## The answers\n\n\
         | | its authors' | cold | `resume` | for all | Load Hash |\n|--:|---|---|---|---|---|\n"
        .to_owned();
    for case in cases {
        let _ = write!(text, "| {} | {} ", case.number, case.best);
        for result in [&case.cold, &case.resumed[0], &case.among_all, &case.loaded[0]] {
            let _ = write!(text, "| {} {:+.2}, depth {} ", result.best, f64::from(result.score) / 100.0, result.depth);
        }
        text += "|\n";
    }
    let same = same_answers(cases);
    let _ = writeln!(text, "\nUnder `resume` {same} of {} answers are the same: move, score and depth.", cases.len());
    text
}

/// The number of positions for which `resume` gives the first analysis' move, score and depth.
fn same_answers(cases: &[Case]) -> usize {
    let is_same = |case: &&Case| {
        let resumed = &case.resumed[0];
        (&resumed.best, resumed.score, resumed.depth) == (&case.cold.best, case.cold.score, case.cold.depth)
    };
    cases.iter().filter(is_same).count()
}

const METHOD: &str = "\
- A position that the memory knows to the requested depth is answered from it, with the score, the depth and the move of \
the search that was learned; asked for more, the engine begins with the next iteration. Mates are searched again.
- Times include opening the file, creating the engine, and recall, and are this machine's; nodes repeat exactly.";

fn share(part: u64, whole: u64) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}

fn milliseconds(time: Duration) -> String {
    format!("{:.0}", time.as_secs_f64() * 1e3)
}

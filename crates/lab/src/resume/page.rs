//! What was measured, in words and tables.

use std::fmt::Write as _;
use std::time::Duration;

use super::{Arguments, Case};
use crate::results;
use crate::statistics::median;

/// Nodes after a restart must be at most this part of those before it, and the memory at most this part of the table.
const GOAL_PERCENT: f64 = 5.0;

pub(super) fn markdown(arguments: &Arguments, cases: &[Case], all_bytes: u64) -> String {
    let hash_bytes = (arguments.hash << 20) as f64;
    let sizes = Sizes { hash_bytes, all_bytes: all_bytes as f64 };
    format!(
        "# An analysis after a restart\n\n{}\n{}\n{}\n{}\n{}\n{NOTES}",
        results::circumstances(&arguments.command()),
        summary(arguments, cases, &sizes),
        same_depth(arguments, cases, &sizes),
        deeper(arguments, cases),
        answers(cases),
    )
}

struct Sizes {
    hash_bytes: f64,
    all_bytes: f64,
}

impl Sizes {
    fn percent(&self, bytes: f64) -> f64 {
        bytes * 100.0 / self.hash_bytes
    }
}

fn summary(arguments: &Arguments, cases: &[Case], sizes: &Sizes) -> String {
    let depth = arguments.depth;
    let nodes = |of: &dyn Fn(&Case) -> u64| median(cases.iter().map(|case| share(of(case), case.cold.nodes)));
    let resumed = nodes(&|case| case.resumed[0].nodes);
    let memory = median(cases.iter().map(|case| sizes.percent(case.memory_bytes as f64)));
    let largest = cases.iter().map(|case| sizes.percent(case.memory_bytes as f64)).fold(0.0, f64::max);
    let word = |met: bool| if met { "met" } else { "missed" };
    let goals = format!(
        "Goals: nodes under `resume` at most {GOAL_PERCENT} % of cold: {}. Memory file under {GOAL_PERCENT} % of the \
         table: {}.",
        word(resumed <= GOAL_PERCENT),
        word(largest < GOAL_PERCENT),
    );
    let mut text = format!(
        "{} positions to depth {depth}, one thread, {} MiB of table, medians. Before each analysis everything in RAM is \
         dropped; what is left is a file.\n\n\
         | after the restart | nodes, % of cold | time, % of cold | file, % of the table |\n|---|--:|--:|--:|\n",
        cases.len(),
        arguments.hash,
    );
    let mut line = |name: &str, nodes: f64, time: f64, file: &str| {
        let _ = writeln!(text, "| {name} | {nodes:.3} | {time:.1} | {file} |");
    };
    let time = |of: &dyn Fn(&Case) -> Duration| {
        median(cases.iter().map(|case| of(case).as_secs_f64() * 100.0 / case.nothing.by(depth).1.as_secs_f64()))
    };
    let size = format!("{memory:.2}, at most {largest:.2}");
    line("`resume`, a memory of its own", resumed, time(&|case| case.resumed[0].time), &size);
    let size = format!("{:.2} for all", sizes.percent(sizes.all_bytes));
    line("`resume`, one memory for all", nodes(&|case| case.among_all.nodes), time(&|case| case.among_all.time), &size);
    let size = format!("{:.1}", median(cases.iter().map(|case| sizes.percent(case.table_bytes as f64))));
    line("Save Hash, Load Hash", nodes(&|case| case.loaded[0].nodes), time(&|case| case.loaded[0].time), &size);
    line("nothing", nodes(&|case| case.nothing.by(depth).0), 100.0, "0");
    format!("{text}\n{goals}\n")
}

fn same_depth(arguments: &Arguments, cases: &[Case], sizes: &Sizes) -> String {
    let mut text = format!(
        "## To the same depth, {}\n\n\
         | | cold: nodes | ms | `resume`: % | ms | memory, % of table | for all: % | ms | Load Hash: % | ms | nothing: % |\n\
         |--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        arguments.depth
    );
    for case in cases {
        let (nothing, cold) = (case.nothing.by(arguments.depth), case.cold.nodes);
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

fn deeper(arguments: &Arguments, cases: &[Case]) -> String {
    let mut text = format!(
        "## On to depth {}\n\n\
         Nodes in per cent of an analysis from scratch. \"Uninterrupted\" is what that one takes for its last iteration: \
         an analysis that loses nothing by the restart takes as much.\n\n\
         | | from scratch: nodes | uninterrupted: % | `resume`: % | Load Hash: % |\n|--:|--:|--:|--:|--:|\n",
        arguments.depth + 1
    );
    let shares = |case: &Case| {
        let all = case.nothing.nodes;
        let last = all - case.nothing.by(arguments.depth).0;
        [last, case.resumed[1].nodes, case.loaded[1].nodes].map(|nodes| share(nodes, all))
    };
    for case in cases {
        let [last, resumed, loaded] = shares(case);
        let _ = writeln!(text, "| {} | {} | {last:.1} | {resumed:.1} | {loaded:.1} |", case.number, case.nothing.nodes);
    }
    let of = |column: usize| median(cases.iter().map(|case| shares(case)[column]));
    let _ = writeln!(text, "| median | | {:.1} | {:.1} | {:.1} |", of(0), of(1), of(2));
    text
}

/// Whether the answers are those of the first analysis.
fn answers(cases: &[Case]) -> String {
    let mut text = "## The answers\n\n\
         | | its authors' | cold | `resume` | for all | Load Hash |\n|--:|---|---|---|---|---|\n"
        .to_owned();
    for case in cases {
        let _ = write!(text, "| {} | {} ", case.number, case.best);
        for found in [&case.cold, &case.resumed[0], &case.among_all, &case.loaded[0]] {
            let _ = write!(text, "| {} {:+.2}, depth {} ", found.best, f64::from(found.score) / 100.0, found.depth);
        }
        text += "|\n";
    }
    let same = |case: &&Case| {
        let resumed = &case.resumed[0];
        (&resumed.best, resumed.score, resumed.depth) == (&case.cold.best, case.cold.score, case.cold.depth)
    };
    let same = cases.iter().filter(same).count();
    let _ = writeln!(text, "\nUnder `resume` {same} of {} answers are the same: move, score and depth.", cases.len());
    text
}

const NOTES: &str = "\
## Notes

- A position that the memory knows to the depth asked for is answered from it, with the score, the depth and the move of \
the search that was learned; asked for more, the engine begins with the iteration after it. Mates are searched again.
- Times include opening the file, making the engine, and recall, and are this machine's; nodes repeat exactly.
";

fn share(part: u64, whole: u64) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}

fn milliseconds(time: Duration) -> String {
    format!("{:.0}", time.as_secs_f64() * 1e3)
}

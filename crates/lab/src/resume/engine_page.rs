//! The page of results for another engine.

use std::fmt::Write as _;
use std::time::Duration;

use super::Arguments;
use super::other_engine::{DEEPER, EngineCase};
use crate::results::Page;
use crate::statistics::median;

/// The goal for the first whole line of the known depth, in milliseconds.
const GOAL: f64 = 100.0;

pub(super) fn page(arguments: &Arguments, cases: &[EngineCase]) -> String {
    let (depth, deeper) = (arguments.depth(), arguments.depth() + DEEPER);
    let times: Vec<Times> = cases.iter().map(|case| Times::new(case, depth)).collect();
    Page {
        title: "Another engine after a restart",
        conclusion: conclusion(&times, depth, deeper),
        table: table(&times, depth, deeper),
        command: arguments.command(),
        method: format!(
            "{} Bratko-Kopec positions, one thread, {} MiB of table. \"Never closed\" is one process that is asked for depth \
             {depth} and then for {deeper}; \"without a memory\" a new process that is asked for {deeper} at once; \"with the \
             memory\" the same behind `mnemon proxy`, after another process behind it was asked for {depth} and closed. The \
             memory has {} synthetic records of the same engine besides. Times are from `go`, each once and in turns, and are \
             this machine's; the ratios are of one position each.\n\n{METHOD}",
            cases.len(),
            arguments.hash,
            arguments.records,
        ),
        details: details(cases, &times, depth, deeper),
    }
    .to_string()
}

/// Milliseconds of one position.
struct Times {
    /// To the depth, the first time.
    cold: f64,
    /// To the first whole line of the depth after a restart.
    first_line: f64,
    /// To the greater depth.
    continued: f64,
    anew: f64,
    remembering: f64,
}

impl Times {
    fn new(case: &EngineCase, depth: u8) -> Self {
        let milliseconds = |time: Option<Duration>| time.map_or(f64::NAN, |time| time.as_secs_f64() * 1e3);
        let deeper = depth + DEEPER;
        Times {
            cold: milliseconds(case.anew.first_whole_line(depth)),
            first_line: milliseconds(case.remembering.first_whole_line(depth)),
            continued: milliseconds(case.continued.first_whole_line(deeper)),
            anew: milliseconds(case.anew.first_whole_line(deeper)),
            remembering: milliseconds(case.remembering.first_whole_line(deeper)),
        }
    }
}

fn conclusion(times: &[Times], depth: u8, deeper: u8) -> String {
    let first = median(times.iter().map(|times| times.first_line));
    let ratio = |of: fn(&Times) -> f64| median(times.iter().map(|times| of(times) / times.anew));
    format!(
        "After a restart the known line of depth {depth} is there {first:.0} ms (median) after `go`, where the engine without a \
         memory needs {:.0} ms. Depth {deeper} is not reached sooner: {:.2} of the time without a memory (median), where an \
         engine that was never closed takes {:.2}. A memory gives lines back, not the engine's hash table.",
        median(times.iter().map(|times| times.cold)),
        ratio(|times| times.remembering),
        ratio(|times| times.continued),
    )
}

fn table(times: &[Times], depth: u8, deeper: u8) -> String {
    let of = |of: fn(&Times) -> f64| median(times.iter().map(of));
    let ratio = |of: fn(&Times) -> f64| median(times.iter().map(|times| of(times) / times.anew));
    let slowest = times.iter().map(|times| times.first_line).fold(0.0, f64::max);
    let is_met = times.iter().all(|times| times.first_line < GOAL);
    let mut text = format!(
        "| medians | first whole line of depth {depth}, ms | depth {deeper}, ms | depth {deeper}, of a new engine's time |\n\
         |---|--:|--:|--:|\n"
    );
    let _ = writeln!(
        text,
        "| never closed | 0 | {:.0} | {:.2} |",
        of(|times| times.continued),
        ratio(|times| times.continued)
    );
    let _ = writeln!(
        text,
        "| closed, with the memory | {:.1} | {:.0} | {:.2} |",
        of(|times| times.first_line),
        of(|times| times.remembering),
        ratio(|times| times.remembering)
    );
    let _ = writeln!(
        text,
        "| closed, without a memory | {:.0} | {:.0} | 1 |",
        of(|times| times.cold),
        of(|times| times.anew)
    );
    let word = if is_met { "met" } else { "missed" };
    format!("{text}\nGoal: the line below {GOAL:.0} ms in every position: {word} (slowest: {slowest:.1} ms).")
}

fn details(cases: &[EngineCase], times: &[Times], depth: u8, deeper: u8) -> String {
    let mut text = format!(
        "## Each position\n\nMilliseconds.\n\n| | depth {depth} alone | its line from the memory | depth {deeper}: never closed | with \
         the memory | without | nodes with / without | moves |\n|--:|--:|--:|--:|--:|--:|--:|---|\n"
    );
    for (case, times) in cases.iter().zip(times) {
        let nodes = case.remembering.nodes as f64 / case.anew.nodes.max(1) as f64;
        let moves = [&case.first, &case.remembering, &case.anew].map(|search| search.best.as_str()).join(", ");
        let _ = writeln!(
            text,
            "| {} | {:.0} | {:.1} | {:.0} | {:.0} | {:.0} | {nodes:.2} | {moves} |",
            case.number, times.cold, times.first_line, times.continued, times.remembering, times.anew,
        );
    }
    text + "\nMoves: at the known depth, and at the greater one with the memory and without.\n"
}

const METHOD: &str = "\
- What a memory cannot give back to an engine is its hash table. UCI has no way to fill it. The engine begins with depth 1 \
again behind the known lines and takes as long as without a memory; who wants to go on where an analysis stopped waits for that.
- A `go depth` that the memory covers is answered without the engine; here more is asked for.";

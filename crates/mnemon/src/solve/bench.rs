//! `mnemon solve --bench`: means over sets of positions, as the tutorial gives them.

use std::time::Duration;

use serde::Serialize;

use mnemon_connect4::SolverScheme;

use super::outcome::SolveOutcome;
use crate::connect4::solver::Settings;
use crate::{Result, output};

/// The settings that the means depend on.
pub(crate) struct Setting {
    threads: u16,
    mebibytes: u64,
    weak: bool,
    without: Option<&'static str>,
    /// The replacement scheme, unless it is the default.
    replacement: Option<&'static str>,
}

impl Setting {
    pub(crate) fn new(settings: &Settings, weak: bool) -> Self {
        let without = settings.without.map(mnemon_connect4::Technique::name);
        let scheme = settings.replacement;
        let replacement = (scheme != SolverScheme::default()).then(|| scheme.name());
        Self { threads: settings.threads, mebibytes: settings.hash, weak, without, replacement }
    }

    fn text(&self) -> String {
        let threads = if self.threads == 1 { "one thread".to_owned() } else { format!("{} threads", self.threads) };
        let precision = if self.weak { "weak" } else { "strong" };
        let without = self.without.map_or_else(String::new, |name| format!(", without {name}"));
        let replacement = self.replacement.map_or_else(String::new, |name| format!(", replacement {name}"));
        format!("{precision}, {threads}, a table of {} MiB{without}{replacement}", self.mebibytes)
    }
}

/// Sums over the positions of a set.
#[derive(Default)]
pub(crate) struct Means {
    positions: u64,
    nodes: u64,
    time: Duration,
}

impl Means {
    pub(crate) fn add(&mut self, outcome: &SolveOutcome) {
        self.positions += 1;
        self.nodes += outcome.nodes;
        self.time += outcome.time;
    }

    fn microseconds(&self) -> f64 {
        self.time.as_secs_f64() * 1e6 / self.positions.max(1) as f64
    }

    fn nodes(&self) -> f64 {
        self.nodes as f64 / self.positions.max(1) as f64
    }

    /// Thousand nodes a second; 0 when there was no time to measure.
    fn speed(&self) -> f64 {
        let seconds = self.time.as_secs_f64();
        if seconds > 0.0 { self.nodes as f64 / seconds / 1e3 } else { 0.0 }
    }
}

/// How the tables are cleared, which matters where a position takes less time than clearing 64 MiB.
const CLEARING: &str = "\
The tables are cleared before each position, within its time. The solver tries two small tables before the large one, \
and clears only the tables that the position before was searched with.";

/// Prints the means of each set, by name.
pub(crate) fn show(sets: &[(String, Means)], setting: &Setting, json: bool) -> Result {
    if json {
        for (name, means) in sets {
            output::say(output::json_line(&Object::new(name, means, setting))?)?;
        }
        return Ok(());
    }
    let width = sets.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(3);
    output::say(format_args!(
        "{:width$} {:>9} {:>14} {:>15} {:>9}",
        "set", "count", "mean time", "mean positions", "K pos/s"
    ))?;
    for (name, means) in sets {
        let (time, nodes, speed) = (means.microseconds(), means.nodes(), means.speed());
        output::say(format_args!("{name:width$} {:>9} {time:>11.2} µs {nodes:>15.2} {speed:>9.0}", means.positions))?;
    }
    Ok(output::say(format_args!("{}. {CLEARING}", setting.text()))?)
}

/// The members of the JSON object, in their order.
#[derive(Serialize)]
struct Object<'a> {
    set: &'a str,
    positions: u64,
    mean_microseconds: f64,
    mean_nodes: f64,
    thousand_nodes_a_second: f64,
    weak: bool,
    threads: u16,
    mebibytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    without: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replacement: Option<&'static str>,
}

impl<'a> Object<'a> {
    fn new(set: &'a str, means: &Means, setting: &Setting) -> Self {
        Self {
            set,
            positions: means.positions,
            mean_microseconds: means.microseconds(),
            mean_nodes: means.nodes(),
            thousand_nodes_a_second: means.speed(),
            weak: setting.weak,
            threads: setting.threads,
            mebibytes: setting.mebibytes,
            without: setting.without,
            replacement: setting.replacement,
        }
    }
}

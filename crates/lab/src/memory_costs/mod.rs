//! `mnemon lab memory`: costs and gains of the long-term memory, measured in one run on files of its own.

mod learning;
pub(crate) mod positions;
mod recall;
mod resume;
mod size;
mod store;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::results::{self, Page};
use crate::{Console, Result};

/// What to measure, and how large the memory is.
#[derive(Args)]
pub struct Arguments {
    /// Number of records of the large memory
    #[arg(long, default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(10_000..=1_000_000_000))]
    records: u64,
    /// Only this part of the experiment
    #[arg(long, value_name = "NAME", value_parser = ["resume", "learning", "recall", "size", "store"])]
    only: Option<String>,
    /// Folder for the memories, which are removed at the end [default: the system's temporary folder]
    #[arg(long, value_name = "FOLDER")]
    scratch: Option<PathBuf>,
    /// Folder for the results
    #[arg(long, default_value = "docs/results", value_name = "FOLDER")]
    out: PathBuf,
}

/// A line of the table of results.
pub(super) struct Measurement {
    what: String,
    measured: String,
    /// The goal, and whether it is met.
    goal: Option<(&'static str, bool)>,
}

impl Measurement {
    fn new(what: impl Into<String>, measured: impl Into<String>) -> Self {
        Measurement { what: what.into(), measured: measured.into(), goal: None }
    }

    fn with_goal(self, goal: &'static str, met: bool) -> Self {
        Measurement { goal: Some((goal, met)), ..self }
    }
}

type Experiment = fn(&dyn Console, &Path, u64) -> Result<Vec<Measurement>>;

const EXPERIMENTS: [(&str, &str, Experiment); 5] = [
    ("resume", "A search repeated after a restart", resume::measure),
    ("learning", "What learning costs the search", learning::measure),
    ("recall", "Recall", recall::measure),
    ("size", "Bytes on disk", size::measure),
    ("store", "The store", store::measure),
];

pub(crate) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    let folder = results::scratch_folder(arguments.scratch.as_deref())?;
    let mut command = format!("mnemon lab memory --records {}", arguments.records);
    if let Some(name) = &arguments.only {
        command += &format!(" --only {name}");
    }
    let mut measurements = Vec::new();
    for (name, title, experiment) in EXPERIMENTS {
        if arguments.only.as_ref().is_none_or(|only| only == name) {
            console.remark(&format!("{title} …"));
            measurements.extend(experiment(console, folder.path(), arguments.records)?);
        }
    }
    let page = Page {
        title: "The long-term memory",
        conclusion: conclusion(&measurements),
        table: table(&measurements),
        command,
        method: METHOD.to_owned(),
        details: String::new(),
    };
    results::publish(console, &arguments.out, &[("memory.md", page.to_string())])
}

/// Which goals are missed.
fn conclusion(measurements: &[Measurement]) -> String {
    let goals = measurements.iter().filter(|measurement| measurement.goal.is_some()).count();
    let missed = |measurement: &Measurement| {
        let (goal, _) = measurement.goal.filter(|(_, is_met)| !is_met)?;
        Some(format!("- {}: {} (goal: {goal})", measurement.what, measurement.measured))
    };
    let missed: Vec<String> = measurements.iter().filter_map(missed).collect();
    let met = goals - missed.len();
    if missed.is_empty() {
        return format!("All {goals} goals are met.");
    }
    format!("{met} of {goals} goals are met. Missed:\n\n{}", missed.join("\n"))
}

fn table(measurements: &[Measurement]) -> String {
    let mut text = "| | measured | goal |\n|---|---|---|\n".to_owned();
    for Measurement { what, measured, goal } in measurements {
        let goal = goal.map_or(String::new(), |(goal, met)| format!("{goal}: {}", if met { "met" } else { "missed" }));
        text += &format!("| {what} | {measured} | {goal} |\n");
    }
    text
}

/// What the numbers mean, and why some fall short of their goals.
const METHOD: &str = "\
- The chess positions are learned by searches of depth 6 from random openings. A file that grows in random order is about
  seven eighths full, a compacted one wholly.
- A lookup ends with reading one page of 4 KiB that a cache of 64 MiB does not hold: more than a microsecond here, and most
  of the cost of a hit. Large batches are read by two threads.
- Positions that are not there are excluded by a filter in RAM, which is read from the file with four bytes a record.
- A recall that reads a memory through also unpacks every position and fills the table; within a budget the most relevant
  records come first. A walk looks up every child of the positions it knows.";

//! `mnemon lab memory`: what the long-term memory costs and gives, measured in one run on files of its own.

mod learning;
mod positions;
mod recall;
mod resume;
mod size;
mod store;

use std::path::{Path, PathBuf};

use clap::Args;

use super::results;
use crate::{Report, Result};

/// What to measure.
#[derive(Args)]
pub struct Arguments {
    /// Records of the large memory
    #[arg(long, default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(10_000..=1_000_000_000))]
    records: u64,
    /// One experiment only
    #[arg(long, value_name = "NAME", value_parser = ["resume", "learning", "recall", "size", "store"])]
    only: Option<String>,
    /// Where the memories are made; they are removed at the end [default: the system's place for such files]
    #[arg(long, value_name = "FOLDER")]
    scratch: Option<PathBuf>,
    /// Where the results go
    #[arg(long, default_value = "docs/results", value_name = "FOLDER")]
    out: PathBuf,
}

/// One thing that was measured.
pub(super) struct Finding {
    what: String,
    measured: String,
    /// What it should reach, and whether it does.
    goal: Option<(&'static str, bool)>,
}

impl Finding {
    fn new(what: impl Into<String>, measured: impl Into<String>) -> Self {
        Finding { what: what.into(), measured: measured.into(), goal: None }
    }

    fn with_goal(self, goal: &'static str, met: bool) -> Self {
        Finding { goal: Some((goal, met)), ..self }
    }
}

type Experiment = fn(&dyn Report, &Path, u64) -> Result<Vec<Finding>>;

const EXPERIMENTS: [(&str, &str, Experiment); 5] = [
    ("resume", "A search repeated after a restart", resume::measure),
    ("learning", "What learning costs the search", learning::measure),
    ("recall", "Recall", recall::measure),
    ("size", "Bytes on disk", size::measure),
    ("store", "The store", store::measure),
];

pub(crate) fn run(arguments: &Arguments, report: &dyn Report) -> Result {
    let folder = results::scratch_folder(arguments.scratch.as_deref())?;
    let mut command = format!("mnemon lab memory --records {}", arguments.records);
    if let Some(name) = &arguments.only {
        command += &format!(" --only {name}");
    }
    let mut page = format!("# The long-term memory\n\n{}\n", results::circumstances(&command));
    for (name, title, experiment) in EXPERIMENTS {
        if arguments.only.as_ref().is_none_or(|only| only == name) {
            report.remark(&format!("{title} …"));
            page += &section(title, &experiment(report, folder.path(), arguments.records)?);
        }
    }
    results::publish(report, &arguments.out, &[("memory.md", page + NOTES)])
}

/// What the numbers mean, and why some fall short.
const NOTES: &str = "\
## Notes

- The chess positions of \"Bytes on disk\" are learned by searches of depth 6 from random openings. A file that grows in
  random order is about seven eighths full, a compacted one wholly.
- A lookup ends in reading one page of 4 KiB that no cache of 64 MiB holds: more than a microsecond here, and most of what
  a hit costs. Mapping the file into memory was tried and reads about twice as fast, but the process would then seem to
  grow with the file, and a file that is cut short under it would kill it. Two threads share large batches.
- Reading a memory through takes about a microsecond a record in SQLite alone, so a hundred thousand records take longer
  than aimed at; within a budget the most relevant come first. A walk looks up every child of what it knows.
";

fn section(title: &str, findings: &[Finding]) -> String {
    let mut text = format!("## {title}\n\n| | measured | goal |\n|---|---|---|\n");
    for Finding { what, measured, goal } in findings {
        let goal = goal.map_or(String::new(), |(goal, met)| format!("{goal}: {}", if met { "met" } else { "missed" }));
        text += &format!("| {what} | {measured} | {goal} |\n");
    }
    text + "\n"
}

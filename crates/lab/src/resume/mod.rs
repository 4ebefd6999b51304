//! `mnemon lab resume`: an analysis after a restart, cold and with what an earlier one kept on disk.
//!
//! Each Bratko-Kopec position is analysed to a depth. Then everything in RAM is dropped, and new engines analyse it again:
//! with the long-term memory, with the saved table, with nothing; to the same depth and to one ply more. With `--engine`
//! another UCI engine is analysed with, behind the proxy and alone.

mod engine_page;
mod other_engine;
mod page;
mod restart;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use mnemon_chess::Position;
use mnemon_memory::policy::{Policy, Resume};
use mnemon_memory::{Access, Batch, Range, open};
use mnemon_uci::child::EngineCommand;

use self::restart::{Analysis, AnalysisResult, Persisted};
use crate::Result;
use crate::bratko_kopec::POSITIONS;
use crate::console::{Console, ProgressBar};
use crate::error::cannot;
use crate::results;

/// The positions and the depth.
#[derive(Args)]
pub struct Arguments {
    /// Plies to analyse each position to [default: 15, with --engine 20]
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: Option<u8>,
    /// Another UCI engine, alone and behind the proxy
    #[arg(long, value_name = "COMMAND", value_parser = engine_command, conflicts_with = "memory_depth")]
    engine: Option<EngineCommand>,
    /// Records that the memory of the other engine has before
    #[arg(long, default_value_t = 1_000_000, value_name = "N", requires = "engine")]
    records: u64,
    /// Size of the table in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,
    /// Least depth that the memory keeps; 0 leaves it to the policy
    #[arg(long, default_value_t = 0, value_name = "PLIES")]
    memory_depth: u8,
    /// Only these of the 24 positions, by their numbers
    #[arg(long, value_delimiter = ',', value_name = "NUMBERS", value_parser = clap::value_parser!(u8).range(1..=24))]
    only: Vec<u8>,
    /// Folder for the memories and tables during the run [default: the system's temporary folder]
    #[arg(long, value_name = "FOLDER")]
    scratch: Option<PathBuf>,
    /// Folder for the results
    #[arg(long, default_value = "docs/results", value_name = "FOLDER")]
    out: PathBuf,
}

fn engine_command(text: &str) -> std::result::Result<EngineCommand, &'static str> {
    EngineCommand::parse(text).ok_or("expected the command of a UCI engine")
}

impl Arguments {
    fn depth(&self) -> u8 {
        self.depth.unwrap_or(if self.engine.is_some() { 20 } else { 15 })
    }

    fn policy(&self) -> Policy {
        Policy::Resume(Resume { least_depth: self.memory_depth, ..Resume::default() })
    }

    fn numbers(&self) -> Vec<u8> {
        (1..=POSITIONS.len() as u8).filter(|number| self.only.is_empty() || self.only.contains(number)).collect()
    }

    fn command(&self) -> String {
        let mut command = format!("mnemon lab resume --depth {} --hash {}", self.depth(), self.hash);
        if let Some(engine) = &self.engine {
            command += &format!(" --engine \"{engine}\" --records {}", self.records);
        }
        if self.memory_depth > 0 {
            command += &format!(" --memory-depth {}", self.memory_depth);
        }
        if !self.only.is_empty() {
            let numbers: Vec<_> = self.only.iter().map(u8::to_string).collect();
            command += &format!(" --only {}", numbers.join(","));
        }
        command
    }
}

/// The analyses of one position. A pair is to the depth and to one ply more.
struct Case {
    number: u8,
    /// The best moves by the position's authors.
    best: &'static str,
    /// The first analysis, from which the memory learns, and which saves its table.
    cold: AnalysisResult,
    /// From scratch to one ply more; its iterations include the depth.
    nothing: AnalysisResult,
    resumed: [AnalysisResult; 2],
    loaded: [AnalysisResult; 2],
    memory_bytes: u64,
    table_bytes: u64,
    /// To the depth, with one memory that knows all positions.
    among_all: AnalysisResult,
}

pub(crate) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    let folder = results::scratch_folder(arguments.scratch.as_deref())?;
    if let Some(engine) = &arguments.engine {
        let cases = other_engine::cases(arguments, engine, folder.path(), console)?;
        let page = engine_page::page(arguments, &cases);
        return results::publish(console, &arguments.out, &[("resume-engine.md", page)]);
    }
    let numbers = arguments.numbers();
    let progress = ProgressBar::of(console, "positions", 2 * numbers.len() as u64);
    let mut cases = Vec::new();
    for &number in &numbers {
        cases.push(case(arguments, folder.path(), number)?);
        progress.advance(1);
    }
    let all = folder.path().join("all.mnemon");
    merge(&all, &numbers.iter().map(|number| memory_of(folder.path(), *number)).collect::<Vec<_>>())?;
    let all_bytes = bytes(&all)?;
    for case in &mut cases {
        let copy = copy_of(&all)?;
        let persisted = Persisted::Memory(&copy, arguments.policy());
        case.among_all = analysis(arguments, 0).run(&position(case.number)?, persisted, None)?;
        progress.advance(1);
    }
    drop(progress);
    results::publish(console, &arguments.out, &[("resume.md", page::page(arguments, &cases, all_bytes))])
}

fn analysis(arguments: &Arguments, deeper: u8) -> Analysis {
    Analysis { hash_bytes: (arguments.hash as usize) << 20, depth: arguments.depth() + deeper }
}

fn position(number: u8) -> Result<Position> {
    Ok(POSITIONS[usize::from(number) - 1].0.parse()?)
}

fn memory_of(folder: &Path, number: u8) -> PathBuf {
    folder.join(format!("{number}.mnemon"))
}

/// Measures one position.
fn case(arguments: &Arguments, folder: &Path, number: u8) -> Result<Case> {
    let position = position(number)?;
    let (memory, table) = (memory_of(folder, number), folder.join("table"));
    let analyse = |deeper: u8, persisted: Persisted<'_>| analysis(arguments, deeper).run(&position, persisted, None);
    let cold = analysis(arguments, 0).run(&position, Persisted::Memory(&memory, arguments.policy()), Some(&table))?;
    // Each engine gets the memory as it was after the first analysis.
    let resumed = |deeper: u8| analyse(deeper, Persisted::Memory(&copy_of(&memory)?, arguments.policy()));
    Ok(Case {
        number,
        best: POSITIONS[usize::from(number) - 1].1,
        nothing: analyse(1, Persisted::Nothing)?,
        resumed: [resumed(0)?, resumed(1)?],
        loaded: [analyse(0, Persisted::Table(&table))?, analyse(1, Persisted::Table(&table))?],
        memory_bytes: bytes(&memory)?,
        table_bytes: bytes(&table)?,
        among_all: AnalysisResult::default(),
        cold,
    })
}

/// A copy of a memory that is not open.
fn copy_of(memory: &Path) -> Result<PathBuf> {
    let copy = memory.with_extension("copy");
    fs::copy(memory, &copy).map_err(cannot("copy", memory))?;
    Ok(copy)
}

fn bytes(path: &Path) -> Result<u64> {
    Ok(fs::metadata(path).map_err(cannot("read", path))?.len())
}

/// Merges memories into a new one.
fn merge(into: &Path, memories: &[PathBuf]) -> Result {
    let store = open(into, Access::Create)?;
    let mut batch = Batch::new(&*store);
    for memory in memories {
        let other = open(memory, Access::ReadOnly)?;
        let mut added = Ok(());
        other.scan(&Range::default(), &mut |item| {
            added = batch.add(item);
            if added.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        added?;
    }
    batch.finish()?;
    Ok(())
}

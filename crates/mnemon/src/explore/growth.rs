//! One run from the first search to the summary.

use std::process::ExitCode;

use mnemon_explore::grow::{Explored, Explorer, Leases, Outcome, RunLimits, Settings, Stop, run};
use mnemon_explore::queue::Queue;
use mnemon_memory::Source;
use mnemon_search::Notation;

use super::Arguments;
use super::engines::Engines;
use super::watcher::Watcher;
use crate::Result;
use crate::interrupt::Interrupt;
use crate::memory_location::MemoryLocation;

/// Explores the tree below the root until it is stopped.
pub(super) fn grow<G: Explored + Notation>(
    arguments: &Arguments,
    root: G,
    engines: impl FnOnce() -> Result<Engines<G>>,
) -> Result<ExitCode> {
    let stop = Stop::default();
    let pressed = stop.clone();
    let interrupt = Interrupt::listen(move || pressed.set())?;
    let engines = engines()?;
    let location = MemoryLocation::choose(arguments.memory.as_deref())?;
    let store = location.for_adding()?;
    let mut sources: Vec<Source> = Vec::new();
    for engine in &engines {
        if !sources.contains(engine.source()) {
            sources.push(engine.source().clone());
        }
    }
    let names: Vec<String> = sources.iter().map(Source::to_string).collect();
    let leases = Some(Leases::beside(location.path()));
    let requests = Some(Queue::beside(location.path()));
    let settings = Settings { selector: arguments.selector(), most_plies: arguments.plies, sources, leases, requests };
    let explorer = Explorer::open(store, root, settings)?;
    let limits = RunLimits { time: arguments.until, searches: arguments.positions };
    let watcher = Watcher::new(arguments, &explorer, engines.len(), &names, location.path())?;
    let (outcome, explorer) = run(explorer, engines, limits, &stop, &watcher);
    watcher.finish(&explorer, &outcome, interrupt.was_pressed())?;
    match outcome {
        Outcome::NoEngine(error) => Err(error.into()),
        Outcome::Memory(error) => Err(error.into()),
        Outcome::Stopped | Outcome::Limit | Outcome::Complete => Ok(ExitCode::SUCCESS),
    }
}

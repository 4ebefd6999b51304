//! Another UCI engine: never closed, closed and without a memory, closed and behind the proxy.

use std::path::Path;
use std::time::Duration;

use mnemon_memory::{Access, open};
use mnemon_uci::child::{ChildEngine, ChildError, EngineCommand};
use mnemon_uci::{Bound, EngineLine, GoCommand};

use super::Arguments;
use crate::bratko_kopec::POSITIONS;
use crate::console::{Console, ProgressBar};
use crate::error::cannot;
use crate::memory_costs::positions::Positions;
use crate::{LabError, Result};

/// How much deeper than known the engine goes.
pub(super) const DEEPER: u8 = 2;
/// How long an engine may take for any answer but a move, and to end.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The longest search.
const LONGEST: Duration = Duration::from_secs(3600);
/// Synthetic records that are written at once.
const BATCH: usize = 50_000;

/// The searches of one position.
pub(super) struct EngineCase {
    pub(super) number: u8,
    /// To the depth, and then deeper by the same process.
    pub(super) first: Search,
    pub(super) continued: Search,
    /// Deeper at once, by a new process without a memory.
    pub(super) anew: Search,
    /// The same behind the proxy, whose memory knows the position to the depth.
    pub(super) remembering: Search,
}

/// What an engine has printed in a search.
#[derive(Default)]
pub(super) struct Search {
    /// Each exact first line: depth, moves in its line, and when it came.
    pub(super) lines: Vec<(u32, usize, Duration)>,
    pub(super) best: String,
    pub(super) nodes: u64,
}

impl Search {
    /// When the first line of this depth with more than one move came.
    pub(super) fn first_whole_line(&self, depth: u8) -> Option<Duration> {
        self.lines.iter().find(|line| line.0 >= depth.into() && line.1 > 1).map(|line| line.2)
    }
}

/// Measures every position.
pub(super) fn cases(
    arguments: &Arguments,
    engine: &EngineCommand,
    folder: &Path,
    console: &dyn Console,
) -> Result<Vec<EngineCase>> {
    let memory = folder.join("engine.mnemon");
    fill(arguments, engine, &memory, console)?;
    let numbers = arguments.numbers();
    let progress = ProgressBar::of(console, "positions", numbers.len() as u64);
    let mut cases = Vec::new();
    for number in numbers {
        cases.push(case(arguments, engine, &memory, number)?);
        progress.advance(1);
    }
    Ok(cases)
}

/// Gives the memory the engine's records of other positions.
fn fill(arguments: &Arguments, engine: &EngineCommand, memory: &Path, console: &dyn Console) -> Result {
    let engine = start(arguments, engine)?;
    let no_name = || LabError::Usage(format!("the name of '{}' is too long to be kept", engine.name()));
    let mut positions = Positions::by(engine.profile().source().ok_or_else(no_name)?, 17);
    engine.quit();
    let store = open(memory, Access::Create)?;
    let progress = ProgressBar::of(console, "records", arguments.records);
    let mut known = 0;
    while known < arguments.records {
        let merged = store.merge_many(&positions.batch(BATCH.min((arguments.records - known) as usize)))?;
        known += merged.added;
        progress.advance(merged.added);
    }
    Ok(store.sync()?)
}

fn case(arguments: &Arguments, engine: &EngineCommand, memory: &Path, number: u8) -> Result<EngineCase> {
    let (depth, fen) = (arguments.depth(), POSITIONS[usize::from(number) - 1].0);
    let proxied = proxied(engine, memory)?;
    let mut open = start(arguments, engine)?;
    let first = search(&mut open, fen, depth)?;
    let continued = search(&mut open, fen, depth + DEEPER)?;
    open.quit();
    let mut new = start(arguments, engine)?;
    let anew = search(&mut new, fen, depth + DEEPER)?;
    new.quit();
    let mut learning = start(arguments, &proxied)?;
    search(&mut learning, fen, depth)?;
    learning.quit_within(TIMEOUT);
    let mut restarted = start(arguments, &proxied)?;
    let remembering = search(&mut restarted, fen, depth + DEEPER)?;
    restarted.quit_within(TIMEOUT);
    Ok(EngineCase { number, first, continued, anew, remembering })
}

/// The engine behind this program's proxy.
fn proxied(engine: &EngineCommand, memory: &Path) -> Result<EngineCommand> {
    let own = EngineCommand::current_program().map_err(cannot("find", Path::new("this program")))?;
    let memory = memory.display().to_string();
    let proxy = ["proxy", "--memory", memory.as_str(), "--"].map(str::to_owned);
    let words = own.words().iter().take(1).cloned().chain(proxy).chain(engine.words().iter().cloned());
    EngineCommand::from_words(words).ok_or_else(|| LabError::Usage("the engine has no name".to_owned()))
}

/// A new process with the table that is asked for.
fn start(arguments: &Arguments, command: &EngineCommand) -> std::result::Result<ChildEngine, ChildError> {
    let mut engine = ChildEngine::start(command, TIMEOUT)?;
    for (name, value) in [("Threads", 1), ("Hash", arguments.hash)] {
        if engine.option(name).is_some() {
            engine.set_option(name, &value.to_string())?;
        }
    }
    engine.wait_ready()?;
    Ok(engine)
}

fn search(engine: &mut ChildEngine, fen: &str, depth: u8) -> std::result::Result<Search, ChildError> {
    engine.set_position(fen, &[])?;
    engine.wait_ready()?;
    engine.start_search(&GoCommand { depth: Some(depth), ..GoCommand::default() })?;
    let mut search = Search::default();
    loop {
        match engine.next_line(LONGEST)? {
            (EngineLine::BestMove(best), _) => return Ok(Search { best: best.mv, ..search }),
            (EngineLine::Info(info), at) => {
                let is_exact = info.score.is_some_and(|score| score.bound == Bound::Exact);
                if let (Some(depth), None | Some(1), true) = (info.depth, info.multipv, is_exact) {
                    search.lines.push((depth, info.pv.len(), at));
                    search.nodes = info.nodes.unwrap_or(search.nodes);
                }
            }
            _ => {}
        }
    }
}

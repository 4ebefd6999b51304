//! `mnemon tree`: the known tree below a position as text, JSON or a picture, and what was analysed.

mod picture;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use mnemon_engine::Engine;
use mnemon_explore::notation::Position;
use mnemon_explore::tree::{AT_ONCE, Bounds, Tree, TreeQuery, recent, text};
use mnemon_memory::recall::Budget;
use mnemon_memory::{Source, Store, unix_time};
use mnemon_table::Score;
use serde::Serialize;

use crate::memory::SourceArgs;
use crate::memory_location::{self, MemoryLocation, default_path};
use crate::position_arg::OptionalPositionArg;
use crate::{Result, UsageError, output, screen};

/// The tree to show, and how.
#[derive(Args)]
#[command(after_help = concat!("\
Every row is a move: 'value' is what everything known below it says, by negamax, 'searched' what the deepest search of the \
position itself found, and its depth; '+3' under 'more' are known moves that are not shown. Scores are for the side to move of \
POSITION. [1] marks a position that comes again, and '-> [1]' is where; '<- [1]' goes back to it.

A large memory is read as far as a moment allows, the best moves first, and the answer says so; --whole reads it all. \
Without --memory it is MNEMON_MEMORY, or else ", default_path!(), "."))]
pub(crate) struct Arguments {
    #[command(flatten)]
    position: OptionalPositionArg,
    /// How many moves deep
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=200))]
    plies: u16,
    /// The most moves of a position
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    width: u16,
    /// Only moves that are worse than the best by no more than this, in pawns or points [default: 0.50 for chess]
    #[arg(long, value_name = "SCORE", allow_hyphen_values = true)]
    within: Option<String>,
    #[command(flatten)]
    sources: SourceArgs,
    /// Answer with one JSON object
    #[arg(long, conflicts_with_all = ["svg", "dot"])]
    json: bool,
    /// Draw the tree into this file; '-' is stdout
    #[arg(long, value_name = "FILE", conflicts_with = "dot")]
    svg: Option<PathBuf>,
    /// Write a graph for Graphviz into this file; '-' is stdout
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Read everything below the position, however long it takes
    #[arg(long)]
    whole: bool,
    /// List the positions that were analysed instead, the newest first
    #[arg(long, conflicts_with_all = ["position", "svg", "dot", "whole"])]
    recent: bool,
    /// With --recent: how many
    #[arg(long, value_name = "N", default_value_t = 20, requires = "recent", value_parser = clap::value_parser!(u16).range(1..))]
    limit: u16,
    /// The memory's file
    #[arg(long, value_name = "PATH")]
    memory: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let position = arguments.position.read_or_start()?;
    let bounds = arguments.bounds(&*position)?;
    let location = MemoryLocation::choose(arguments.memory.as_deref())?;
    let store = location.for_reading()?;
    let filter = arguments.sources.known_filter(&*store)?;
    let matches = |source: &Source| filter.matches(source);
    let own = Engine::source();
    let query = TreeQuery {
        bounds,
        budget: if arguments.whole { Budget::UNLIMITED } else { AT_ONCE },
        only: if arguments.sources.is_empty() { None } else { Some(&matches) },
        own: &own,
    };
    if arguments.recent {
        show_recent(arguments, &location, &*store, &query)?;
    } else {
        show(arguments, &location, &position.tree(&*store, &query)?)?;
    }
    Ok(if memory_location::is_sound(&*store)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Arguments {
    fn bounds(&self, position: &dyn Position) -> Result<Bounds> {
        let within = match self.within.as_deref() {
            Some(typed) => Some(read_within(position, typed)?),
            None => (*position.game() == *"chess").then_some(50),
        };
        Ok(Bounds { plies: self.plies, width: self.width.into(), within, ..Bounds::default() })
    }
}

fn read_within(position: &dyn Position, typed: &str) -> Result<Score> {
    let score = position.read_score(typed).map_err(|error| UsageError(format!("--within: {error}")))?;
    if score < 0 {
        return Err(UsageError(format!("--within {typed}: a difference is not negative")).into());
    }
    Ok(score)
}

fn show(arguments: &Arguments, location: &MemoryLocation, tree: &Tree) -> Result {
    let now = unix_time();
    if let Some(path) = &arguments.svg {
        return picture::write_svg(path, tree, now);
    }
    if let Some(path) = &arguments.dot {
        return picture::write_dot(path, tree);
    }
    if arguments.json {
        let memory = location.path().display().to_string();
        return Ok(output::say(output::json_line(&TreeObject { memory, tree })?)?);
    }
    let mut drawn = text::draw(tree, screen::columns(), now);
    if !tree.is_complete {
        drawn += "'--whole' reads all of it.\n";
    }
    Ok(output::show(&drawn)?)
}

/// The JSON object of a tree.
#[derive(Serialize)]
struct TreeObject<'t> {
    memory: String,
    #[serde(flatten)]
    tree: &'t Tree,
}

/// The JSON object of what was analysed.
#[derive(Serialize)]
struct RecentObject {
    memory: String,
    analysed: Vec<recent::Analysed>,
}

fn show_recent(arguments: &Arguments, location: &MemoryLocation, store: &dyn Store, query: &TreeQuery<'_>) -> Result {
    let analysed = recent::recent(store, query, arguments.position.game(), arguments.limit.into())?;
    if arguments.json {
        let memory = location.path().display().to_string();
        return Ok(output::say(output::json_line(&RecentObject { memory, analysed })?)?);
    }
    if analysed.is_empty() {
        return Ok(output::say("Nothing was analysed with this memory yet; 'mnemon analyze' does.")?);
    }
    Ok(output::show(&recent::draw(&analysed, screen::columns(), unix_time()))?)
}

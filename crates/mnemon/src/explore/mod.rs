//! `mnemon explore`: the tree of a position grows by itself. Engines search the position whose analysis matters most, the
//! memory learns the result, values are backed up, and so on until it is stopped.

mod engines;
mod growth;
mod json;
mod plain;
mod screen;
mod summary;
mod watcher;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use mnemon_chess::Position;
use mnemon_connect4::Board;
use mnemon_explore::grow::{Budget, DropOut, EvalDecay, Explored, Selector, Side};
use mnemon_explore::notation;
use mnemon_search::Notation;

use crate::arguments::duration;
use crate::{Result, UsageError};

/// What `mnemon explore --help` says after the options.
const NOTES: &str = concat!(
    "\
Run it again and it goes on where it was: what is searched next follows from the memory alone. Several can run on one \
memory; none does what another one does. Ctrl-C ends it within a second: what was found is learned, the searches under \
way are given up.

Scores are for the side to move at the root. For Connect Four the solver searches, and the exploration ends when the root \
is proven; there --nodes and --time are checked about every million positions.

Without --memory the memory is MNEMON_MEMORY, or else ",
    crate::memory_location::default_path!(),
    ". docs/explore.md says how positions are chosen, and has the members of the JSON objects."
);

/// What is explored, by whom, and for how long.
#[derive(Args)]
#[command(after_long_help = NOTES)]
pub(crate) struct Arguments {
    /// The root: a FEN or 'startpos', perhaps with 'moves e4 e5' after it; columns such as 44444, or '-', for Connect
    /// Four [default: startpos]
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// The game, where the position's form does not tell it: connect4-6x5...
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
    /// A UCI engine that searches, with its arguments; may be repeated [default: the engine of mnemon]
    #[arg(long, value_name = "CMD")]
    engine: Vec<String>,
    /// An option of the UCI engines, as in --option Hash=256; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "engine", value_parser = option)]
    option: Vec<(String, String)>,
    /// Searches at the same time, shared among the engines [default: one for each engine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: Option<u16>,
    /// Nodes of each search [default: 1000000]
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Time of each search: 500ms, 10s, 1m
    #[arg(long, value_name = "T", value_parser = duration)]
    time: Option<Duration>,
    /// Whose tree it is: few moves of this side, many replies of the other (Connect Four: white begins)
    #[arg(long = "for", value_name = "SIDE", default_value = "both")]
    side: SideArg,
    /// Search no position that is more than this many moves of either side away from the root
    #[arg(long, value_name = "N", default_value_t = u16::MAX, hide_default_value = true,
          value_parser = clap::value_parser!(u16).range(1..))]
    plies: u16,
    /// End after this time: 30m, 8h
    #[arg(long, value_name = "T", value_parser = duration)]
    until: Option<Duration>,
    /// End after this many searches
    #[arg(long, value_name = "N", conflicts_with = "until", value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,
    /// How the next position is chosen: drop-out expansion, or as chessdb's explorer does, a ply less for each 0.10 lost
    #[arg(long, value_name = "SELECTOR", default_value = "dropout")]
    selector: SelectorArg,
    /// The memory's file; it is created if it does not exist
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
    /// Size of each of our own engines' table in RAM, in MiB; for a UCI engine use --option Hash=N
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    hash: u64,
    /// Answer with JSON objects, one a line
    #[arg(long)]
    json: bool,
}

/// For whom the tree is made.
#[derive(Clone, Copy, ValueEnum)]
enum SideArg {
    White,
    Black,
    Both,
}

/// How the next position is chosen.
#[derive(Clone, Copy, ValueEnum)]
enum SelectorArg {
    Dropout,
    Decay,
}

/// A name and a value with = between them; a button has a name alone.
fn option(text: &str) -> std::result::Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let is_named = !name.trim().is_empty();
    is_named.then(|| (name.trim().to_owned(), value.trim().to_owned())).ok_or("expected NAME=VALUE".to_owned())
}

impl Arguments {
    fn budget(&self) -> Budget {
        const NODES: u64 = 1_000_000;
        self.time.map_or(Budget::Nodes(self.nodes.unwrap_or(NODES)), Budget::Time)
    }

    fn selector<G: Explored>(&self) -> Box<dyn Selector<G>> {
        let side = match self.side {
            SideArg::White => Side::First,
            SideArg::Black => Side::Second,
            SideArg::Both => Side::Both,
        };
        match self.selector {
            SelectorArg::Dropout => Box::new(DropOut::new(side)),
            SelectorArg::Decay => Box::new(EvalDecay::default()),
        }
    }

    /// The number of searches at the same time.
    fn workers(&self) -> Result<usize> {
        let engines = self.engine.len().max(1);
        let workers = self.workers.map_or(engines, usize::from);
        if workers < engines {
            return Err(UsageError(format!("{engines} engines need at least as many --workers, not {workers}")).into());
        }
        Ok(workers)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let words = if arguments.position.is_empty() && arguments.game.is_none() {
        vec!["startpos".to_owned()]
    } else if arguments.position.is_empty() {
        vec!["-".to_owned()]
    } else {
        arguments.position.clone()
    };
    let position = notation::read(&words, arguments.game.as_deref()).map_err(UsageError::new)?;
    let (game, text) = (position.game(), position.text());
    /// The boards that the memory knows, each with a solver of its own.
    macro_rules! boards {
        ($($name:literal => ($width:literal, $height:literal)),*) => {
            match &*game {
                "chess" => chess(arguments, &text),
                $($name => connect4::<$width, $height>(arguments, &text),)*
                other => Err(UsageError(format!("no engine here plays {other}")).into()),
            }
        };
    }
    boards!(
        "connect4-7x6" => (7, 6), "connect4-4x4" => (4, 4), "connect4-5x4" => (5, 4), "connect4-5x5" => (5, 5),
        "connect4-6x5" => (6, 5), "connect4-6x6" => (6, 6), "connect4-7x5" => (7, 5), "connect4-7x7" => (7, 7),
        "connect4-8x6" => (8, 6), "connect4-8x7" => (8, 7), "connect4-9x6" => (9, 6)
    )
}

fn chess(arguments: &Arguments, text: &str) -> Result<ExitCode> {
    let root: Position = root(text)?;
    growth::grow(arguments, root, || engines::chess(arguments))
}

fn connect4<const WIDTH: usize, const HEIGHT: usize>(arguments: &Arguments, text: &str) -> Result<ExitCode> {
    if !arguments.engine.is_empty() {
        return Err(
            UsageError("--engine is for chess: Connect Four is searched by the solver of mnemon".to_owned()).into()
        );
    }
    let root: Board<WIDTH, HEIGHT> = root(text)?;
    growth::grow(arguments, root, || engines::connect4::<WIDTH, HEIGHT>(arguments))
}

/// The root, which must be a position that something can be learned of.
fn root<G: Explored + Notation>(text: &str) -> Result<G> {
    let root = G::read(text).map_err(UsageError::new)?;
    if let Some(ending) = root.ending() {
        return Err(UsageError(format!("there is nothing to explore: {ending}")).into());
    }
    if root.is_beyond_memory() {
        let reason =
            "the fifty-move rule is near (halfmove clock 60 or more): a memory keeps nothing of such positions";
        return Err(UsageError(reason.to_owned()).into());
    }
    Ok(root)
}

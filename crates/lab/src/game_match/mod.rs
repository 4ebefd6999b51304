//! `mnemon lab match`: two UCI engines play each other; the result is the score and the difference in Elo.
//!
//! Every opening is played twice, with colours changed. The lab, not the engines, applies the rules of chess and runs the
//! clocks, from `go` until `bestmove` arrives.

mod clock;
mod engine;
mod openings;
mod pgn;
mod players;
mod runner;
mod score;
mod scoreboard;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use mnemon_chess::Position;
use mnemon_uci::child::EngineCommand;

use crate::Result;
use crate::console::{Console, ProgressBar};
use crate::error::cannot;
use crate::play::{Adjudication, DrawRule, WinRule};
use clock::TimeControl;
use engine::{EngineSetup, Participant};
use pgn::PgnFile;
use players::{SearchLimit, Terms};
use runner::Match;
use scoreboard::Scoreboard;

/// The engines, the games and their terms.
#[derive(Args)]
pub struct Arguments {
    /// Command of the opponent, a UCI engine, with its arguments if any
    #[arg(long, value_name = "COMMAND", value_parser = command)]
    against: EngineCommand,
    /// Option of the opponent; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// Command of the first engine [default: this program itself]
    #[arg(long, value_name = "COMMAND", value_parser = command)]
    engine: Option<EngineCommand>,
    /// Option of the first engine; may be given several times
    #[arg(long = "own-option", value_name = "NAME=VALUE", value_parser = option)]
    own_options: Vec<(String, String)>,
    /// Number of games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Seconds for a game, and seconds that each move adds
    #[arg(long, default_value = "2+0.02", value_name = "BASE+INCREMENT")]
    time: TimeControl,
    /// Nodes a move, without a clock
    #[arg(long, conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds by which a move may be late; old engines leave no time for transmission
    #[arg(long, default_value_t = 0, value_name = "MS", value_parser = clap::value_parser!(u64).range(0..=60_000))]
    margin: u64,
    /// Hash table of each engine in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    hash: u64,
    /// Book of openings, one position per line (EPD or FEN) [default: random balanced ones]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed that decides which openings are played, and in which order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played at the same time; more than half the cores make the clocks unfair
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Play on where both engines see a game as won or drawn
    #[arg(long)]
    no_adjudication: bool,
    /// Seconds that an engine may take to answer where no clock runs
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    patience: u64,
    /// Append the games to this file, as PGN
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

/// The running program as a UCI engine.
fn this_program() -> Result<EngineCommand> {
    EngineCommand::current_program().map_err(cannot("find", Path::new("this program")))
}

fn command(text: &str) -> std::result::Result<EngineCommand, &'static str> {
    EngineCommand::parse(text).ok_or("expected the command of a UCI engine")
}

fn option(text: &str) -> std::result::Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || text.contains(['\n', '\r']) {
        return Err("expected the option's name and its value, as in Hash=64");
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// Both engines must see a side six pawns up for four moves each, or no more than a tenth of a pawn for eight moves each,
/// from move 40 on and without a capture or a pawn move. Testing frameworks in use are less careful.
pub(crate) const ADJUDICATION: Adjudication = Adjudication {
    win: Some(WinRule { score: 600, plies: 8 }),
    draw: Some(DrawRule { score: 10, plies: 16, counted_from_move: 40, min_plies: 0, restarts: true }),
    max_plies: usize::MAX,
};
const NO_ADJUDICATION: Adjudication = Adjudication { win: None, draw: None, max_plies: usize::MAX };

pub(crate) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    let mut participants = [Participant::new(arguments.first()?), Participant::new(arguments.second())];
    // Both are started before anything else: without them there is no match.
    let mut names = Vec::new();
    for participant in &mut participants {
        names.push(participant.engine()?.name().to_owned());
    }
    let pgn = arguments.pgn.as_deref().map(PgnFile::open).transpose()?;
    let progress = ProgressBar::unmeasured(console, "openings");
    let openings = arguments.positions()?;
    drop(progress);
    let scoreboard = Scoreboard::new(console, [&names[0], &names[1]], arguments.limit_text(), arguments.games, pgn);
    let game_match = Match::new(arguments.games as usize, &openings, arguments.terms(), scoreboard);
    let mut pairs = vec![participants];
    for _ in 1..arguments.concurrency {
        pairs.push([Participant::new(arguments.first()?), Participant::new(arguments.second())]);
    }
    let scoreboard = game_match.run(console, pairs)?;
    let openings = if openings.len() == 1 { "1 opening".to_owned() } else { format!("{} openings", openings.len()) };
    scoreboard.conclude(&format!("{}, {} MiB, {openings}", arguments.limit_text(), arguments.hash))
}

impl Arguments {
    fn first(&self) -> Result<EngineSetup> {
        let command = match &self.engine {
            Some(command) => command.clone(),
            None => this_program()?,
        };
        Ok(EngineSetup::new(command, self.own_options.clone(), self.hash, self.timeout()))
    }

    fn second(&self) -> EngineSetup {
        EngineSetup::new(self.against.clone(), self.options.clone(), self.hash, self.timeout())
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(self.patience)
    }

    fn positions(&self) -> Result<Vec<Position>> {
        let count = (self.games as usize).div_ceil(2);
        match &self.openings {
            Some(path) => openings::read(path, count, self.seed),
            None => openings::generate(count, self.seed),
        }
    }

    fn terms(&self) -> Terms {
        Terms {
            limit: self.nodes.map_or(SearchLimit::Time(self.time), SearchLimit::Nodes),
            margin: Duration::from_millis(self.margin),
            adjudication: if self.no_adjudication { NO_ADJUDICATION } else { ADJUDICATION },
            timeout: self.timeout(),
        }
    }

    /// The time control, or the nodes a move.
    fn limit_text(&self) -> String {
        self.nodes.map_or_else(|| self.time.to_string(), |nodes| format!("{nodes} nodes a move"))
    }
}

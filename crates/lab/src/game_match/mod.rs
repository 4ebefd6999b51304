//! `mnemon lab match`: two engines play each other over UCI, and the score says how far apart they are.
//!
//! Every opening is played twice, with colours changed. The rules of chess are kept here and not by the engines; so are
//! the clocks, which run from the question to the answer as it comes in.

mod adjudicate;
mod board;
mod clock;
mod game;
mod openings;
mod pgn;
mod player;
mod score;
mod scoreboard;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use clap::Args;
use mnemon_chess::{Color, Position};

use crate::Result;
use crate::error::cannot;
use crate::report::{Progress, Report};
use clock::TimeControl;
use game::{Finished, Pace, Terms};
use mnemon_uci::child::EngineCommand;
use pgn::PgnFile;
use player::{Player, Setup};
use scoreboard::{Place, Scoreboard};

/// Who plays whom, and on what terms.
#[derive(Args)]
pub struct Arguments {
    /// The opponent: a UCI engine's command, with its arguments if any
    #[arg(long, value_name = "COMMAND", value_parser = command)]
    against: EngineCommand,
    /// An option of the opponent; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setting)]
    options: Vec<(String, String)>,
    /// The first engine [default: this program itself]
    #[arg(long, value_name = "COMMAND", value_parser = command)]
    engine: Option<EngineCommand>,
    /// An option of the first engine; may be given several times
    #[arg(long = "own-option", value_name = "NAME=VALUE", value_parser = setting)]
    own_options: Vec<(String, String)>,
    /// How many games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Seconds for a game, and seconds that each move adds
    #[arg(long, default_value = "2+0.02", value_name = "BASE+INCREMENT")]
    time: TimeControl,
    /// Nodes a move, without a clock
    #[arg(long, conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How many milliseconds too late a move may come; old engines allow for no delay on its way
    #[arg(long, default_value_t = 0, value_name = "MS", value_parser = clap::value_parser!(u64).range(0..=60_000))]
    margin: u64,
    /// The table of each engine in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    hash: u64,
    /// A book of openings, one position a line (EPD or FEN) [default: random balanced ones]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Which openings, and in what order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games to play at the same time; more than half the cores make the clocks unfair
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Play on where both engines take a game for won or drawn
    #[arg(long)]
    no_adjudication: bool,
    /// How many seconds an engine may take to answer where no clock runs
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    patience: u64,
    /// Add the games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

/// The running program as a UCI engine.
fn this_program() -> Result<EngineCommand> {
    EngineCommand::current_program().map_err(cannot("find", Path::new("this program")))
}

fn command(text: &str) -> std::result::Result<EngineCommand, String> {
    EngineCommand::parse(text).ok_or_else(|| "expected the command of a UCI engine".to_owned())
}

fn setting(text: &str) -> std::result::Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || text.contains(['\n', '\r']) {
        return Err("expected the option's name and its value, as in Hash=64".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}

pub(crate) fn run(arguments: &Arguments, report: &dyn Report) -> Result {
    let mut players = [Player::new(arguments.first()?), Player::new(arguments.second())];
    // Both are started before anything else: without them there is no match.
    let mut names = Vec::new();
    for player in &mut players {
        names.push(player.client()?.name().to_owned());
    }
    let pgn = arguments.pgn.as_deref().map(PgnFile::open).transpose()?;
    let progress = Progress::unmeasured(report, "openings");
    let openings = arguments.positions()?;
    drop(progress);
    let games = arguments.games as usize;
    let scoreboard = Scoreboard::new([&names[0], &names[1]], arguments.pace_words(), games, pgn);
    let contest = Contest {
        report,
        games,
        openings: &openings,
        terms: arguments.terms(),
        scoreboard: Mutex::new(scoreboard),
        next: AtomicUsize::new(0),
        is_over: AtomicBool::new(false),
    };
    contest.run(players, arguments)?;
    let scoreboard = contest.scoreboard.into_inner().unwrap_or_else(PoisonError::into_inner);
    let openings = if openings.len() == 1 { "1 opening".to_owned() } else { format!("{} openings", openings.len()) };
    scoreboard.conclude(report, &format!("{}, {} MiB, {openings}", arguments.pace_words(), arguments.hash))
}

impl Arguments {
    fn first(&self) -> Result<Setup> {
        let command = match &self.engine {
            Some(command) => command.clone(),
            None => this_program()?,
        };
        Ok(Setup::new(command, self.own_options.clone(), self.hash, Duration::from_secs(self.patience)))
    }

    fn second(&self) -> Setup {
        let patience = Duration::from_secs(self.patience);
        Setup::new(self.against.clone(), self.options.clone(), self.hash, patience)
    }

    fn positions(&self) -> Result<Vec<Position>> {
        let count = (self.games as usize).div_ceil(2);
        match &self.openings {
            Some(path) => openings::read(path, count, self.seed),
            None => openings::make(count, self.seed),
        }
    }

    fn terms(&self) -> Terms {
        Terms {
            pace: self.nodes.map_or(Pace::Time(self.time), Pace::Nodes),
            margin: Duration::from_millis(self.margin),
            adjudicate: !self.no_adjudication,
            patience: Duration::from_secs(self.patience),
        }
    }

    fn pace_words(&self) -> String {
        self.nodes.map_or_else(|| self.time.to_string(), |nodes| format!("{nodes} nodes a move"))
    }
}

/// What the threads of a match share.
struct Contest<'c> {
    report: &'c dyn Report,
    games: usize,
    openings: &'c [Position],
    terms: Terms,
    scoreboard: Mutex<Scoreboard>,
    next: AtomicUsize,
    /// Set when one of them cannot go on.
    is_over: AtomicBool,
}

impl Contest<'_> {
    /// Plays all games, one thread for each that is played at the same time; the first has these players already.
    fn run(&self, first: [Player; 2], arguments: &Arguments) -> Result {
        let mut pairs = vec![first];
        for _ in 1..arguments.concurrency {
            pairs.push([Player::new(arguments.first()?), Player::new(arguments.second())]);
        }
        let results: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = pairs.into_iter().map(|pair| scope.spawn(|| self.work(pair))).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        results.into_iter().collect()
    }

    /// One thread's part: game after game.
    fn work(&self, mut players: [Player; 2]) -> Result {
        while !self.is_over.load(Ordering::Relaxed) {
            let game = self.next.fetch_add(1, Ordering::Relaxed);
            if game >= self.games {
                break;
            }
            if let Err(error) = self.play(game, &mut players) {
                self.is_over.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        players.into_iter().for_each(Player::quit);
        Ok(())
    }

    fn play(&self, game: usize, players: &mut [Player; 2]) -> Result {
        let opening = game / 2 % self.openings.len();
        let color = if game.is_multiple_of(2) { Color::White } else { Color::Black };
        let [first, second] = players;
        let (white, black) = if color == Color::White { (first, second) } else { (second, first) };
        let finished = game::play(&self.openings[opening], [white.client()?, black.client()?], &self.terms);
        if finished.is_broken {
            let broken = if finished.side == Color::White { white } else { black };
            broken.discard();
        }
        self.tell(Place { game, opening, color }, &finished)
    }

    fn tell(&self, place: Place, finished: &Finished) -> Result {
        let mut scoreboard = self.scoreboard.lock().unwrap_or_else(PoisonError::into_inner);
        scoreboard.add(self.report, place, finished)
    }
}

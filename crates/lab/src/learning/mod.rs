//! `mnemon lab learning`: the experiment of T. Scherzer, L. Scherzer and D. Tjaden, "Learning in Bebe" (in Computers,
//! Chess, and Cognition, 1990), for every learning policy.
//!
//! Their program played the same opponent again and again, and its score grew from round to round. Here the opponent is
//! the same engine without a memory, which searches more nodes: always the same number, so that it repeats itself, or one
//! that varies. A learner's gain is its score less that of an engine that does not learn and plays the same games. Half of
//! the openings are for tuning; results are for the other half.

mod curves;
mod engine;
mod gains;
mod learner;
mod nodes;
pub(crate) mod openings;
mod page;
mod players;
mod read_only_store;
mod rule;
mod series;
mod state;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{Args, ValueEnum};
use mnemon_memory::policy::{Policy, Resume, Tree};
use mnemon_table::replace::AnyScheme;
use mnemon_uci::child::EngineCommand;

use self::engine::TableSetup;
use self::learner::{LEARNERS, Learner, POLICIES, STUDY};
use self::openings::OPENINGS;
use self::rule::Rule;
use self::series::{Career, Opponent, Schedule};
use self::state::State;
use crate::console::{Console, ProgressBar};
use crate::threads::run_workers;
use crate::{LabError, Result, results};

/// The learners, their opponents and the games.
#[derive(Args)]
pub struct Arguments {
    /// Rounds against the opponent; in each, every opening is played with both colours
    #[arg(long, default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// Nodes that the learner searches for a move
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Number of openings, of which half are for tuning
    #[arg(long, default_value_t = 48, value_parser = clap::value_parser!(u8).range(2..=OPENINGS.len() as i64))]
    openings: u8,
    /// Which half of the openings to play
    #[arg(long, value_enum, default_value_t = Half::HeldOut)]
    half: Half,
    /// Policy to learn by; may be given several times [default: all of them]
    #[arg(long = "policy", value_name = "NAME", value_parser = LEARNERS)]
    policies: Vec<String>,
    /// Nodes of the opponent, in per cent of the learner's
    #[arg(long, default_value_t = 150, value_name = "PERCENT", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    opponent: u64,
    /// Nodes of the stranger, an opponent that nothing was learned from, in per cent of the learner's
    #[arg(long, default_value_t = 200, value_name = "PERCENT", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    stranger: u64,
    /// Rounds against each stranger
    #[arg(long, default_value_t = 4, value_name = "ROUNDS", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    stranger_rounds: u32,
    /// UCI engine that is the second stranger; 'none' for none [default: stockfish, if there is one]
    #[arg(long, value_name = "COMMAND")]
    foreign: Option<String>,
    /// Nodes of that engine for a move; with 400, Stockfish 15.1 scores about half of the points
    #[arg(long, default_value_t = 400, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    foreign_nodes: u64,
    /// Per cent by which nodes vary from move to move, up or down
    #[arg(long, default_value_t = 5, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=99))]
    vary: u32,
    /// Least depth that `resume` and `tree` keep
    #[arg(long, default_value_t = 4, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=60))]
    memory_depth: u8,
    /// Entries of the engine's table, on either side; Slate had 8192
    #[arg(long, default_value_t = 65_536, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(4..=1 << 32))]
    entries: u64,
    /// What a full bucket of that table gives up
    #[arg(long, default_value = "aged", value_name = "SCHEME", value_parser = AnyScheme::NAMES)]
    replacement: String,
    /// Another rule for what a record becomes in the table; may be given several times
    #[arg(long = "rule", value_enum, value_name = "RULE")]
    rules: Vec<Rule>,
    /// Number of seeds: each is a whole experiment with other variations of the nodes
    #[arg(long, default_value_t = 3, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// First seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ten minutes instead of hours: 8 openings, 12 rounds, one seed
    #[arg(long)]
    small: bool,
    /// Learners to run at the same time; the results do not depend on it [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// File of the series that are finished, by which an interrupted experiment goes on [default: learning.state in the
    /// folder for the results]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Folder for the results
    #[arg(long, default_value = "docs/results", value_name = "FOLDER")]
    out: PathBuf,
}

/// A half of the openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Half {
    /// For the choice of settings
    Tuning,
    /// For results
    HeldOut,
}

impl Arguments {
    /// The number of openings, of rounds and of seeds.
    fn size(&self) -> (usize, u32, u64) {
        if self.small { (8, 12, 1) } else { (self.openings.into(), self.rounds, self.seeds) }
    }

    fn learners(&self) -> Vec<Learner> {
        let is_chosen = |name: &&str| self.policies.is_empty() || self.policies.iter().any(|chosen| chosen == name);
        let policies = POLICIES.into_iter().filter(is_chosen).filter_map(Policy::named);
        let policies = policies.map(|policy| Learner::Policy(self.with_least_depth(policy)));
        let study = Learner::Study(self.with_least_depth(Policy::Resume(Resume::default())));
        let policies = policies.chain(is_chosen(&STUDY).then_some(study));
        Learner::CONTROLS.into_iter().chain(policies).collect()
    }

    fn with_least_depth(&self, policy: Policy) -> Policy {
        let least_depth = self.memory_depth;
        match policy {
            Policy::Resume(resume) => Policy::Resume(Resume { least_depth, ..resume }),
            Policy::Tree(tree) => Policy::Tree(Tree { least_depth, ..tree }),
            policy => policy,
        }
    }

    /// The moves of the openings of the half: every second one, so that both halves have all kinds.
    fn opening_moves(&self) -> Result<Vec<Vec<mnemon_chess::Move>>> {
        let lines = OPENINGS.iter().take(self.size().0).skip(usize::from(self.half == Half::HeldOut)).step_by(2);
        Ok(lines.map(|(_, line)| openings::moves(line)).collect::<std::result::Result<_, _>>()?)
    }

    /// The second stranger.
    fn foreign(&self) -> Result<Option<(EngineCommand, u64)>> {
        let command = match self.foreign.as_deref() {
            Some("none") => return Ok(None),
            Some(command) => command,
            None if is_installed("stockfish") => "stockfish",
            None => return Ok(None),
        };
        let parsed =
            EngineCommand::parse(command).ok_or_else(|| LabError::Usage("--foreign names no engine".into()))?;
        Ok(Some((parsed, self.foreign_nodes)))
    }

    fn schedule(&self) -> Result<Schedule> {
        Ok(Schedule {
            openings: self.opening_moves()?,
            rounds: self.size().1,
            stranger_rounds: self.stranger_rounds,
            nodes: self.nodes,
            opponent_nodes: (self.nodes * self.opponent / 100).max(1),
            stranger_nodes: (self.nodes * self.stranger / 100).max(1),
            variation: self.vary,
            table: TableSetup {
                entries: usize::try_from(self.entries).unwrap_or(usize::MAX),
                scheme: AnyScheme::named(&self.replacement).unwrap_or_default(),
                entry_rules: rule::entry_rules(&self.rules),
                open_window: rule::open_window(&self.rules),
            },
            foreign: self.foreign()?,
        })
    }

    /// Every learner's games: against the opponent that repeats itself once, since a seed changes nothing there but for
    /// controls; against the one that varies for every seed.
    fn careers(&self) -> Vec<Career> {
        let seeds = self.seed..self.seed + self.size().2;
        let varying = seeds.map(|seed| (Opponent::Varying, seed));
        let series: Vec<_> = varying.chain([(Opponent::Same, self.seed)]).collect();
        let careers = series.into_iter().flat_map(|(opponent, seed)| {
            self.learners().into_iter().map(move |learner| Career { learner, opponent, seed })
        });
        careers.collect()
    }

    /// The settings that results depend on, as options; those that only choose what is played are left out.
    fn settings(&self) -> String {
        let Arguments {
            nodes,
            opponent,
            stranger,
            stranger_rounds,
            foreign_nodes,
            vary,
            memory_depth,
            entries,
            replacement,
            ..
        } = self;
        let half = if self.half == Half::Tuning { " --half tuning" } else { "" };
        let foreign = self.foreign.as_ref().map_or(String::new(), |command| format!(" --foreign '{command}'"));
        let rules = rule::options(&self.rules);
        let size = if self.small {
            " --small".to_owned()
        } else {
            format!(" --openings {} --rounds {}", self.openings, self.rounds)
        };
        format!(
            "mnemon lab learning{size}{half} --nodes {nodes} --opponent {opponent} --stranger {stranger} --stranger-rounds \
             {stranger_rounds}{foreign} --foreign-nodes {foreign_nodes} --vary {vary} --memory-depth {memory_depth} --entries \
             {entries} --replacement {replacement}{rules}"
        )
    }

    fn command(&self) -> String {
        let policies: String = self.policies.iter().map(|name| format!(" --policy {name}")).collect();
        let seeds = if self.small { String::new() } else { format!(" --seeds {}", self.seeds) };
        format!("{}{seeds} --seed {}{policies}", self.settings(), self.seed)
    }

    fn jobs(&self) -> usize {
        self.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
    }
}

/// Whether a program of this name is found where the system looks for programs.
fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

pub(crate) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    let schedule = arguments.schedule()?;
    let path = arguments.state.clone().unwrap_or_else(|| arguments.out.join("learning.state"));
    let mut state = State::open(&path, &arguments.settings())?;
    let careers = arguments.careers();
    play_careers(arguments.jobs(), &schedule, &careers, &mut state, console)?;
    let names: Vec<&str> = arguments.learners().iter().map(Learner::name).collect();
    let seeds = arguments.seed..arguments.seed + arguments.size().2;
    state.results.retain(|result| {
        let is_seed =
            if result.opponent == Opponent::Same { result.seed == seeds.start } else { seeds.contains(&result.seed) };
        is_seed && names.contains(&result.learner.as_str())
    });
    let outcome = gains::Outcome::new(&names, &state.results);
    let files = [
        ("learning.md", page::page(arguments, &schedule, &outcome)),
        ("learning.csv", page::scores(&outcome).to_csv()),
        ("learning.svg", curves::svg(&outcome)?),
    ];
    results::publish(console, &arguments.out, &files)
}

/// Plays the careers that are not in the state yet, several at the same time, and adds each when it is finished.
fn play_careers(
    jobs: usize,
    schedule: &Schedule,
    careers: &[Career],
    state: &mut State,
    console: &dyn Console,
) -> Result {
    let is_done = |career: &&Career| {
        let is_played = |opponent| state.get(career.learner.name(), opponent, career.seed).is_some();
        schedule.opponents(career).all(is_played)
    };
    let (done, open): (Vec<_>, Vec<_>) = careers.iter().partition(is_done);
    let games = |careers: &[&Career]| careers.iter().map(|career| schedule.games(career)).sum::<u64>();
    let progress = ProgressBar::resumed(console, "games", games(&done), games(&done) + games(&open));
    let (next, state) = (AtomicUsize::new(0), Mutex::new(state));
    let worker = || -> Result {
        while let Some(career) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
            let results = schedule.run(career, &progress)?;
            state.lock().unwrap_or_else(std::sync::PoisonError::into_inner).add(results)?;
        }
        Ok(())
    };
    run_workers(console, vec![worker; jobs.min(open.len()).max(1)])?.into_iter().collect()
}

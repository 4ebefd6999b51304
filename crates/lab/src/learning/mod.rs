//! `mnemon lab learning`: the experiment of T. Scherzer, L. Scherzer and D. Tjaden, "Learning in Bebe" (in Computers,
//! Chess, and Cognition, 1990), for every learning policy.
//!
//! Their program played the same opponent again and again, and its score grew from round to round. Here the opponent is
//! the same engine without a memory, which may search more nodes. A learner's gain is its score less that of an engine
//! that does not learn and plays the same games.

mod curves;
mod engine;
mod openings;
mod page;
mod players;
mod read_only_store;
mod schedule;

use std::path::PathBuf;

use clap::Args;
use mnemon_memory::policy::{Policy, Resume, Tree};

use self::openings::OPENINGS;
use self::schedule::Schedule;
use crate::Result;
use crate::console::{Console, ProgressBar};
use crate::results;

/// Policies that learn.
const POLICIES: [&str; 6] = ["rote", "slate", "bebe", "crafty", "resume", "tree"];

/// The learners, their opponents and the games.
#[derive(Args)]
pub struct Arguments {
    /// Rounds against the opponent; in each, every opening is played with both colours
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// Nodes that the learner searches for a move
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Number of openings
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=OPENINGS.len() as i64))]
    openings: u8,
    /// Policy to learn by; may be given several times [default: all of them]
    #[arg(long = "policy", value_name = "NAME", value_parser = POLICIES)]
    policies: Vec<String>,
    /// Nodes of the opponent, in per cent of the learner's
    #[arg(long, default_value_t = 150, value_name = "PERCENT", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    opponent: u64,
    /// Nodes of the stranger, an opponent that nothing was learned from, in per cent of the learner's
    #[arg(long, default_value_t = 200, value_name = "PERCENT", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    stranger: u64,
    /// Rounds against the stranger
    #[arg(long, default_value_t = 4, value_name = "ROUNDS", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    stranger_rounds: u32,
    /// Per cent by which opponents' nodes vary from move to move, up or down
    #[arg(long, default_value_t = 5, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=99))]
    vary: u32,
    /// Least depth that `resume` and `tree` keep
    #[arg(long, default_value_t = 4, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=60))]
    memory_depth: u8,
    /// Seed of the variation of the opponents' nodes
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder for the results
    #[arg(long, default_value = "docs/results", value_name = "FOLDER")]
    out: PathBuf,
}

impl Arguments {
    fn policies(&self) -> Vec<Policy> {
        let is_chosen = |name: &&str| self.policies.is_empty() || self.policies.iter().any(|chosen| chosen == name);
        POLICIES
            .into_iter()
            .filter(is_chosen)
            .filter_map(Policy::named)
            .map(|policy| self.with_least_depth(policy))
            .collect()
    }

    fn with_least_depth(&self, policy: Policy) -> Policy {
        let least_depth = self.memory_depth;
        match policy {
            Policy::Resume(resume) => Policy::Resume(Resume { least_depth, ..resume }),
            Policy::Tree(tree) => Policy::Tree(Tree { least_depth, ..tree }),
            policy => policy,
        }
    }

    fn schedule(&self) -> Result<Schedule> {
        let lines = OPENINGS.iter().take(self.openings.into());
        Ok(Schedule {
            openings: lines.map(|(_, line)| openings::moves(line)).collect::<std::result::Result<_, _>>()?,
            rounds: self.rounds,
            stranger_rounds: self.stranger_rounds,
            nodes: self.nodes,
            opponent_nodes: (self.nodes * self.opponent / 100).max(1),
            stranger_nodes: (self.nodes * self.stranger / 100).max(1),
            variation: self.vary,
            seed: self.seed,
        })
    }

    fn command(&self) -> String {
        let Arguments {
            rounds, nodes, openings, opponent, stranger, stranger_rounds, vary, memory_depth, seed, ..
        } = self;
        let policies: String = self.policies.iter().map(|name| format!(" --policy {name}")).collect();
        format!(
            "mnemon lab learning --rounds {rounds} --nodes {nodes} --openings {openings} --opponent {opponent} --stranger \
             {stranger} --stranger-rounds {stranger_rounds} --vary {vary} --memory-depth {memory_depth} --seed {seed}{policies}"
        )
    }
}

pub(crate) fn run(arguments: &Arguments, console: &dyn Console) -> Result {
    let schedule = arguments.schedule()?;
    let policies = arguments.policies();
    let progress = ProgressBar::of(console, "games", schedule.games() * (policies.len() as u64 + 1));
    let mut learners = Vec::new();
    for policy in std::iter::once(Policy::Off).chain(policies) {
        let learner = schedule.run(policy, &progress)?;
        console.remark(&page::summary(&learner));
        learners.push(learner);
    }
    drop(progress);
    let files = [
        ("learning.md", page::page(arguments, &schedule, &learners)),
        ("learning.csv", page::scores(&learners).to_csv()),
        ("learning.svg", curves::svg(&learners)?),
    ];
    results::publish(console, &arguments.out, &files)
}

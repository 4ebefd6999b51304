//! The learners of the experiment, and the controls that learn nothing.

use std::sync::Arc;

use mnemon_memory::policy::Policy;
use mnemon_memory::{RamStore, Store};

use super::engine::{EnginePlayer, TableSetup};
use super::players::{Player, Student, WinRepeater};
use super::read_only_store::ReadOnlyStore;
use crate::Result;

/// Who plays against the opponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Learner {
    /// The control: no memory.
    Off,
    /// The control: no memory, and nodes that vary as the opponent's do.
    OffVaried,
    /// The control: a game that was won is played again, otherwise nodes vary.
    RepeatWins,
    /// A memory that learns by this policy.
    Policy(Policy),
    /// A memory that keeps whole analyses, and after each game one of its first moves with ten times the nodes.
    Study(Policy),
}

/// Policies that learn.
pub(super) const POLICIES: [&str; 7] = ["rote", "slate", "bebe", "crafty", "resume", "tree", "result"];

/// An analysis of the game's first moves after it, kept as `resume` keeps one.
pub(super) const STUDY: &str = "study";

/// All that learn.
pub(super) const LEARNERS: [&str; 8] = ["rote", "slate", "bebe", "crafty", "resume", "tree", "result", STUDY];

impl Learner {
    /// The controls.
    pub(super) const CONTROLS: [Learner; 3] = [Learner::Off, Learner::OffVaried, Learner::RepeatWins];

    /// The name in tables and files.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Learner::Off => "off",
            Learner::OffVaried => "off-varied",
            Learner::RepeatWins => "repeat-wins",
            Learner::Policy(policy) => policy.name(),
            Learner::Study(_) => "study",
        }
    }

    /// Whether the player's own nodes vary.
    pub(super) fn varies(&self) -> bool {
        matches!(self, Learner::OffVaried | Learner::RepeatWins)
    }

    /// The player, who searches `nodes` for a move and has learned nothing yet, and the store of its memory.
    pub(super) fn player(&self, table: TableSetup, nodes: u64) -> Result<(Box<dyn Player>, Arc<dyn Store>)> {
        let store: Arc<dyn Store> = Arc::new(RamStore::new());
        let player: Box<dyn Player> = match *self {
            Learner::Off | Learner::OffVaried => Box::new(EnginePlayer::new(table, None)?),
            Learner::RepeatWins => Box::new(WinRepeater::new(table)?),
            Learner::Policy(policy) => Box::new(EnginePlayer::new(table, Some((Arc::clone(&store), policy)))?),
            Learner::Study(policy) => {
                let engine = EnginePlayer::new(table, Some((Arc::clone(&store), policy)))?;
                Box::new(Student::new(engine, 10 * nodes))
            }
        };
        Ok((player, store))
    }

    /// A player who knows what is in the store and learns nothing more. The one that repeats wins has nothing to repeat
    /// against another opponent.
    pub(super) fn finished_player(&self, table: TableSetup, store: Arc<dyn Store>) -> Result<Box<dyn Player>> {
        Ok(match *self {
            Learner::Policy(policy) | Learner::Study(policy) => {
                Box::new(EnginePlayer::new(table, Some((Arc::new(ReadOnlyStore(store)), policy)))?)
            }
            _ => self.player(table, 0)?.0,
        })
    }
}

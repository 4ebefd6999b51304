//! What the state machine asks of its caller.

use mnemon_memory::Source;

use super::{Settings, Show};
use crate::observer::{Findings, GameHistory};

/// What the caller has to do.
#[derive(Clone, Debug)]
pub enum Action {
    /// Write these bytes to the GUI and flush them.
    ToGui(Vec<u8>),
    /// Write these bytes to the engine and flush them.
    ToEngine(Vec<u8>),
    /// Ask the memory, and answer with [`Proxy::on_remembered`](super::Proxy::on_remembered).
    LookUp(Question),
    /// Write findings to the memory.
    Learn(Findings),
    /// The settings have changed: open the memory that they name.
    OpenMemory(Settings),
    /// Start the engine again.
    Restart,
    /// End, with a failure: the engine has died twice.
    GiveUp(String),
}

impl PartialEq for Action {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Action::ToGui(a), Action::ToGui(b)) | (Action::ToEngine(a), Action::ToEngine(b)) => a == b,
            (Action::Restart, Action::Restart) => true,
            _ => false,
        }
    }
}

/// What the memory is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// To tell answers apart.
    pub number: u64,
    /// The engine.
    pub source: Source,
    /// The position and what came before.
    pub game: GameHistory,
    /// How many lines are wanted.
    pub multipv: usize,
    /// Whether other sources are asked too.
    pub show: Show,
}

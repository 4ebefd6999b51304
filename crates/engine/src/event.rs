//! What an engine tells while it thinks. It prints nothing itself.

use std::time::Duration;

use cozy_chess::Move;
use mnemon_memory::walk::Recalled;
use mnemon_memory::{Learned, MemoryError};

use crate::Allotted;
use crate::search::{Info, Progress};
use mnemon_chess::Position;

/// Something that an engine has to say.
#[derive(Debug)]
pub enum Event<'e> {
    /// A search begins, with so much time; `None` without a clock.
    Begun(Option<Allotted>),
    /// What the memory put into the table before the search.
    Recalled(&'e Recalled),
    /// What the memory already knows of the position, in the form of a search's line.
    Known(&'e Position, &'e Info),
    /// What was learned from searches that ended before.
    Learned(Learned),
    /// The memory could not be read or written; the engine goes on without what it would have given.
    MemoryFailed(&'e MemoryError),
    /// The search broke down, and why: a defect of the program. The answer follows all the same.
    Failed(&'e str),
    /// How far the search has come, about once a second.
    Progress(&'e Position, &'e Progress),
    /// A line that the search found.
    Line(&'e Position, &'e Info),
    /// The end of a search: the only one of these for each [`go`](super::Engine::go).
    Best {
        /// The position that was searched.
        position: &'e Position,
        /// The move; `None` if there is no legal one.
        best: Option<Move>,
        /// The answer that is expected.
        ponder: Option<Move>,
    },
    /// So many move sequences begin with this move.
    Divided(&'e Position, Move, u64),
    /// All of them, and how long the counting took; `None` if it was stopped.
    Counted(Option<u64>, Duration),
}

/// Someone who is told. Events come from the searching thread, and one at a time.
pub trait Listener: Send + Sync {
    /// Called for each event.
    fn hear(&self, event: Event<'_>);
}

impl<F: Fn(Event<'_>) + Send + Sync> Listener for F {
    fn hear(&self, event: Event<'_>) {
        self(event);
    }
}

//! What an engine reports while it searches. It prints nothing itself.

use std::time::Duration;

use cozy_chess::{Color, Move};
use mnemon_memory::policy::PlayerResult;
use mnemon_memory::recall::{Hearsay, RecallSummary};
use mnemon_memory::{Learned, MemoryError};

use crate::Allotment;
use crate::book::BookChoice;
use crate::search::{Info, Progress};
use mnemon_chess::Position;

/// A report of an engine.
#[derive(Debug)]
pub enum Event<'e> {
    /// A search begins, with its time; `None` without a clock.
    Begun(Option<Allotment>),
    /// The move comes from the opening book: there is no search, and [`Event::Best`] follows.
    BookMove(&'e Position, &'e BookChoice),
    /// The opening book knows the position, and all of its moves, this many, have lost before: the search decides.
    BookRefuted(&'e Position, usize),
    /// What the memory put into the table before the search.
    Recalled(&'e RecallSummary),
    /// What the memory knows of the position, in the form of a search's line.
    Known(&'e Position, &'e Info),
    /// A score of the position that the search does not believe: a person's advice, or an untrusted contributor's record.
    Hearsay(&'e Position, &'e Hearsay),
    /// The search prefers another move than a person advises.
    Disagrees {
        /// The position that was searched.
        position: &'e Position,
        /// The advice.
        hearsay: &'e Hearsay,
        /// The search's move.
        best: Move,
    },
    /// What was learned from searches that ended before.
    Learned(Learned),
    /// A game is over, and the memory learns from its result.
    GameLearned {
        /// The side that the engine played.
        side: Color,
        /// How the game ended for it.
        result: PlayerResult,
        /// The number of its moves.
        moves: usize,
    },
    /// The memory could not be read or written; the search goes on without it.
    MemoryFailed(&'e MemoryError),
    /// The memory is still being opened: this search goes on without it, and what it learns is written afterwards.
    MemoryOpening,
    /// The memory could not be opened: there is none until another one is set.
    MemoryNotOpened(&'e MemoryError),
    /// The memory can only be read, for this reason: searches recall from it, and nothing is learned.
    MemoryReadOnly(&'e MemoryError),
    /// The search panicked with this message: a defect of the program. [`Event::Best`] follows all the same.
    Failed(&'e str),
    /// The system has refused a thread for the search. [`Event::Best`] follows all the same.
    NotStarted(&'e std::io::Error),
    /// The system has refused memory or threads: the search goes on with fewer threads than were set.
    FewerThreads {
        /// The threads that search.
        started: usize,
        /// The threads that were set.
        asked: usize,
    },
    /// How far the search has come, about once a second.
    Progress(&'e Position, &'e Progress),
    /// A line that the search found.
    Line(&'e Position, &'e Info),
    /// The end of a search: exactly one for each [`go`](super::Engine::go).
    Best {
        /// The position that was searched.
        position: &'e Position,
        /// The move; `None` if there is no legal one.
        best: Option<Move>,
        /// The expected reply.
        ponder: Option<Move>,
    },
    /// The number of move sequences that begin with this move.
    Divided(&'e Position, Move, u64),
    /// The number of all move sequences, or `None` if the counting was stopped, and how long it took.
    Counted(Option<u64>, Duration),
}

/// Receives an engine's events, from the searching thread, one at a time.
pub trait Listener: Send + Sync {
    /// Called for each event.
    fn notify(&self, event: Event<'_>);
}

impl<F: Fn(Event<'_>) + Send + Sync> Listener for F {
    fn notify(&self, event: Event<'_>) {
        self(event);
    }
}

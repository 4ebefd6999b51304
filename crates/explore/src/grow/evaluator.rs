//! Evaluators: who looks at a position.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mnemon_memory::{Annotation, Item, Line, Source};
use mnemon_table::Window;

use super::Explored;

/// How long each position is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// This many nodes.
    Nodes(u64),
    /// This time.
    Time(Duration),
}

/// What is to be searched.
pub struct Request<'r, G: Explored> {
    /// The position.
    pub position: &'r G,
    /// Only these moves; all if there are none.
    pub moves: &'r [G::Move],
    /// How many of the other moves have lines: for an engine that cannot leave moves out and shows that many lines more.
    pub known_lines: usize,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// The lines, the best first, with exact scores. None if the position is not worth a line, as a solver's.
    pub lines: Vec<Line>,
    /// What is proven of the position's value.
    pub proven: Option<Window>,
    /// The depth in plies.
    pub depth: u8,
    /// Nodes of the search.
    pub nodes: u64,
    /// What else the search learned, of this position and others.
    pub items: Vec<Item>,
    /// Lines of other positions.
    pub annotations: Vec<Annotation>,
}

impl Evaluation {
    /// Whether nothing was found that a memory may keep.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.proven.is_none()
    }
}

/// Why there is no evaluation.
#[derive(Debug, thiserror::Error)]
pub enum EvaluatorError {
    /// The engine ended, fell silent or cannot be started.
    #[error(transparent)]
    Engine(#[from] mnemon_uci::child::ChildError),
    /// Nothing that this engine says may be learned.
    #[error("nothing can be learned from the engine '{engine}': {reason}")]
    Unusable {
        /// The engine.
        engine: String,
        /// Why.
        reason: String,
    },
    /// A table in RAM cannot be allocated.
    #[error(transparent)]
    Table(#[from] mnemon_table::TableError),
    /// The solver cannot work.
    #[error(transparent)]
    Solver(#[from] mnemon_connect4::SolverError),
    /// The search failed: a defect of the program.
    #[error("the search failed: {0}")]
    Failed(String),
}

/// Searches positions of a game.
pub trait Evaluator<G: Explored>: Send {
    /// Under whose name its results are learned.
    fn source(&self) -> &Source;

    /// Searches a position. An evaluation without lines and bounds says that nothing may be learned of it; `None` that
    /// the search was stopped.
    ///
    /// # Errors
    /// An engine that ended or broke the protocol; [`restart`](Self::restart) may help.
    fn search(&mut self, request: &Request<'_, G>, stop: &Stop) -> Result<Option<Evaluation>, EvaluatorError>;

    /// Starts again after an error.
    ///
    /// # Errors
    /// An engine that cannot be started.
    fn restart(&mut self) -> Result<(), EvaluatorError> {
        Ok(())
    }
}

/// A flag that ends all searches soon after it is set.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// How often searches look at the flag.
    pub(super) const POLL: Duration = Duration::from_millis(20);

    /// Ends all searches.
    pub fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it is set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

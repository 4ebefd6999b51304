//! Growing the tree by itself: which position to search next, engines that search it, and what is learned from them.
//!
//! ```text
//! memory ─► Graph (values, costs) ─► Selector: the cheapest way down ─► Evaluator: a search ─► memory
//! ```
//!
//! The [`Graph`] is derived from the memory alone, position by position, and is updated upwards when a result comes. So an
//! exploration that was stopped or killed goes on where it was, and several programs can grow one tree: [`Leases`] tell
//! each of them what the others search at the moment.
//!
//! A position is *in the tree* if it was the root of a search by one of the exploring engines (or is proven). Its moves
//! are in one of three states, and all three can be read from the memory:
//!
//! - *child*: the position behind the move is in the tree, and what is below it gives the move's value;
//! - *scored*: the move begins one of the lines that the memory keeps of the position, whose score is the move's value;
//! - *rest*: every other move. It is worth no more than the last of the lines, since lines are the best moves in order.
//!
//! A position whose lines have all become children has its other moves searched (`searchmoves`), and the best of them is
//! added to its lines: exactly the set that a search for one line more (MultiPV) would have given.

mod chance;
mod derive;
mod evaluator;
mod explorer;
mod game;
mod graph;
mod job;
mod known;
mod lease;
mod node;
mod own_engine;
mod report;
mod requests;
mod selector;
mod solver;
mod uci_engine;
mod workers;

#[cfg(test)]
mod tests;

pub use chance::chance;
pub use evaluator::{Budget, Evaluation, Evaluator, EvaluatorError, Request, Stop};
pub use explorer::{Explorer, Learned, Next, Settings};
pub use game::Explored;
pub use graph::Graph;
pub use job::{Job, SearchedMoves};
pub use lease::Leases;
pub use own_engine::EngineEvaluator;
pub use report::{MainLine, Overview, move_texts};
pub use selector::{DropOut, EvalDecay, Selector, Side};
pub use solver::SolverEvaluator;
pub use uci_engine::UciEvaluator;
pub use workers::{Event, Outcome, RunLimits, Watch, run};

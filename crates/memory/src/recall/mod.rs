//! Recall: before a search, what the memory knows below its root. The search itself never touches the memory.

mod best_first;
mod budget;
mod graph;
pub(crate) mod index;
mod query;
pub(crate) mod roots;
mod set;
mod standing;

pub use best_first::explore_best_first;
pub use budget::Budget;
pub use graph::{KnownGraph, Node, explore};
pub use query::recall;
pub(crate) use query::recall_with;
pub use set::{Hearsay, RecallSet, RecallSummary, RecalledPosition, RecalledRoot};
pub use standing::Standing;

//! The walks between memory and table: [`recall()`] before a search, [`collect_records`] after it. They are mirror images, and
//! the search itself never touches the memory.

mod known;
mod learn;
mod recall;

pub use known::{Budget, KnownGraph, Node, explore};
pub use learn::collect_records;
pub use recall::{Recalled, recall, recall_until};

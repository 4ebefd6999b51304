//! The walks between memory and table: [`recall()`] before a search, [`lessons`] after it. They are mirror images, and
//! the search itself never touches the memory.

mod known;
mod learn;
mod recall;

pub use known::{Budget, Known, Node, explore};
pub use learn::lessons;
pub use recall::{Recalled, recall, recall_until};

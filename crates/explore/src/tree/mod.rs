//! The known tree below a position of any game: what a memory knows of it, as data, and as text, SVG and DOT.
//!
//! [`Position::tree`](crate::notation::Position::tree) reads the memory, the good moves first and within a budget, backs
//! values up, and gives a [`Tree`]: a list of [`TreeNode`]s in the order in which one reads them, each move before its
//! replies and the best move of each position first, so that `nodes[1]`, and the first child of every node, is the main
//! line. Nodes refer to each other by their numbers in that list. A position that several lines reach has its replies
//! once, where it is nearest to the root, and carries a [`label`](TreeNode::label); elsewhere it is a leaf that
//! [refers](TreeNode::same_as) to that node. So the tree is finite, also where moves go back and forth.
//!
//! The tree is [`Serialize`]: its JSON is what `mnemon tree --json` prints. All scores are for the side
//! to move at the root ([`Tree::scores_for`]). [`text`], [`svg`] and [`dot`] draw it.
//!
//! ```
//! use mnemon_explore::notation;
//! use mnemon_explore::tree::{Bounds, TreeQuery, text};
//! use mnemon_memory::{Item, Key, RamStore, Record, Source, Store};
//!
//! let own = Source::engine("mnemon", "0.1.0");
//! let store = RamStore::new();
//! for (position, score) in [("startpos", 20), ("startpos moves e4", -20), ("startpos moves d4", -15)] {
//!     let position = notation::read(&[position.to_owned()], None)?;
//!     let key = Key::new(&position.game(), position.packed(), &own);
//!     store.merge_many(&[Item { key, record: Record::exact(score, 12) }])?;
//! }
//! let root = notation::read(&["startpos".to_owned()], None)?;
//! let tree = root.tree(&store, &TreeQuery { bounds: Bounds { plies: 2, ..Bounds::default() }, ..TreeQuery::new(&own) })?;
//! let moves: Vec<&str> = tree.nodes[1..].iter().map(|node| &*node.name).collect();
//! assert_eq!(moves, ["1.e4", "1.d4"]);
//! assert_eq!((tree.nodes[1].parent, tree.nodes[1].backed_up.as_ref().map(|value| &*value.text)), (Some(0), Some("+0.20")));
//! println!("{}", text::draw(&tree, 80, mnemon_memory::unix_time()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod choice;
mod columns;
pub mod dot;
mod judge;
mod node;
pub mod recent;
mod shape;
pub mod svg;
pub mod text;

pub(crate) use build::{Before, build};
pub(crate) use judge::without_rules;
pub use node::{Searched, Tree, TreeNode, Value};

use std::time::Duration;

use mnemon_memory::recall::Budget;
use mnemon_memory::{Record, Source};
use mnemon_table::Score;
use serde::Serialize;

/// How much of a tree is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bounds {
    /// How far below the root.
    pub plies: u16,
    /// The most moves of a position.
    pub width: usize,
    /// By how much a move may be worse than the best of its position; `None` for any move.
    pub within: Option<Score>,
    /// The most nodes of the whole tree: what is nearest to the root is shown.
    pub nodes: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { plies: 4, width: 3, within: None, nodes: 2_000 }
    }
}

/// What of the memory is asked for.
#[derive(Clone, Copy)]
pub struct TreeQuery<'a> {
    /// How much is shown.
    pub bounds: Bounds,
    /// How much is read: what is shown, and what is below it, which decides its backed-up values.
    pub budget: Budget,
    /// The engine whose own records may prove a value: see [`Trust::believed`](mnemon_memory::Trust::believed).
    pub own: &'a Source,
    /// The sources that count; they are believed even if nobody trusts their contributor. `None`: all, as they are trusted.
    pub only: Option<&'a (dyn Fn(&Source) -> bool + Sync)>,
}

/// What a view of the tree may read: an answer at once, whatever the size of the memory.
pub const AT_ONCE: Budget = Budget { positions: 200_000, plies: u16::MAX, time: Duration::from_millis(200) };

impl<'a> TreeQuery<'a> {
    /// Everything that can be read at once, within the default bounds.
    pub fn new(own: &'a Source) -> Self {
        TreeQuery { bounds: Bounds::default(), budget: AT_ONCE, own, only: None }
    }
}

impl TreeQuery<'_> {
    /// Keeps the records that count.
    fn retain(&self, records: &mut Vec<(Source, Record)>) {
        records.retain(|(source, _)| self.only.is_none_or(|only| only(source)));
    }
}

/// The record as it is seen from `plies` above: for the other side after an odd number of plies. The winner's moves to a
/// mate are counted with the move that led to the position.
pub(crate) fn seen_from(record: &Record, plies: u16) -> Record {
    if plies.is_multiple_of(2) { *record } else { record.from_parent() }
}

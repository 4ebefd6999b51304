//! The tree as data.

use mnemon_memory::Record;
use mnemon_table::Score;
use serde::Serialize;

use super::Bounds;
use crate::estimate::Estimate;
use crate::format;
use crate::notation::Position;
use crate::record_json::Ends;

/// The known tree below a position.
#[derive(Serialize)]
pub struct Tree {
    /// The game's name.
    pub game: String,
    /// The root's position in the game's notation.
    pub position: String,
    /// The form in which memories keep it, as hexadecimal digits.
    pub packed: String,
    /// The side to move at the root, which all scores are for.
    pub scores_for: &'static str,
    /// Whether the root is where the game begins.
    pub is_start: bool,
    /// The moves that lead to the root, if they are known and not its notation.
    pub line: Vec<String>,
    /// The name of the opening that these moves, or the root itself, belong to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'static str>,
    /// The best moves from the root on, one after the other, as far as they are known.
    pub main_line: Vec<String>,
    /// The positions, each before those below it, the best move first. The first is the root.
    pub nodes: Vec<TreeNode>,
    /// How much of the tree was asked for.
    pub bounds: Bounds,
    /// Whether [`Bounds::nodes`] left out what the other bounds allow.
    pub is_cut: bool,
    /// The number of known positions that the backed-up values rest on.
    pub known: usize,
    /// Whether everything below the root was read; if not, the values rest on a part of what is known.
    pub is_complete: bool,
}

/// A position of the tree, and the move that leads to it.
#[derive(Serialize)]
pub struct TreeNode {
    /// The number of the node before the move; `None` for the root.
    pub parent: Option<usize>,
    /// The number of moves from the root.
    pub ply: u16,
    /// The move with its number, as in `2.Nf3`; empty for the root.
    pub name: String,
    /// The move; empty for the root.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move's code in the memory; 0 for the root.
    pub code: u16,
    /// The position in the game's notation.
    pub position: String,
    /// The form in which memories keep it, as hexadecimal digits.
    pub packed: String,
    /// The name of the opening that this position is the mark of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'static str>,
    /// Why the game is over here, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<&'static str>,
    /// What the deepest search of the position itself found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searched: Option<Searched>,
    /// The value by negamax over everything that is known below it. `None` where nothing is believed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backed_up: Option<Value>,
    /// Whether it is the best move of its position, and its parent is on the main line.
    pub is_main: bool,
    /// The number under which others refer to this node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<usize>,
    /// The number of the node that has this position, and the moves that follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<usize>,
    /// Whether that node is on the line that leads here.
    pub repeats: bool,
    /// The number of known moves that are not shown.
    pub more: usize,
    /// The number of sources with a record of the position.
    pub sources: usize,
    /// The number of people's notes on the position.
    pub notes: usize,
    /// How it goes on where no moves are shown: the best known moves, or else the line of its search.
    pub continuation: Vec<String>,
}

impl TreeNode {
    /// A root of which nothing is known.
    pub(super) fn new(position: String, packed: String) -> Self {
        TreeNode {
            parent: None,
            ply: 0,
            name: String::new(),
            mv: String::new(),
            code: 0,
            position,
            packed,
            opening: None,
            ending: None,
            searched: None,
            backed_up: None,
            is_main: false,
            label: None,
            same_as: None,
            repeats: false,
            more: 0,
            sources: 0,
            notes: 0,
            continuation: Vec::new(),
        }
    }
}

/// A value for the side to move at the root.
#[derive(Clone, Debug, Serialize)]
pub struct Value {
    /// The number that stands for the value, in the unit of the memory: hundredths of a pawn, points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// In the game's notation: `+0.35`, `>=+0.20`, `#5`.
    pub text: String,
    /// Both ends with their depths.
    #[serde(flatten)]
    pub ends: Ends,
    /// The depth of the end that says more, in plies; 255 is proven.
    pub depth: u8,
}

impl Value {
    /// The value that a record has for the side that it is seen from.
    pub(super) fn new(position: &dyn Position, record: &Record) -> Self {
        Value {
            score: Estimate::new(record, position.near()).number(),
            text: format::compact(position, record),
            ends: Ends::new(record),
            depth: record.stronger_end().depth,
        }
    }
}

/// The value that one search found.
#[derive(Clone, Debug, Serialize)]
pub struct Searched {
    /// The value.
    #[serde(flatten)]
    pub value: Value,
    /// Who searched, with the contributor's label.
    pub source: String,
    /// When, in seconds since 1970; 0 if unknown.
    pub time: u32,
    /// Whether the source is believed: if not, the backed-up values leave it out.
    pub is_believed: bool,
}

impl Tree {
    /// The numbers of the nodes below this one, in their order.
    pub fn children(&self, number: usize) -> impl Iterator<Item = usize> {
        let first = number + 1;
        let below =
            self.nodes[first..].iter().take_while(move |node| node.parent.is_some_and(|parent| parent >= number));
        below.enumerate().filter(move |(_, node)| node.parent == Some(number)).map(move |(offset, _)| first + offset)
    }

    /// Whether nothing is known of the root and its moves.
    pub fn is_empty(&self) -> bool {
        self.known == 0
    }
}

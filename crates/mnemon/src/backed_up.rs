//! A position's value by all that is known below it, and where that comes from.

use mnemon_memory::policy::tree;
use mnemon_memory::recall::{Budget, explore};
use mnemon_memory::{Record, Store};

use mnemon_search::Notation;

use crate::Result;
use crate::format;
use crate::notation::Position;

/// A backed-up value in the game's own words.
pub(crate) struct BackedUp {
    /// Both ends, for the side to move.
    pub(crate) record: Record,
    /// The moves from the position to the leaf.
    pub(crate) line: Vec<String>,
    /// The position whose own search the value comes from.
    pub(crate) leaf: String,
    /// Who searched it.
    pub(crate) sources: Vec<String>,
    /// How many positions were taken into account.
    pub(crate) positions: usize,
}

/// More positions than this are not looked at for one value.
const BUDGET: Budget = Budget { positions: 200_000, ..Budget::UNLIMITED };

impl BackedUp {
    /// The value of the position; `None` if nothing is known.
    pub(crate) fn of<G: Notation>(position: &G, store: &dyn Store) -> Result<Option<Self>> {
        let known = explore(store, position, BUDGET)?;
        let Some(value) = tree::value(&known) else { return Ok(None) };
        let mut line = Vec::new();
        let mut at = position.clone();
        for code in value.line {
            let Some(mv) = at.legal().into_iter().find(|&mv| G::code(mv).get() == code) else { break };
            line.push(at.write_move(mv));
            let Some(after) = at.after(mv) else { break };
            at = after;
        }
        let leaf = &known.nodes[value.leaf];
        Ok(Some(BackedUp {
            record: value.record,
            line,
            leaf: leaf.position.write().unwrap_or_default(),
            sources: leaf.records.iter().map(|(source, _)| format::source(source)).collect(),
            positions: known.nodes.iter().filter(|node| !node.records.is_empty()).count(),
        }))
    }

    /// Two or three lines.
    pub(crate) fn text(&self, position: &dyn Position) -> String {
        let BackedUp { record, line, leaf, sources, positions } = self;
        let score = format::score(position, record);
        let known =
            if *positions == 1 { "one known position".to_owned() } else { format!("{positions} known positions") };
        let mut text = format!("\nValue {score}, depth {}, by negamax over {known}\n", format::depths(record));
        if !line.is_empty() {
            text += &format!("  by {}\n  from {leaf}, by {}\n", line.join(" "), sources.join(", "));
        }
        text
    }
}

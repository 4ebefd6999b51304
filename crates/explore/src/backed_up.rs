//! A position's backed-up value: negamax over the records below it, and the line that gives it.

use mnemon_memory::policy::tree;
use mnemon_memory::recall::{Budget, explore};
use mnemon_memory::{Record, Result, Source, Store, Trust};
use mnemon_search::Notation;

use crate::format;
use crate::notation::Position;

/// A backed-up value in the game's notation.
pub struct BackedUp {
    /// Both ends, for the side to move.
    pub record: Record,
    /// The moves from the position to the leaf.
    pub line: Vec<String>,
    /// The position whose own search the value comes from.
    pub leaf: String,
    /// The sources that searched it.
    pub sources: Vec<String>,
    /// The number of positions with records.
    pub positions: usize,
}

/// The bound on the positions that are read for one value.
const BUDGET: Budget = Budget { positions: 200_000, ..Budget::UNLIMITED };

impl BackedUp {
    /// The value of the position, by what the engine `own` would believe; `None` if that is nothing.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn of<G: Notation>(position: &G, store: &dyn Store, own: &Source) -> Result<Option<Self>> {
        let known = explore(store, position, BUDGET)?;
        let contributors = store.contributors()?;
        let trust = Trust::recorded(&contributors);
        let Some(value) = tree::value(&known, &trust, own) else { return Ok(None) };
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
            sources: leaf.records.iter().map(|(source, _)| format::source(source, &contributors)).collect(),
            positions: known.nodes.iter().filter(|node| !node.records.is_empty()).count(),
        }))
    }

    /// The value, and the line that gives it unless that is the position itself.
    pub fn text(&self, position: &dyn Position) -> String {
        let BackedUp { record, line, leaf, sources, positions } = self;
        let score = format::score(position, record);
        let known =
            if *positions == 1 { "one known position".to_owned() } else { format!("{positions} known positions") };
        let mut text =
            format!("\nValue {score}, depth {}, by negamax over {known}\n", format::depths(position, record));
        if !line.is_empty() {
            text += &format!("  by {}\n  from {leaf}, by {}\n", line.join(" "), sources.join(", "));
        }
        text
    }
}

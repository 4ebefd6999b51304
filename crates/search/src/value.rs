//! A score, and how far back it depends on the way its position was reached.
//!
//! A repetition is a draw only because of the positions played before it, so its score belongs to the path and not to
//! the position. What it is to a node depends on where the repeated position stands: above the node, and the node's
//! score is tainted; at the node or below it, and every path to the node has that cycle, so the score is its own.

use std::num::NonZeroU16;
use std::ops::Neg;

use mnemon_table::Score;

/// The earliest point of a path that a score depends on; earlier is less. Not zero, so that a stopped search fits into
/// the same four bytes as a [`Value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Since(NonZeroU16);

impl Since {
    /// What was played before the root: a position of the game's history, or a move counter.
    pub(crate) const BEFORE_ROOT: Since = Since(NonZeroU16::MIN);
    /// No point of the path at all.
    pub(crate) const NEVER: Since = Since(NonZeroU16::MAX);

    /// The position that stands on the path at this ply.
    pub(crate) const fn ply(ply: u16) -> Self {
        Since(NonZeroU16::MIN.saturating_add(1).saturating_add(ply))
    }

    /// Whether a node at this ply is tainted by it: it lies above the node.
    pub(crate) fn taints(self, ply: u16) -> bool {
        self < Since::ply(ply)
    }
}

/// What the search of a node gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) score: Score,
    pub(crate) since: Since,
}

impl Value {
    /// A score that is the position's own.
    pub(crate) const fn clean(score: Score) -> Self {
        Value { score, since: Since::NEVER }
    }
}

impl Neg for Value {
    type Output = Self;

    fn neg(self) -> Self {
        Value { score: -self.score, ..self }
    }
}

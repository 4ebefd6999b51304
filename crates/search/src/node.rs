//! A node while it is searched, and what has been found of it.

use mnemon_table::{Score, Window};

use crate::path_score::PathDependency;

/// Wider than any score.
pub(crate) const INFINITY: Score = 16_383;

/// A node that is being searched.
pub(crate) struct Node<'p, G> {
    pub(crate) position: &'p G,
    pub(crate) depth: u8,
    pub(crate) ply: u16,
    /// The search may treat any value up to this as equally bad.
    pub(crate) alpha: Score,
    /// The search may treat any value from this as equally good.
    pub(crate) beta: Score,
    /// What the table knew of the value, counted from the root.
    pub(crate) known: Window,
    /// The code of the move to search first, 0 if none is known.
    pub(crate) hint: u16,
    pub(crate) work_before: u64,
}

impl<'p, G> Node<'p, G> {
    pub(crate) fn new(position: &'p G, depth: u8, alpha: Score, beta: Score, ply: u16) -> Self {
        Node { position, depth, ply, alpha, beta, known: Window::UNKNOWN, hint: 0, work_before: 0 }
    }
}

/// What the loop over a node's children has found so far.
pub(crate) struct Found<M> {
    /// The best score, below every other before the first move.
    pub(crate) score: Score,
    /// The move that gave it.
    pub(crate) best: Option<M>,
    /// What the score depends on.
    pub(crate) depends_on: PathDependency,
}

impl<M> Found<M> {
    pub(crate) const NOTHING: Self = Found { score: -INFINITY, best: None, depends_on: PathDependency::NONE };
}

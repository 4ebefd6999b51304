//! A node while it is searched, and the best that its moves have given so far.

use mnemon_table::{Score, Window};

use crate::PathDependency;

/// Wider than any score.
pub(crate) const INFINITY: Score = 16_383;

/// A node that is being searched.
pub(crate) struct Node<'p, G> {
    pub(crate) position: &'p G,
    pub(crate) depth: u8,
    pub(crate) ply: u16,
    /// Scores up to this fail low.
    pub(crate) alpha: Score,
    /// Scores from this on fail high.
    pub(crate) beta: Score,
    /// The window of the table's entry, with wins counted from the root.
    pub(crate) table_window: Window,
    /// The code of the hash move, 0 if there is none.
    pub(crate) hash_move: u16,
    /// The thread's work when the node was entered.
    pub(crate) work_before: u64,
}

impl<'p, G> Node<'p, G> {
    pub(crate) fn new(position: &'p G, depth: u8, alpha: Score, beta: Score, ply: u16) -> Self {
        Node { position, depth, ply, alpha, beta, table_window: Window::UNKNOWN, hash_move: 0, work_before: 0 }
    }
}

/// The best score that the loop over a node's moves has found so far.
pub(crate) struct BestSoFar<M> {
    /// The score; below every other before the first move.
    pub(crate) score: Score,
    /// The move that gave it.
    pub(crate) mv: Option<M>,
    /// What the score depends on.
    pub(crate) depends_on: PathDependency,
}

impl<M> BestSoFar<M> {
    /// Before the first move.
    pub(crate) const NONE: Self = BestSoFar { score: -INFINITY, mv: None, depends_on: PathDependency::NONE };
}

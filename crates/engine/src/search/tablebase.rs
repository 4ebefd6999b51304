//! Tablebase probes in the search: a capture or a pawn move into a tablebase ends the line.

use mnemon_search::PathDependency;
use mnemon_table::{Score, Window};

use super::node::Node;
use super::worker::{DRAW, NodeResult, Worker};
use crate::tablebase::{Tablebase, Wdl};

/// The score of a tablebase win: below every mate that a search has found, above every evaluation.
pub(crate) const TABLEBASE_WIN: Score = 14_500;

/// The depth of a tablebase score: no search improves on it.
const TABLEBASE_DEPTH: i32 = 100;

impl<E> Worker<'_, E> {
    /// The tablebase's score of a node; `None` if it has none.
    ///
    /// WDL tables know no halfmove clock, so they are probed only where it is 0. No position before that can be
    /// repeated, so the score is the position's own.
    pub(super) fn tablebase_score(&mut self, node: &Node<'_>) -> Option<Score> {
        let tablebase = self.tablebase?;
        if node.ply == 0 || node.position.halfmove_clock() != 0 {
            return None;
        }
        self.probe_tablebase(node, tablebase)
    }

    /// Probes the tablebase, and stores its score in the table.
    #[inline(never)]
    fn probe_tablebase(&mut self, node: &Node<'_>, tablebase: &Tablebase) -> Option<Score> {
        let wdl = tablebase.probe_wdl(node.position)?;
        self.control.count_tbhit();
        let (score, window) = match wdl {
            Wdl::Win => (TABLEBASE_WIN, Window::at_least(TABLEBASE_WIN)),
            Wdl::Loss => (-TABLEBASE_WIN, Window::at_most(-TABLEBASE_WIN)),
            Wdl::BlessedLoss | Wdl::Draw | Wdl::CursedWin => (DRAW, Window::exact(DRAW)),
        };
        let depends_on = PathDependency::NONE;
        let result = NodeResult { window, depends_on, depth: TABLEBASE_DEPTH, best: None, eval: None, nodes: 1 };
        self.store(node.key, node.ply, result);
        Some(score)
    }
}

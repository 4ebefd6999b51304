//! Endgame tables in the search: a capture or a pawn move that leads into them ends the line.

use mnemon_table::{Score, Window};

use super::node::Node;
use super::worker::{CLEAN, DRAW, Kept, Worker};
use crate::tablebase::{Tablebase, Verdict};

/// Won, as the tables say: below every mate that a search has seen to its end, and above everything else.
pub(crate) const TABLE_WIN: Score = 14_500;

/// No search changes what a table says.
const TABLEBASE_DEPTH: i32 = 100;

impl Worker<'_> {
    /// What the tables say of a node. They know no move counter, so they are asked where it stands at 0; and nothing
    /// before such a node can come back, so the score is the position's own.
    pub(super) fn decided_by_tables(&mut self, node: &Node<'_>) -> Option<Score> {
        let tables = self.tables?;
        if node.ply == 0 || node.position.halfmove_clock() != 0 {
            return None;
        }
        self.decided(node, tables)
    }

    #[inline(never)]
    fn decided(&mut self, node: &Node<'_>, tables: &Tablebase) -> Option<Score> {
        let verdict = tables.probe(node.position)?;
        self.control.note_table_hit();
        let (score, window) = match verdict {
            Verdict::Win => (TABLE_WIN, Window::at_least(TABLE_WIN)),
            Verdict::Loss => (-TABLE_WIN, Window::at_most(-TABLE_WIN)),
            Verdict::BlessedLoss | Verdict::Draw | Verdict::CursedWin => (DRAW, Window::exact(DRAW)),
        };
        self.depends_on = CLEAN;
        self.keep(node.key, node.ply, Kept { window, depth: TABLEBASE_DEPTH, best: None, eval: None, nodes: 1 });
        Some(score)
    }
}

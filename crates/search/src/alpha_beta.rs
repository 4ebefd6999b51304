//! Alpha-beta with the table, in two forms: plain negamax and principal variation search.

use mnemon_table::replace::Replace;
use mnemon_table::{Layout, Score};

use crate::limits::Stopped;
use crate::node::{BestSoFar, Node};
use crate::searcher::Searcher;
use crate::{Game, PathScore};

/// Negamax: every move gets the whole window.
pub(crate) const NEGAMAX: bool = false;
/// Principal variation search: the first move gets the whole window; the others get a null window, to show that they
/// are no better, and are searched again if they are.
pub(crate) const PVS: bool = true;

impl<G: Game, L: Layout, R: Replace> Searcher<'_, G, L, R> {
    /// The score of the position for its side to move, searched to `depth`, with [`NEGAMAX`] or [`PVS`] as `FORM`.
    ///
    /// Fail-soft: if the score is <= alpha, the true value is <= score; if it is >= beta, the value is >= score;
    /// otherwise the score is exact.
    pub(crate) fn alpha_beta<const FORM: bool>(
        &mut self,
        position: &G,
        depth: u8,
        alpha: Score,
        beta: Score,
        ply: u16,
    ) -> Result<PathScore, Stopped> {
        self.count_node(ply)?;
        if let Some(score) = self.terminal_score(position, ply) {
            return Ok(score);
        }
        if depth == 0 {
            return Ok(self.leaf_score(position, alpha, beta, ply));
        }
        let mut node = Node::new(position, depth, alpha, beta, ply);
        if let Some(score) = self.probe(&mut node) {
            return Ok(score);
        }
        self.path.push(position, ply);
        let mut best = BestSoFar::NONE;
        for (number, mv) in self.ordered_moves(&node).into_iter().enumerate() {
            let alpha = node.alpha.max(best.score);
            let has_null_window = FORM == PVS && number > 0;
            let result = self.search_child::<FORM>(&node, &position.play(mv), alpha, has_null_window)?;
            self.update_best(&node, &mut best, mv, result);
            if best.score >= node.beta {
                break;
            }
        }
        Ok(self.finish_node(&node, &best))
    }

    /// The child's score as its parent sees it, fail-soft with the window from `alpha` to the parent's beta.
    fn search_child<const FORM: bool>(
        &mut self,
        node: &Node<'_, G>,
        child: &G,
        alpha: Score,
        has_null_window: bool,
    ) -> Result<PathScore, Stopped> {
        let (depth, ply) = (node.depth - 1, node.ply + 1);
        if has_null_window {
            let result = -self.alpha_beta::<FORM>(child, depth, -(alpha + 1), -alpha, ply)?;
            if result.score <= alpha || result.score >= node.beta {
                return Ok(result);
            }
        }
        Ok(-self.alpha_beta::<FORM>(child, depth, -node.beta, -alpha, ply)?)
    }
}

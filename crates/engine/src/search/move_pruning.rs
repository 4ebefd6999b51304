//! Pruning of single moves: late move pruning, futility pruning, history pruning, SEE pruning.

use super::node::{Candidate, Node, StaticEval};
use super::reductions::{late_move_pruning_count, reduction};
use super::see::see_ge;
use super::worker::{Worker, has_pieces};

/// Whether a move is searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MovePruning {
    /// It must be searched.
    Search,
    /// It may be pruned.
    Prune,
    /// It may be pruned, and so may the quiet moves after it, whose history is no better.
    PruneQuiets,
}

impl<E> Worker<'_, E> {
    /// Whether a late or bad move may be pruned. Called only once the node has a score that is not a loss.
    pub(super) fn prune_move(&self, node: &Node<'_>, eval: &StaticEval, candidate: &Candidate) -> MovePruning {
        let Node { depth, alpha, .. } = *node;
        let board = node.position.board();
        if !has_pieces(board, board.side_to_move()) {
            return MovePruning::Search;
        }
        let allowed_loss = if candidate.is_quiet && !candidate.gives_check {
            let lmr_depth = (depth - reduction(depth, candidate.number) / 1024 + candidate.history / 16_384).max(0);
            // Late move pruning; a PV node whose evaluation is above alpha keeps its late moves.
            let may_prune_late = !node.is_pv || eval.value <= alpha;
            let is_late = may_prune_late && candidate.number > late_move_pruning_count(depth, eval.improving);
            // Futility pruning: the evaluation and a margin for the remaining depth do not reach alpha.
            let is_futile = i32::from(eval.value) + 110 + 90 * lmr_depth <= i32::from(alpha);
            if is_late || is_futile && !eval.in_check && lmr_depth <= 8 {
                return MovePruning::PruneQuiets;
            }
            // History pruning: the move has failed too often.
            if lmr_depth <= 4 && candidate.history < -3500 * depth {
                return MovePruning::Prune;
            }
            25 * lmr_depth * lmr_depth
        } else if depth <= 5 {
            if candidate.gives_check { 100 * depth } else { 90 * depth }
        } else {
            return MovePruning::Search;
        };
        // SEE pruning: the move loses more by exchanges than its depth allows.
        if candidate.is_safe || see_ge(node.position, candidate.mv, -allowed_loss) {
            MovePruning::Search
        } else {
            MovePruning::Prune
        }
    }
}

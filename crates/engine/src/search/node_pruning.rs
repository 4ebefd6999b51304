//! Pruning of whole nodes: reverse futility pruning, razoring, null-move pruning with verification, ProbCut.

use mnemon_search::{HIGHEST_POINTS, PathDependency, PathScore, WINS};
use mnemon_table::{Score, Window};

use super::control::Stopped;
use super::history::PieceTo;
use super::node::{Node, SearchResult, StaticEval};
use super::picker::Picker;
use super::worker::{NodeResult, Worker, has_pieces};
use crate::eval::Evaluation;

/// Reverse futility pruning up to this depth.
const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// Razoring up to this depth.
const RAZORING_DEPTH: i32 = 3;
/// Null-move pruning from this depth on.
pub(super) const NULL_MOVE_DEPTH: i32 = 3;
/// Null-move cutoffs are verified from this depth on.
const VERIFICATION_DEPTH: i32 = 12;
/// ProbCut from this depth on.
const PROBCUT_DEPTH: i32 = 5;
/// By how much a capture must beat beta in a shallow search to count as a ProbCut.
const PROBCUT_MARGIN: i32 = 180;

/// The score of a pruned node, `None` if its moves must be searched.
type Pruned = Result<Option<PathScore>, Stopped>;

impl<E: Evaluation> Worker<'_, E> {
    /// Prunes a node whose static evaluation is far outside a null window. Fail-soft as [`search`](Self::search);
    /// `None` if the moves must be searched.
    pub(super) fn prune_node(&mut self, node: &Node<'_>, eval: &StaticEval) -> Pruned {
        if node.is_pv || eval.in_check || WINS.is_mate(node.beta) || WINS.is_mate(node.alpha) {
            return Ok(None);
        }
        debug_assert!(node.ply > 0);
        if let Some(score) = self.reverse_futility_pruning(node, eval) {
            return Ok(Some(PathScore::clean(score)));
        }
        if let Some(score) = self.razoring(node, eval)? {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move_pruning(node, eval)? {
            return Ok(Some(score));
        }
        if node.depth < PROBCUT_DEPTH { Ok(None) } else { self.probcut(node, eval) }
    }

    /// Reverse futility pruning: the evaluation beats beta by more than a shallow search is likely to change it.
    fn reverse_futility_pruning(&mut self, node: &Node<'_>, eval: &StaticEval) -> Option<Score> {
        let (value, beta) = (i32::from(eval.value), i32::from(node.beta));
        let margin = 80 * (node.depth - i32::from(eval.improving));
        if node.depth > REVERSE_FUTILITY_DEPTH || value - margin < beta || WINS.is_mate(eval.value) {
            return None;
        }
        self.store_eval(node, eval);
        Some(((value + beta) / 2) as Score)
    }

    /// Stores the evaluation of a node that has no entry: the next iteration needs it again.
    fn store_eval(&self, node: &Node<'_>, eval: &StaticEval) {
        if eval.entry.is_none() {
            let result = NodeResult {
                window: Window::UNKNOWN,
                depends_on: PathDependency::NONE,
                depth: 0,
                best: None,
                eval: eval.raw,
                nodes: 1,
            };
            self.store(node.key, node.ply, result);
        }
    }

    /// Razoring: the evaluation is so far below alpha that only captures can help; if the quiescence search fails low
    /// too, so does the node.
    fn razoring(&mut self, node: &Node<'_>, eval: &StaticEval) -> Pruned {
        let Node { alpha, depth, .. } = *node;
        if depth > RAZORING_DEPTH || i32::from(eval.value) + 200 * depth + 100 >= i32::from(alpha) {
            return Ok(None);
        }
        let result = self.quiescence(node.with_null_window(alpha + 1, 0, false), 0)?;
        Ok((result.score <= alpha).then_some(result))
    }

    /// Null-move pruning, where the evaluation is beta or more.
    fn null_move_pruning(&mut self, node: &Node<'_>, eval: &StaticEval) -> Pruned {
        if node.depth >= NULL_MOVE_DEPTH && eval.value >= node.beta { self.null_move(node, eval) } else { Ok(None) }
    }

    /// If the node fails high even after a null move, a move will make it fail high too. In zugzwang that is wrong, so
    /// deep cutoffs are verified by a search without null moves.
    #[inline(never)]
    fn null_move(&mut self, node: &Node<'_>, eval: &StaticEval) -> Pruned {
        let Node { position, beta, depth, ply, .. } = *node;
        let last_was_null = self.frames[ply - 1].moved.is_none();
        if last_was_null || ply < self.null_move_from || !has_pieces(position.board(), position.side_to_move()) {
            return Ok(None);
        }
        let surplus = (i32::from(eval.value) - i32::from(beta)) / 200;
        let reduced_depth = depth - 4 - depth / 4 - surplus.min(3);
        let searched = self.with_null_move(node, |worker, child| {
            let child = Node::new(child, -beta, -beta + 1, reduced_depth, ply + 1);
            worker.search(Node { is_pv: false, is_cut_node: !node.is_cut_node, ..child })
        });
        let Some(result) = searched else { return Ok(None) };
        let result = -result?;
        if result.score < beta {
            return Ok(None);
        }
        // A mate after a null move is not proved.
        let score = if WINS.is_mate(result.score) { beta } else { result.score };
        if depth < VERIFICATION_DEPTH || self.null_move_from > 0 {
            return Ok(Some(PathScore { score, ..result }));
        }
        self.null_move_from = ply + (3 * reduced_depth.max(1) / 4) as usize + 1;
        let verified = self.search(node.with_null_window(beta, reduced_depth, false));
        self.null_move_from = 0;
        let verified = verified?;
        Ok((verified.score >= beta).then_some(PathScore { score, ..verified }))
    }

    /// ProbCut: a capture that beats beta by a margin in a shallow search will probably beat beta in a deep one.
    #[inline(never)]
    fn probcut(&mut self, node: &Node<'_>, eval: &StaticEval) -> Pruned {
        let Node { position, beta, depth, ply, .. } = *node;
        let raised_beta = i32::from(beta) + PROBCUT_MARGIN;
        let is_refuted = eval
            .entry
            .as_ref()
            .is_some_and(|entry| i32::from(entry.depth) >= depth - 3 && i32::from(entry.window.upper) < raised_beta);
        if is_refuted || raised_beta > i32::from(HIGHEST_POINTS) {
            return Ok(None);
        }
        let raised_beta = raised_beta as Score;
        let threshold = (i32::from(raised_beta) - i32::from(eval.value)).max(1);
        let mut picker = Picker::captures(position.board(), eval.hash_move, threshold, self.take_buffers());
        let prior = self.prior_moves(ply);
        let mut cutoff = None;
        while let Some(mv) = picker.next(&self.picker_context(position, &prior)) {
            let Some(piece) = position.piece_on(mv.from) else { continue };
            let moved = PieceTo::new(position.side_to_move(), piece, mv);
            let result = self.with_move(node, mv, moved, |worker, child| -> SearchResult {
                let child = Node::new(child, -raised_beta, -raised_beta + 1, 0, ply + 1);
                let child = Node { is_pv: false, is_cut_node: !node.is_cut_node, ..child };
                let result = -worker.quiescence(child, 0)?;
                if result.score < raised_beta {
                    return Ok(result);
                }
                Ok(-worker.search(Node { depth: depth - 4, ..child })?)
            })?;
            if result.score >= raised_beta {
                let (window, depends_on) = (Window::at_least(result.score), result.depends_on);
                let stored =
                    NodeResult { window, depends_on, depth: depth - 3, best: Some(mv), eval: eval.raw, nodes: 0 };
                self.store(node.key, ply, stored);
                cutoff = Some(result);
                break;
            }
        }
        self.return_buffers(picker.into_buffers());
        Ok(cutoff)
    }
}

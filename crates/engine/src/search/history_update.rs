//! What a finished node teaches the statistics: killers, countermove, quiet, capture, continuation and correction
//! history.

use cozy_chess::Move;
use mnemon_search::{PathDependency, WINS};
use mnemon_table::Window;

use super::captures::{captured, is_noisy};
use super::history::PieceTo;
use super::node::{BestSoFar, Node, StaticEval};
use super::worker::Worker;

impl<E> Worker<'_, E> {
    /// Correction history: learns by how much the static evaluation missed the score.
    ///
    /// A bound on the wrong side of the evaluation says nothing about its error, nor does a score that a capture, a
    /// mate or the path decided.
    #[inline(never)]
    pub(super) fn update_correction_history(
        &mut self,
        node: &Node<'_>,
        eval: &StaticEval,
        best: &BestSoFar,
        window: Window,
    ) {
        let board = node.position.board();
        let Some(corrected) = self.frames[node.ply].eval else { return };
        let is_noisy = best.mv.is_some_and(|mv| is_noisy(board, mv));
        let is_uninformative = window.upper != window.lower
            && (window.lower != Window::NO_LOWER && best.score <= corrected
                || window.upper != Window::NO_UPPER && best.score >= corrected);
        let is_own = best.depends_on == PathDependency::NONE;
        if !is_noisy && !eval.in_check && !is_uninformative && !WINS.is_mate(best.score) && is_own {
            let raw = eval.raw.unwrap_or(corrected);
            self.history.update_correction(node.position, node.depth, best.score, raw);
        }
    }

    /// After a fail high: a bonus for the move that caused it, a malus for the moves searched before it. A quiet move
    /// becomes killer and countermove.
    #[inline(never)]
    pub(super) fn update_fail_high(&mut self, node: &Node<'_>, mv: Move, best: &BestSoFar) {
        let board = node.position.board();
        let side = board.side_to_move();
        let bonus = bonus(node.depth);
        let malus = bonus + bonus / 3;
        let prior = self.prior_moves(node.ply);
        let frame = &mut self.frames[node.ply];
        if node.ply > 0 {
            frame.cutoff_count = frame.cutoff_count.saturating_add(1);
        }
        if is_noisy(board, mv) {
            self.update_capture_history(node, mv, bonus);
        } else {
            if frame.killers[0] != Some(mv) {
                frame.killers = [Some(mv), frame.killers[0]];
            }
            self.history.set_countermove(prior[0], mv);
            self.update_quiet_history(node, mv, bonus);
            for other in best.quiets.iter() {
                if let Some(piece) = node.position.piece_on(other.from) {
                    self.history.update_quiet(side, other, PieceTo::new(side, piece, other), &prior, -malus);
                }
            }
        }
        for other in best.captures.iter() {
            self.update_capture_history(node, other, -bonus);
        }
    }

    /// After a fail low: a small bonus for the opponent's move that led here. Only for quiet moves of pieces, which the
    /// halfmove clock tells from captures and pawn moves.
    pub(super) fn update_prior_move(&mut self, node: &Node<'_>) {
        if node.ply > 0
            && node.position.halfmove_clock() > 0
            && let Some(moved) = self.frames[node.ply - 1].moved
        {
            let prior = self.prior_moves(node.ply - 1);
            self.history.update_continuation(moved, &prior, bonus(node.depth) / 8);
        }
    }

    /// Quiet and continuation history of one move.
    pub(super) fn update_quiet_history(&mut self, node: &Node<'_>, mv: Move, bonus: i32) {
        let side = node.position.side_to_move();
        let prior = self.prior_moves(node.ply);
        if let Some(piece) = node.position.piece_on(mv.from) {
            self.history.update_quiet(side, mv, PieceTo::new(side, piece, mv), &prior, bonus);
        }
    }

    /// Capture history of one move.
    fn update_capture_history(&mut self, node: &Node<'_>, mv: Move, bonus: i32) {
        let position = node.position;
        if let (Some(piece), Some(victim)) = (position.piece_on(mv.from), captured(position, mv)) {
            self.history.update_capture(PieceTo::new(position.side_to_move(), piece, mv), victim, bonus);
        }
    }
}

/// The history bonus of a cutoff at this depth.
pub(super) fn bonus(depth: i32) -> i32 {
    (186 * depth + 30).min(2_128)
}

//! What a finished node teaches: which moves cut off, and how wrong the evaluation was.

use cozy_chess::Move;
use mnemon_search::WINS;
use mnemon_table::Window;

use super::captures::{captured, is_noisy};
use super::history::Moved;
use super::node::{Best, Node, StaticEval};
use super::worker::{CLEAN, Worker};

impl Worker<'_> {
    /// Corrects the evaluation where the search found it wrong.
    #[inline(never)]
    pub(super) fn learn_error(&mut self, node: &Node<'_>, outlook: &StaticEval, best: &Best, window: Window) {
        let board = node.position.board();
        let Some(eval) = self.frames[node.ply].eval else { return };
        let noisy = best.mv.is_some_and(|mv| is_noisy(board, mv));
        let says_nothing = window.upper != window.lower
            && (window.lower != Window::NO_LOWER && best.score <= eval
                || window.upper != Window::NO_UPPER && best.score >= eval);
        if !noisy && !outlook.in_check && !says_nothing && !WINS.is_mate(best.score) && self.depends_on == CLEAN {
            let raw = outlook.raw_eval.unwrap_or(eval);
            self.history.correct(node.position, node.depth, best.score, raw);
        }
    }

    /// Remembers what cut the node off.
    #[inline(never)]
    pub(super) fn reward(&mut self, node: &Node<'_>, mv: Move, best: &Best) {
        let board = node.position.board();
        let side = board.side_to_move();
        let bonus = bonus(node.depth);
        let blame = bonus + bonus / 3;
        let before = self.before(node.ply);
        if node.ply > 0 {
            let parent = &mut self.frames[node.ply];
            parent.cutoff_count = parent.cutoff_count.saturating_add(1);
        }
        if is_noisy(board, mv) {
            self.update_capture(node, mv, bonus);
        } else {
            let frame = &mut self.frames[node.ply];
            if frame.killers[0] != Some(mv) {
                frame.killers = [Some(mv), frame.killers[0]];
            }
            self.history.set_counter(before[0], mv);
            self.praise_quiet(node, mv, bonus);
            for other in best.quiets.iter() {
                if let Some(piece) = node.position.piece_on(other.from) {
                    self.history.update_quiet(side, other, Moved::new(side, piece, other), &before, -blame);
                }
            }
        }
        for other in best.captures.iter() {
            self.update_capture(node, other, -bonus);
        }
    }

    /// Praises the move that led here a little: nothing was found against it. Only one that took nothing and moved no pawn,
    /// as the counter of such moves shows.
    pub(super) fn update_prior_move(&mut self, node: &Node<'_>) {
        if node.ply > 0
            && node.position.halfmove_clock() > 0
            && let Some(moved) = self.frames[node.ply - 1].moved
        {
            let before = self.before(node.ply - 1);
            self.history.update_continuation(moved, &before, bonus(node.depth) / 8);
        }
    }

    /// Praises a quiet move.
    pub(super) fn praise_quiet(&mut self, node: &Node<'_>, mv: Move, bonus: i32) {
        let side = node.position.side_to_move();
        let before = self.before(node.ply);
        if let Some(piece) = node.position.piece_on(mv.from) {
            self.history.update_quiet(side, mv, Moved::new(side, piece, mv), &before, bonus);
        }
    }

    pub(super) fn update_capture(&mut self, node: &Node<'_>, mv: Move, bonus: i32) {
        let position = node.position;
        if let (Some(piece), Some(taken)) = (position.piece_on(mv.from), captured(position, mv)) {
            self.history.update_capture(Moved::new(position.side_to_move(), piece, mv), taken, bonus);
        }
    }
}

/// What a cutoff at this depth is worth in statistics.
pub(super) fn bonus(depth: i32) -> i32 {
    (186 * depth + 30).min(2_128)
}

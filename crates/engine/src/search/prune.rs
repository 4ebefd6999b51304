//! Leaving out what cannot matter: whole nodes far outside of the window, and moves that come too late or lose too much.

use mnemon_search::WINS;
use mnemon_table::{Score, Window};

use super::control::Stopped;
use super::history::Moved;
use super::node::{Candidate, Node, StaticEval};
use super::picker::Picker;
use super::reductions::{late_move_count, reduction};
use super::see;
use super::worker::{CLEAN, Kept, Worker, has_pieces};

/// Nodes of less depth are not worth a null move.
pub(super) const NULL_MOVE_DEPTH: i32 = 3;
/// Nodes of less depth are not worth the search for a probable cut.
const PROBABLE_CUT_DEPTH: i32 = 5;

impl Worker<'_> {
    /// Cuts the whole node off where its evaluation is far outside of the window.
    pub(super) fn pruned(&mut self, node: &Node<'_>, outlook: &StaticEval) -> Result<Option<Score>, Stopped> {
        let Node { alpha, beta, depth, ply, .. } = *node;
        if node.is_pv || outlook.in_check || WINS.is_mate(beta) || WINS.is_mate(alpha) {
            return Ok(None);
        }
        let eval = i32::from(outlook.eval);
        let margin = 80 * (depth - i32::from(outlook.improving));
        if depth <= 8 && eval - margin >= i32::from(beta) && !WINS.is_mate(outlook.eval) {
            self.depends_on = CLEAN;
            self.keep_eval(node, outlook);
            return Ok(Some(((eval + i32::from(beta)) / 2) as Score));
        }
        if depth <= 3 && eval + 200 * depth + 100 < i32::from(alpha) {
            let score = self.quiescence(node.null_window(alpha + 1, 0, false), 0)?;
            if score <= alpha {
                return Ok(Some(score));
            }
        }
        if depth >= NULL_MOVE_DEPTH
            && outlook.eval >= beta
            && let Some(score) = self.null_move(node, outlook)?
        {
            return Ok(Some(score));
        }
        debug_assert!(ply > 0);
        if depth < PROBABLE_CUT_DEPTH { Ok(None) } else { self.probcut(node, outlook) }
    }

    /// Keeps the evaluation of a node that the table knows nothing of: it comes again in the next iteration.
    fn keep_eval(&self, node: &Node<'_>, outlook: &StaticEval) {
        if outlook.entry.is_none() {
            let kept = Kept { window: Window::UNKNOWN, depth: 0, best: None, eval: outlook.raw_eval, nodes: 1 };
            self.keep(node.key, node.ply, kept);
        }
    }

    /// If even passing the turn is good enough, a move is. Deep cutoffs are verified, since there are positions in which
    /// any move is a burden.
    #[inline(never)]
    fn null_move(&mut self, node: &Node<'_>, outlook: &StaticEval) -> Result<Option<Score>, Stopped> {
        let Node { position, beta, depth, ply, .. } = *node;
        let last_was_null = self.frames[ply - 1].moved.is_none();
        let side = position.side_to_move();
        if last_was_null || ply < self.null_from || !has_pieces(position.board(), side) {
            return Ok(None);
        }
        let Some(child) = position.passed() else { return Ok(None) };
        let surplus = (i32::from(outlook.eval) - i32::from(beta)) / 200;
        let reduced = depth - 4 - depth / 4 - surplus.min(3);
        self.frames[ply].moved = None;
        let below = Node::new(&child, -beta, -beta + 1, reduced, ply + 1);
        let below = Node { is_pv: false, is_cut: !node.is_cut, ..below };
        let score = -self.with_null_move_key(node.key, |worker| worker.search(below))?;
        if score < beta {
            return Ok(None);
        }
        let score = if WINS.is_mate(score) { beta } else { score };
        if depth < 12 || self.null_from > 0 {
            return Ok(Some(score));
        }
        self.null_from = ply + (3 * reduced.max(1) / 4) as usize + 1;
        let verified = self.search(node.null_window(beta, reduced, false));
        self.null_from = 0;
        Ok((verified? >= beta).then_some(score))
    }

    /// A capture that beats beta by a margin in a shallow search will beat it in a deep one.
    #[inline(never)]
    fn probcut(&mut self, node: &Node<'_>, outlook: &StaticEval) -> Result<Option<Score>, Stopped> {
        let Node { position, beta, depth, ply, .. } = *node;
        let raised = i32::from(beta) + 180;
        let refuted = outlook
            .entry
            .as_ref()
            .is_some_and(|entry| i32::from(entry.depth) >= depth - 3 && i32::from(entry.window.upper) < raised);
        if refuted || raised > i32::from(mnemon_search::HIGHEST_POINTS) {
            return Ok(None);
        }
        let raised = raised as Score;
        let board = position.board();
        let threshold = (i32::from(raised) - i32::from(outlook.eval)).max(1);
        let room = self.take_room();
        let mut picker = Picker::captures(board, outlook.hint, threshold, room);
        let before = self.before(ply);
        let mut cut = None;
        while let Some(mv) = picker.next(&self.view(position, &before)) {
            let Some(piece) = position.piece_on(mv.from) else { continue };
            self.frames[ply].moved = Some(Moved::new(board.side_to_move(), piece, mv));
            let child = self.after(position, mv);
            let below =
                Node { is_pv: false, is_cut: !node.is_cut, ..Node::new(&child, -raised, -raised + 1, 0, ply + 1) };
            let mut score = -self.with_path_key(node.key, |worker| worker.quiescence(below, 0))?;
            if score >= raised {
                let below = Node { depth: depth - 4, ..below };
                score = -self.with_path_key(node.key, |worker| worker.search(below))?;
            }
            if score >= raised {
                let kept = Kept {
                    window: Window::at_least(score),
                    depth: depth - 3,
                    best: Some(mv),
                    eval: outlook.raw_eval,
                    nodes: 0,
                };
                self.keep(node.key, ply, kept);
                cut = Some(score);
                break;
            }
        }
        self.give_room(picker.into_room());
        Ok(cut)
    }

    /// Whether a late or bad move may be left out without a search.
    pub(super) fn prune_move(&self, node: &Node<'_>, outlook: &StaticEval, candidate: &Candidate) -> MovePruning {
        let Node { depth, alpha, .. } = *node;
        let board = node.position.board();
        if !has_pieces(board, board.side_to_move()) {
            return MovePruning::Some;
        }
        let may_lose = if candidate.quiet && !candidate.gives_check {
            let reduced = (depth - reduction(depth, candidate.number) / 1024 + candidate.statistic / 16_384).max(0);
            // On the principal variation a node is not given up below what it stands at.
            let is_given_up = !node.is_pv || outlook.eval <= alpha;
            let late = is_given_up && candidate.number > late_move_count(depth, outlook.improving);
            let futile = i32::from(outlook.eval) + 110 + 90 * reduced <= i32::from(alpha);
            if late || futile && !outlook.in_check && reduced <= 8 {
                return MovePruning::NoneForQuiets;
            }
            if reduced <= 4 && candidate.statistic < -3500 * depth {
                return MovePruning::None;
            }
            25 * reduced * reduced
        } else if depth <= 5 {
            if candidate.gives_check { 100 * depth } else { 90 * depth }
        } else {
            return MovePruning::Some;
        };
        if candidate.safe || see::wins(node.position, candidate.mv, -may_lose) {
            MovePruning::Some
        } else {
            MovePruning::None
        }
    }
}

/// What is to be expected of a move without a search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MovePruning {
    /// It must be searched.
    Some,
    /// It may be left out.
    None,
    /// It may be left out, and so may the quiet moves behind it, which come later and have done less.
    NoneForQuiets,
}

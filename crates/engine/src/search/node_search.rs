//! The search of a node: principal variation search, its phases one after the other.
//!
//! ```text
//! search ─► terminal? ─► table cutoff ─► tablebase ─► static eval ─► prune the node ─► move loop ─► finish
//!           draw                                       reverse futility, razoring,     prune moves,
//!           mate distance                              null move, ProbCut              extend, reduce
//! ```
//!
//! Rare paths (root moves, null moves, ProbCut, singular extensions, history updates, tablebase probes) are
//! `#[inline(never)]` or `#[cold]`, so that the hot path fits the instruction cache.

use mnemon_chess::Position;
use mnemon_search::{PathScore, WINS};
use mnemon_table::{Entry, Score, Window};

use super::OpenWindow;
use super::captures::is_noisy;
use super::history_update::bonus;
use super::node::{BestSoFar, Node, SearchResult, StaticEval, hash_move};
use super::node_pruning::NULL_MOVE_DEPTH;
use super::worker::{DRAW, INFINITY, MAX_PLY, NodeResult, Worker, is_recalled};
use crate::eval::Evaluation;

/// Without a hash move, nodes from this depth on are reduced (internal iterative reduction).
const IIR_DEPTH: i32 = 4;
/// With the halfmove clock from here on, the fifty-move rule may decide, which table entries know nothing of.
pub(super) const FIFTY_MOVE_CAUTION: u8 = 90;

impl<E: Evaluation> Worker<'_, E> {
    /// The score of a node and what it depends on.
    ///
    /// Fail-soft: if the score is <= alpha, the true value is <= score; if it is >= beta, the value is >= score;
    /// otherwise the score is exact, all as far as the depth and the pruning go. At depth 0 or less this is the
    /// [quiescence search](Self::quiescence).
    pub(crate) fn search(&mut self, mut node: Node<'_>) -> SearchResult {
        if node.depth <= 0 {
            return self.quiescence(node, 0);
        }
        self.count_node(node.ply)?;
        self.frames[node.ply].line.clear();
        if node.ply > 0
            && let Some(score) = self.terminal_score(&mut node)
        {
            return Ok(score);
        }
        let is_excluding = self.frames[node.ply].excluded.is_some();
        let entry = if is_excluding { None } else { self.probe(node.key, node.ply) };
        if let Some(score) = entry.as_ref().and_then(|entry| self.table_cutoff(&node, entry)) {
            return Ok(PathScore::clean(score));
        }
        if let Some(score) = self.tablebase_score(&node) {
            return Ok(PathScore::clean(score));
        }
        let narrowed = entry.as_ref().and_then(|entry| self.narrowing_window(&node, entry));
        if let Some(window) = narrowed {
            (node.alpha, node.beta) = (node.alpha.max(window.lower), node.beta.min(window.upper));
        }
        let eval = self.static_eval(&node, entry);
        if !is_excluding && let Some(score) = self.prune_node(&node, &eval)? {
            return Ok(score);
        }
        // Internal iterative reduction: the shallower search finds a hash move for the next iteration.
        if eval.hash_move.is_none() && node.depth >= IIR_DEPTH && (node.is_pv || node.is_cut_node) {
            node.depth -= 1;
        }
        let nodes_before = self.nodes;
        let best = self.search_moves(&node, &eval)?;
        let result = self.finish_node(&node, &eval, best, nodes_before);
        let within = |window: Window| result.score.clamp(window.lower, window.upper);
        Ok(PathScore { score: narrowed.map_or(result.score, within), ..result })
    }

    /// The score of a draw or at the maximal ply; otherwise mate distance pruning: the window shrinks to the mates
    /// that are still possible here, and alpha is the score if nothing is left of it. `None` if the node is searched.
    fn terminal_score(&mut self, node: &mut Node<'_>) -> Option<PathScore> {
        if let Some(depends_on) = self.path.draw(node.position, node.key, node.ply) {
            return Some(PathScore { score: DRAW, depends_on });
        }
        if node.ply >= MAX_PLY {
            return Some(PathScore::clean(self.score_at_max_ply(node)));
        }
        node.alpha = node.alpha.max(WINS.lost_at(node.ply as u16));
        node.beta = node.beta.min(-WINS.lost_at(node.ply as u16 + 1));
        (node.alpha >= node.beta).then_some(PathScore::clean(node.alpha))
    }

    /// The static evaluation; a draw in check, where there is none.
    pub(super) fn score_at_max_ply(&mut self, node: &Node<'_>) -> Score {
        if node.position.is_check() { DRAW } else { self.evaluation.evaluate(node.position) }
    }

    /// The static evaluation that the table holds, or a new one.
    pub(super) fn raw_eval(&mut self, position: &Position, entry: Option<&Entry>) -> Score {
        entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluation.evaluate(position))
    }

    /// The score of a table entry that is deep enough and outside the window; `None` if the node must be searched.
    ///
    /// Only the hash move of a tainted entry is used, never its score. In PV nodes only recalled entries cut off, also
    /// with exact scores: what a memory knows is meant to change the line.
    fn table_cutoff(&mut self, node: &Node<'_>, entry: &Entry) -> Option<Score> {
        if !is_usable(node, entry) {
            return None;
        }
        let window = entry.window;
        let score = if node.is_pv
            && let Some(score) = self.open_window.believed(window)
        {
            score
        } else if window.lower >= node.beta || node.is_pv && window.is_exact() {
            window.lower
        } else if window.upper <= node.alpha {
            window.upper
        } else {
            return None;
        };
        if !node.is_before_fifty_moves(score) {
            return None;
        }
        self.note_use(node.key, entry);
        if score >= node.beta
            && let Some(mv) = hash_move(entry)
            && node.position.is_legal(mv)
            && !is_noisy(node.position.board(), mv)
        {
            self.update_quiet_history(node, mv, bonus(node.depth));
        }
        Some(score)
    }

    /// The window of a recalled entry that narrows a PV node's; `None` if it has none or it does not.
    fn narrowing_window(&mut self, node: &Node<'_>, entry: &Entry) -> Option<Window> {
        let narrows = self.open_window == OpenWindow::Narrows && node.is_pv && is_usable(node, entry);
        let is_narrower = entry.window.lower > node.alpha || entry.window.upper < node.beta;
        let window = Some(entry.window).filter(|_| narrows && is_narrower)?;
        self.note_use(node.key, entry);
        Some(window)
    }

    /// Evaluates the node, and keeps the evaluation in its frame, for later plies to compare theirs with.
    fn static_eval(&mut self, node: &Node<'_>, entry: Option<Entry>) -> StaticEval {
        let in_check = node.position.is_check();
        let hash_move = if node.ply == 0 {
            self.root.list.get(self.root.pv_index).map(|root| root.mv)
        } else {
            entry.as_ref().and_then(hash_move)
        };
        if in_check {
            self.frames[node.ply].eval = None;
            return StaticEval { entry, hash_move, in_check, raw: None, value: -INFINITY, improving: false };
        }
        let is_excluding = self.frames[node.ply].excluded.is_some();
        let known = if is_excluding { self.frames[node.ply].eval } else { None };
        if node.depth >= NULL_MOVE_DEPTH {
            self.table.prefetch(node.position.key_after_null_move());
        }
        let raw = self.raw_eval(node.position, entry.as_ref());
        let corrected = known.unwrap_or_else(|| self.corrected_eval(node.position, raw));
        self.frames[node.ply].eval = Some(corrected);
        let earlier = [2, 4].iter().find_map(|&back| self.frames[node.ply.checked_sub(back)?].eval);
        let improving = earlier.is_none_or(|earlier| corrected > earlier);
        let value = self.eval_within_table(corrected, entry.as_ref());
        StaticEval { entry, hash_move, in_check, raw: Some(raw), value, improving }
    }

    /// Turns what the move loop found into the node's score: scores mate and stalemate, updates the statistics, and
    /// stores the result in the table.
    fn finish_node(&mut self, node: &Node<'_>, eval: &StaticEval, mut best: BestSoFar, nodes_before: u64) -> PathScore {
        let Node { alpha, beta, depth, ply, .. } = *node;
        let is_excluding = self.frames[ply].excluded.is_some();
        if best.move_count == 0 {
            let mated = WINS.lost_at(ply as u16);
            return PathScore::clean(if is_excluding {
                alpha
            } else if eval.in_check {
                mated
            } else {
                DRAW
            });
        }
        best.depends_on = best.depends_on.above(ply as u16);
        if best.score >= beta
            && let Some(mv) = best.mv
        {
            self.update_fail_high(node, mv, &best);
        }
        if best.score <= alpha {
            self.update_prior_move(node);
        }
        if is_excluding {
            return PathScore { score: best.score, depends_on: best.depends_on };
        }
        if best.has_pruned {
            // A pruned move may be worth as much as the static evaluation, so the upper bound is not below it.
            best.score = best.score.max(if eval.in_check { alpha } else { eval.value.min(alpha) });
        }
        let window = node.proves(best.score);
        if ply > 0 || self.root.pv_index == 0 && !self.root.is_partial {
            let (depends_on, nodes) = (best.depends_on, self.nodes - nodes_before);
            let result = NodeResult { window, depends_on, depth, best: best.mv, eval: eval.raw, nodes };
            self.store(node.key, ply, result);
        }
        self.update_correction_history(node, eval, &best, window);
        PathScore { score: best.score, depends_on: best.depends_on }
    }
}

/// Whether the window of a table entry holds for a node: it is deep enough, and in PV nodes recalled.
fn is_usable(node: &Node<'_>, entry: &Entry) -> bool {
    let is_believed = !entry.tainted && node.ply > 0 && (!node.is_pv || is_recalled(entry));
    is_believed && i32::from(entry.depth) >= node.depth && node.position.halfmove_clock() < FIFTY_MOVE_CAUTION
}

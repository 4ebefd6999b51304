//! The search of a node: principal variation search, its phases one after the other.
//!
//! ```text
//! search ─► ends here? ─► ask the table ─► evaluate ─► prune the node ─► loop over moves ─► keep the result
//!                                                        null move          prune, extend, reduce, search again
//! ```
//!
//! What few nodes come to (root moves, null moves, probable cuts, singular moves, rewards, endgame tables) is not inlined: the
//! code that every node runs through should fit the processor's cache for instructions.

use mnemon_search::WINS;
use mnemon_table::{Entry, Score};

use super::captures::is_noisy;
use super::node::{Best, Found, Node, StaticEval, hint_of};
use super::prune::NULL_MOVE_DEPTH;
use super::reward::bonus;
use super::worker::{CLEAN, DEEPEST_PLY, Dependence, INFINITY, Kept, Worker, is_recalled};

impl Worker<'_> {
    /// The node's value, if it lies between alpha and beta; otherwise a bound: a score of alpha or less is at least the
    /// value, one of beta or more is at most the value. `depends_on` says afterwards whether it is the position's own.
    pub(crate) fn search(&mut self, mut node: Node<'_>) -> Found {
        if node.depth <= 0 {
            return self.quiescence(node, 0);
        }
        self.enter(node.ply)?;
        self.frames[node.ply].line.clear();
        if node.ply > 0
            && let Some(score) = self.ended(&mut node)
        {
            return Ok(score);
        }
        let excluded = self.frames[node.ply].excluded;
        let entry = if excluded.is_some() { None } else { self.probe(node.key, node.ply) };
        if let Some(score) = entry.as_ref().and_then(|entry| self.cut_by_table(&node, entry)) {
            return Ok(score);
        }
        if let Some(score) = self.decided_by_tables(&node) {
            return Ok(score);
        }
        let outlook = self.outlook(&node, entry);
        if excluded.is_none()
            && let Some(score) = self.pruned(&node, &outlook)?
        {
            return Ok(score);
        }
        if outlook.hint.is_none() && node.depth >= 4 && (node.is_pv || node.is_cut) {
            // Nothing is known of the node: a shallower search first finds the move to begin with.
            node.depth -= 1;
        }
        let nodes_before = self.nodes;
        let best = self.moves(&node, &outlook)?;
        self.finish_node(&node, &outlook, best, nodes_before)
    }

    /// Draws, the end of the stack, and mates that cannot be better than one found already.
    fn ended(&mut self, node: &mut Node<'_>) -> Option<Score> {
        self.depends_on = CLEAN;
        if let Some((score, depends_on)) = self.drawn(node.position, node.key, node.ply) {
            self.depends_on = depends_on;
            return Some(score);
        }
        if node.ply >= DEEPEST_PLY {
            return Some(if node.position.is_check() { 0 } else { self.evaluator.evaluate(node.position.board()) });
        }
        node.alpha = node.alpha.max(WINS.lost_at(node.ply as u16));
        node.beta = node.beta.min(-WINS.lost_at(node.ply as u16 + 1));
        (node.alpha >= node.beta).then_some(node.alpha)
    }

    /// The score that the table proves. Near the fifty-move limit the counter decides, which the table does not know.
    /// A score that a repetition made holds on the path where it was found, so of such an entry only the move is of use.
    /// On the principal variation only a memory is believed: its experience is meant to change the line.
    fn cut_by_table(&mut self, node: &Node<'_>, entry: &Entry) -> Option<Score> {
        let is_searched = entry.tainted || node.ply == 0 || node.is_pv && !is_recalled(entry);
        if is_searched || i32::from(entry.depth) < node.depth || node.position.halfmove_clock() >= 90 {
            return None;
        }
        let window = entry.window;
        let score = if window.lower >= node.beta || node.is_pv && window.is_exact() {
            window.lower
        } else if window.upper <= node.alpha {
            window.upper
        } else {
            return None;
        };
        if !node.is_in_time(score) {
            return None;
        }
        self.depends_on = CLEAN;
        if score >= node.beta
            && let Some(mv) = hint_of(entry)
            && node.position.is_legal(mv)
            && !is_noisy(node.position.board(), mv)
        {
            self.praise_quiet(node, mv, bonus(node.depth));
        }
        Some(score)
    }

    fn outlook(&mut self, node: &Node<'_>, entry: Option<Entry>) -> StaticEval {
        let board = node.position.board();
        let in_check = node.position.is_check();
        let hint = if node.ply == 0 {
            self.root.list.get(self.root.settled).map(|root| root.mv)
        } else {
            entry.as_ref().and_then(hint_of)
        };
        if in_check {
            self.frames[node.ply].eval = None;
            return StaticEval { entry, hint, in_check, raw_eval: None, eval: -INFINITY, improving: false };
        }
        let excluded = self.frames[node.ply].excluded.is_some();
        let known = if excluded { self.frames[node.ply].eval } else { None };
        if node.depth >= NULL_MOVE_DEPTH {
            self.table.prefetch(node.position.key_after_null_move());
        }
        let raw = self.raw_eval(board, entry.as_ref());
        let corrected = known.unwrap_or_else(|| self.corrected(node.position, raw));
        self.frames[node.ply].eval = Some(corrected);
        let before = [2, 4].iter().find_map(|&back| self.frames[node.ply.checked_sub(back)?].eval);
        let improving = before.is_none_or(|before| corrected > before);
        let eval = self.better_known(corrected, entry.as_ref());
        StaticEval { entry, hint, in_check, raw_eval: Some(raw), eval, improving }
    }

    /// Mates and stalemates, statistics, and what is kept in the table.
    fn finish_node(&mut self, node: &Node<'_>, outlook: &StaticEval, mut best: Best, nodes_before: u64) -> Found {
        let Node { alpha, beta, depth, ply, .. } = *node;
        let excluded = self.frames[ply].excluded.is_some();
        if best.count == 0 {
            self.depends_on = CLEAN;
            let lost = WINS.lost_at(ply as u16);
            return Ok(if excluded {
                alpha
            } else if outlook.in_check {
                lost
            } else {
                0
            });
        }
        self.depends_on = if best.depends_on >= ply as Dependence { CLEAN } else { best.depends_on };
        if best.score >= beta
            && let Some(mv) = best.mv
        {
            self.reward(node, mv, &best);
        }
        if best.score <= alpha {
            self.update_prior_move(node);
        }
        if excluded {
            return Ok(best.score);
        }
        if best.is_partial {
            // A move that was left out may keep what the position has.
            best.score = best.score.max(if outlook.in_check { alpha } else { outlook.eval.min(alpha) });
        }
        let window = node.proves(best.score);
        if ply > 0 || self.root.settled == 0 && !self.root.is_partial {
            let nodes = self.nodes - nodes_before;
            self.keep(node.key, ply, Kept { window, depth, best: best.mv, eval: outlook.raw_eval, nodes });
        }
        self.learn_error(node, outlook, &best, window);
        Ok(best.score)
    }
}

//! The move loop of a node: each move is pruned, or extended or reduced and searched as far as its score demands.

use cozy_chess::Move;
use mnemon_chess::Position;
use mnemon_search::{PathScore, WINS};
use mnemon_table::Score;

use super::captures::is_noisy;
use super::checks::Checks;
use super::control::Stopped;
use super::history::PieceTo;
use super::move_pruning::MovePruning;
use super::node::{BestSoFar, Candidate, Node, SearchResult, StaticEval, WIN_THRESHOLD};
use super::picker::Picker;
use super::picker_context::QuietOrdering;
use super::reductions::reduction;
use super::worker::{INFINITY, MAX_PLY, Worker};
use crate::eval::Evaluation;

/// By how much a reduced search must beat alpha for the re-search to go one ply deeper than usual.
const DEEPER_RESEARCH_MARGIN: Score = 60;
/// Singular extensions from this depth on.
const SINGULAR_DEPTH: i32 = 7;
/// How far below beta the alternatives to a singular move must be to extend it by two plies.
const DOUBLE_EXTENSION_MARGIN: Score = 20;
/// A path is not extended by two plies more often than this.
const MAX_DOUBLE_EXTENSIONS: u8 = 6;

impl<E: Evaluation> Worker<'_, E> {
    /// Searches the node's moves, in the picker's order, until one fails high.
    pub(super) fn search_moves(&mut self, node: &Node<'_>, eval: &StaticEval) -> Result<BestSoFar, Stopped> {
        let board = node.position.board();
        let checks = Checks::new(board);
        let prior = self.prior_moves(node.ply);
        let (killers, countermove) = (self.frames[node.ply].killers, self.history.countermove(prior[0]));
        self.frames[node.ply + 1].killers = [None; 2];
        self.frames[node.ply + 1].cutoff_count = 0;
        let ordering = QuietOrdering { killers, countermove, checks };
        let mut picker = Picker::new(board, eval.hash_move, ordering, self.take_buffers());
        let mut best = BestSoFar::none();
        while let Some(mv) = picker.next(&self.picker_context(node.position, &prior)) {
            if Some(mv) == self.frames[node.ply].excluded || node.ply == 0 && !self.root.is_open(mv) {
                continue;
            }
            best.move_count += 1;
            if node.ply == 0 {
                self.begin_root_move(mv, self.root.pv_index + best.move_count as usize);
            }
            let Some(piece) = node.position.piece_on(mv.from) else { continue };
            let moved = PieceTo::new(board.side_to_move(), piece, mv);
            let is_quiet = !is_noisy(board, mv);
            let history = if is_quiet { self.history.quiet(board.side_to_move(), piece, mv, &prior) } else { 0 };
            let gives_check = checks.gives_check(piece, mv);
            let is_safe = is_quiet && picker.is_safe(mv);
            let number = best.move_count;
            let candidate = Candidate { mv, moved, is_quiet, gives_check, is_safe, history, number };
            if node.ply > 0 && best.score > -WIN_THRESHOLD {
                let pruning = self.prune_move(node, eval, &candidate);
                if pruning != MovePruning::Search && !self.leads_to_recalled(node.position, mv, node.ply) {
                    best.has_pruned = true;
                    if pruning == MovePruning::PruneQuiets && !self.may_lead_to_recalled(node.ply) {
                        picker.skip_quiets();
                    }
                    continue;
                }
            }
            if let Some(next) = picker.next_quiet() {
                // The table's entry for the next move's child is fetched from memory while this move is searched.
                self.table.prefetch(node.position.prefetch_key_after_quiet(next));
            }
            let nodes_before = self.nodes;
            let alpha = node.alpha.max(best.score);
            let result = self.search_move(node, eval, &candidate, alpha)?;
            self.update_best(node, &mut best, &candidate, result, alpha, nodes_before);
            if best.score >= node.beta {
                break;
            }
        }
        self.return_buffers(picker.into_buffers());
        Ok(best)
    }

    /// The score of a move for the side that makes it, fail-soft as [`search`](Self::search) with the window from
    /// `alpha` to the node's beta.
    fn search_move(&mut self, node: &Node<'_>, eval: &StaticEval, candidate: &Candidate, alpha: Score) -> SearchResult {
        let extension = self.extension(node, eval, candidate)?;
        let ply = node.ply;
        self.frames[ply + 1].double_extensions = self.frames[ply].double_extensions + u8::from(extension > 1);
        let depth = node.depth - 1 + extension;
        self.with_move(node, candidate.mv, candidate.moved, |worker, child| {
            let child = Node::new(child, -(alpha + 1), -alpha, depth, ply + 1);
            worker.search_with_lmr(node, eval, candidate, Node { is_pv: false, is_cut_node: true, ..child })
        })
    }

    /// Late move reduction and principal variation search: a late move is searched with less depth and a null window
    /// (`child`); if it beats alpha, to full depth; if it does so again in a PV node, with the open window. Fail-soft as
    /// [`search_move`](Self::search_move).
    fn search_with_lmr(
        &mut self,
        node: &Node<'_>,
        eval: &StaticEval,
        candidate: &Candidate,
        child: Node<'_>,
    ) -> SearchResult {
        let alpha = -child.beta;
        let open = Node { alpha: -node.beta, is_pv: true, is_cut_node: false, ..child };
        if candidate.number == 1 && node.is_pv {
            return Ok(-self.search(open)?);
        }
        let depth = child.depth;
        let mut result;
        if node.depth >= 2 && candidate.number > 1 + i32::from(node.is_pv) {
            let less = self.late_move_reduction(node, eval, candidate, child.position);
            let reduced = (depth - less).clamp(1, depth.max(1));
            result = -self.search(Node { depth: reduced, ..child })?;
            if result.score > alpha && reduced < depth {
                let depth = depth + i32::from(result.score > alpha + DEEPER_RESEARCH_MARGIN);
                result = -self.search(Node { depth, is_cut_node: !node.is_cut_node, ..child })?;
            }
        } else {
            result = -self.search(Node { is_cut_node: !node.is_cut_node, ..child })?;
        }
        if node.is_pv && result.score > alpha && (result.score < node.beta || node.ply == 0) {
            result = -self.search(open)?;
        }
        Ok(result)
    }

    /// By how many plies a late move is reduced.
    fn late_move_reduction(&self, node: &Node<'_>, eval: &StaticEval, candidate: &Candidate, child: &Position) -> i32 {
        let mut reduction = reduction(node.depth, candidate.number);
        reduction -= 1024 * i32::from(node.is_pv);
        reduction += 1400 * i32::from(node.is_cut_node);
        reduction += 800 * i32::from(!eval.improving);
        reduction -= 2048 * i32::from(child.is_check());
        reduction += 700 * i32::from(self.frames[node.ply + 1].cutoff_count > 3);
        let hash_move_is_noisy = eval.hash_move.is_some_and(|mv| is_noisy(node.position.board(), mv));
        if candidate.is_quiet {
            reduction += 900 * i32::from(hash_move_is_noisy);
            reduction -= candidate.history / 16;
        } else {
            reduction -= 1024;
        }
        reduction / 1024
    }

    /// By how many plies a move is extended: a singular hash move by one or two; by a negative number where the
    /// search for alternatives makes the hash move look less important.
    fn extension(&mut self, node: &Node<'_>, eval: &StaticEval, candidate: &Candidate) -> Result<i32, Stopped> {
        let Node { depth, ply, .. } = *node;
        let Some(entry) = eval.entry.as_ref() else { return Ok(0) };
        let lower = entry.window.lower;
        let may_be_singular = ply > 0
            && depth >= SINGULAR_DEPTH
            && Some(candidate.mv) == eval.hash_move
            && self.frames[ply].excluded.is_none()
            && i32::from(entry.depth) >= depth - 3
            && lower > -WIN_THRESHOLD
            && !WINS.is_mate(lower);
        if !may_be_singular || ply >= MAX_PLY / 2 + depth as usize {
            return Ok(0);
        }
        self.singular_extension(node, candidate, lower)
    }

    /// Singular extension: a search without the hash move shows whether all other moves stay well below the hash
    /// move's lower bound.
    #[inline(never)]
    fn singular_extension(&mut self, node: &Node<'_>, candidate: &Candidate, lower: Score) -> Result<i32, Stopped> {
        let Node { depth, ply, .. } = *node;
        let beta = lower - (2 * depth) as Score;
        self.frames[ply].excluded = Some(candidate.mv);
        let result = self.search(node.with_null_window(beta, (depth - 1) / 2, node.is_cut_node));
        self.frames[ply].excluded = None;
        let PathScore { score, .. } = result?;
        if score < beta {
            let is_double = !node.is_pv
                && score < beta - DOUBLE_EXTENSION_MARGIN
                && self.frames[ply].double_extensions <= MAX_DOUBLE_EXTENSIONS;
            return Ok(1 + i32::from(is_double));
        }
        Ok(if lower >= node.beta {
            -2
        } else if node.is_cut_node {
            -1
        } else {
            0
        })
    }

    /// Takes over the score of a move.
    fn update_best(
        &mut self,
        node: &Node<'_>,
        best: &mut BestSoFar,
        candidate: &Candidate,
        result: PathScore,
        alpha: Score,
        nodes_before: u64,
    ) {
        let (mv, score) = (candidate.mv, result.score);
        if node.ply == 0 {
            self.update_root_move(best, mv, result, alpha, nodes_before);
        }
        best.add_dependency(result, node.beta);
        if score > best.score {
            best.score = score;
            if score > alpha {
                best.mv = Some(mv);
                if node.is_pv {
                    self.set_line(node.ply, mv);
                }
            }
        }
        if score < node.beta {
            if candidate.is_quiet {
                best.quiets.push(mv);
            } else {
                best.captures.push(mv);
            }
        }
    }

    /// Notes the score and line of a root move, if it is the first or better than all before it.
    #[cold]
    fn update_root_move(&mut self, best: &BestSoFar, mv: Move, result: PathScore, alpha: Score, nodes_before: u64) {
        let (nodes, seldepth, tainted) = (self.nodes - nodes_before, self.seldepth, result.depends_on.taints(0));
        let line = &self.frames[1].line;
        let Some(root) = self.root.list.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if best.move_count == 1 || result.score > alpha {
            root.score = result.score;
            root.seldepth = seldepth;
            root.tainted = tainted;
            root.line.clear();
            root.line.push(mv);
            root.line.extend_from_slice(line);
        } else {
            root.score = -INFINITY;
        }
    }
}

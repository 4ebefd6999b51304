//! The loop over a node's moves: each is extended or reduced, searched as far as its score demands, and weighed.

use cozy_chess::Move;
use mnemon_search::WINS;
use mnemon_table::Score;

use super::captures::is_noisy;
use super::checks::Checks;
use super::control::Stopped;
use super::history::Moved;
use super::node::{Best, Candidate, Found, Node, StaticEval, WINS_FLOOR};
use super::picker::{Hints, Picker};
use super::prune::MovePruning;
use super::reductions::reduction;
use super::worker::{DEEPEST_PLY, INFINITY, Worker};
use mnemon_chess::Position;

/// By how much a late move must beat alpha to be searched deeper than others.
const DEEPER_RESEARCH_MARGIN: Score = 60;

impl Worker<'_> {
    /// The loop over the moves.
    pub(super) fn moves(&mut self, node: &Node<'_>, outlook: &StaticEval) -> Result<Best, Stopped> {
        let board = node.position.board();
        let checks = Checks::new(board);
        let before = self.before(node.ply);
        let (killers, counter) = (self.frames[node.ply].killers, self.history.counter(before[0]));
        self.frames[node.ply + 1].killers = [None; 2];
        self.frames[node.ply + 1].cutoff_count = 0;
        let room = self.take_room();
        let mut picker = Picker::new(board, outlook.hint, Hints { killers, counter, checks }, room);
        let mut best = Best::none();
        while let Some(mv) = picker.next(&self.view(node.position, &before)) {
            if Some(mv) == self.frames[node.ply].excluded || node.ply == 0 && !self.root.is_open(mv) {
                continue;
            }
            best.count += 1;
            if node.ply == 0 {
                self.begin_root_move(mv, self.root.settled + best.count as usize);
            }
            let Some(piece) = node.position.piece_on(mv.from) else { continue };
            let moved = Moved::new(board.side_to_move(), piece, mv);
            let quiet = !is_noisy(board, mv);
            let statistic = if quiet { self.history.quiet(board.side_to_move(), piece, mv, &before) } else { 0 };
            let gives_check = checks.has(piece, mv);
            let safe = quiet && picker.is_safe(mv);
            let candidate = Candidate { mv, moved, quiet, gives_check, safe, statistic, number: best.count };
            if node.ply > 0 && best.score > -WINS_FLOOR {
                let prune_move = self.prune_move(node, outlook, &candidate);
                if prune_move != MovePruning::Some && !self.is_remembered(node.position, mv, node.ply) {
                    best.is_partial = true;
                    if prune_move == MovePruning::NoneForQuiets && !self.may_remember(node.ply) {
                        picker.skip_quiets();
                    }
                    continue;
                }
            }
            if let Some(following) = picker.following() {
                // Fetched while this move is searched: what the table knows of the next one's child comes from far away.
                self.table.prefetch(node.position.prefetch_key_after_quiet(following));
            }
            let nodes_before = self.nodes;
            let alpha = node.alpha.max(best.score);
            let score = self.searched(node, outlook, &candidate, alpha)?;
            self.update_best(node, &mut best, &candidate, score, alpha, nodes_before);
            if best.score >= node.beta {
                break;
            }
        }
        self.give_room(picker.into_room());
        Ok(best)
    }

    /// The score of a move.
    pub(super) fn searched(
        &mut self,
        node: &Node<'_>,
        outlook: &StaticEval,
        candidate: &Candidate,
        alpha: Score,
    ) -> Found {
        let child = self.after(node.position, candidate.mv);
        let extension = self.extension(node, outlook, candidate)?;
        let ply = node.ply;
        self.frames[ply].moved = Some(candidate.moved);
        self.frames[ply + 1].double_extensions = self.frames[ply].double_extensions + u8::from(extension > 1);
        let depth = node.depth - 1 + extension;
        let below = Node { is_pv: false, is_cut: true, ..Node::new(&child, -(alpha + 1), -alpha, depth, ply + 1) };
        let open = Node { alpha: -node.beta, beta: -alpha, is_pv: true, is_cut: false, ..below };
        self.with_path_key(node.key, |worker| worker.search_with_lmr(node, outlook, candidate, below, open))
    }

    /// Reduced first, then to full depth, then with the whole window: as far as the score demands it.
    pub(super) fn search_with_lmr(
        &mut self,
        node: &Node<'_>,
        outlook: &StaticEval,
        candidate: &Candidate,
        below: Node<'_>,
        open: Node<'_>,
    ) -> Found {
        let alpha = -below.beta;
        let first = candidate.number == 1;
        if first && node.is_pv {
            return Ok(-self.search(open)?);
        }
        let mut score = alpha + 1;
        let depth = below.depth;
        if node.depth >= 2 && candidate.number > 1 + i32::from(node.is_pv) {
            let less = self.late_reduction(node, outlook, candidate, below.position);
            let reduced = (depth - less).clamp(1, depth.max(1));
            score = -self.search(Node { depth: reduced, ..below })?;
            if score > alpha && reduced < depth {
                // Much better than expected is worth another ply.
                let depth = depth + i32::from(score > alpha + DEEPER_RESEARCH_MARGIN);
                score = -self.search(Node { depth, is_cut: !node.is_cut, ..below })?;
            }
        } else if !first || !node.is_pv {
            score = -self.search(Node { is_cut: !node.is_cut, ..below })?;
        }
        if node.is_pv && score > alpha && (score < node.beta || node.ply == 0) {
            score = -self.search(open)?;
        }
        Ok(score)
    }

    /// By how many plies a late move is searched less deep.
    pub(super) fn late_reduction(
        &self,
        node: &Node<'_>,
        outlook: &StaticEval,
        candidate: &Candidate,
        child: &Position,
    ) -> i32 {
        let mut less = reduction(node.depth, candidate.number);
        less -= 1024 * i32::from(node.is_pv);
        less += 1400 * i32::from(node.is_cut);
        less += 800 * i32::from(!outlook.improving);
        less -= 2048 * i32::from(child.is_check());
        less += 700 * i32::from(self.frames[node.ply + 1].cutoff_count > 3);
        let hint_is_noisy = outlook.hint.is_some_and(|hint| is_noisy(node.position.board(), hint));
        if candidate.quiet {
            less += 900 * i32::from(hint_is_noisy);
            less -= candidate.statistic / 16;
        } else {
            less -= 1024;
        }
        less / 1024
    }

    /// More depth for a move that is much better than all others, as a search without it shows.
    pub(super) fn extension(
        &mut self,
        node: &Node<'_>,
        outlook: &StaticEval,
        candidate: &Candidate,
    ) -> Result<i32, Stopped> {
        let Node { depth, ply, .. } = *node;
        let Some(entry) = outlook.entry.as_ref() else { return Ok(0) };
        let lower = entry.window.lower;
        let is_singular = ply > 0
            && depth >= 7
            && Some(candidate.mv) == outlook.hint
            && self.frames[ply].excluded.is_none()
            && i32::from(entry.depth) >= depth - 3
            && lower > -WINS_FLOOR
            && !WINS.is_mate(lower);
        if !is_singular || ply >= DEEPEST_PLY / 2 + depth as usize {
            return Ok(0);
        }
        self.singular(node, candidate, lower)
    }

    #[inline(never)]
    fn singular(&mut self, node: &Node<'_>, candidate: &Candidate, lower: Score) -> Result<i32, Stopped> {
        let Node { depth, ply, .. } = *node;
        let beta = lower - (2 * depth) as Score;
        let depends_before = self.depends_on;
        self.frames[ply].excluded = Some(candidate.mv);
        let score = self.search(node.null_window(beta, (depth - 1) / 2, node.is_cut));
        self.frames[ply].excluded = None;
        self.depends_on = depends_before;
        let score = score?;
        if score < beta {
            let much = !node.is_pv && score < beta - 20 && self.frames[ply].double_extensions <= 6;
            return Ok(1 + i32::from(much));
        }
        Ok(if lower >= node.beta {
            -2
        } else if node.is_cut {
            -1
        } else {
            0
        })
    }

    /// Takes the score of a move into account.
    pub(super) fn update_best(
        &mut self,
        node: &Node<'_>,
        best: &mut Best,
        candidate: &Candidate,
        score: Score,
        alpha: Score,
        nodes_before: u64,
    ) {
        let mv = candidate.mv;
        if node.ply == 0 {
            self.weigh_root(best, mv, score, alpha, nodes_before);
        }
        if score >= node.beta {
            // Only the move that cuts off counts.
            best.depends_on = self.depends_on;
        } else {
            best.depends_on = best.depends_on.min(self.depends_on);
        }
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
            if candidate.quiet {
                best.quiets.push(mv);
            } else {
                best.captures.push(mv);
            }
        }
    }

    #[cold]
    fn weigh_root(&mut self, best: &Best, mv: Move, score: Score, alpha: Score, nodes_before: u64) {
        let (nodes, seldepth, tainted) = (self.nodes - nodes_before, self.seldepth, self.depends_on < 0);
        let line = &self.frames[1].line;
        let Some(root) = self.root.list.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if best.count == 1 || score > alpha {
            root.score = score;
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

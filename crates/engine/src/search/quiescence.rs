//! Quiescence search: beyond the depth only forcing moves are searched, until the position is quiet. These are captures
//! and queen promotions, all moves in check, and at the first ply also quiet checks.

use cozy_chess::Move;
use mnemon_chess::piece_value;
use mnemon_search::{PathDependency, PathScore, WINS};
use mnemon_table::{Entry, Score, Window};

use super::captures::{captured, is_noisy};
use super::control::Stopped;
use super::generate::for_each_quiet_check;
use super::history::PieceTo;
use super::node::{Node, SearchResult, WIN_THRESHOLD, hash_move};
use super::node_search::FIFTY_MOVE_CAUTION;
use super::picker::Picker;
use super::picker_context::QuietOrdering;
use super::see::see_ge;
use super::worker::{DRAW, INFINITY, MAX_PLY, NodeResult, Worker, is_recalled};
use crate::eval::Evaluation;

/// Delta pruning: by this much more than its victim's value a capture may improve the score.
const DELTA_MARGIN: i32 = 180;
/// In check, after this many moves no further quiet move is searched.
const MAX_EVASIONS: usize = 2;
/// After this many nodes of one quiescence search its further nodes are only evaluated: with thirty queens on the board the
/// captures would never end. The largest of the benchmark has 127.
const MAX_QUIESCENCE_NODES: u64 = 4_096;

/// The best score that forcing moves have found so far.
struct BestForcing {
    score: Score,
    mv: Option<Move>,
    alpha: Score,
    depends_on: PathDependency,
}

impl<E: Evaluation> Worker<'_, E> {
    /// The score of a node when only forcing moves count, fail-soft as [`search`](Self::search). `plies` says how far
    /// beyond the depth the node stands. After [`MAX_QUIESCENCE_NODES`] it is the static evaluation, also in check.
    pub(crate) fn quiescence(&mut self, node: Node<'_>, plies: i32) -> SearchResult {
        self.count_node(node.ply)?;
        self.frames[node.ply].line.clear();
        let Node { position, key, beta, ply, .. } = node;
        if let Some(depends_on) = self.path.draw(position, key, ply) {
            return Ok(PathScore { score: DRAW, depends_on });
        }
        if ply >= MAX_PLY {
            return Ok(PathScore::clean(self.score_at_max_ply(&node)));
        }
        let entry = self.probe(key, ply);
        if let Some((score, entry)) = entry.as_ref().and_then(|entry| Some((quiescence_cutoff(&node, entry)?, entry))) {
            self.note_use(key, entry);
            return Ok(PathScore::clean(score));
        }
        if plies == 0 {
            self.quiescence_end = self.nodes + MAX_QUIESCENCE_NODES;
        } else if self.nodes >= self.quiescence_end {
            let raw = self.raw_eval(position, entry.as_ref());
            return Ok(PathScore::clean(self.stand_pat(&node, raw, entry.as_ref())));
        }
        let in_check = position.is_check();
        let raw_eval = (!in_check).then(|| self.raw_eval(position, entry.as_ref()));
        let stand_pat = raw_eval.map_or(-INFINITY, |raw| self.stand_pat(&node, raw, entry.as_ref()));
        if stand_pat >= beta {
            if entry.is_none() {
                let result = PathScore::clean(stand_pat);
                self.store_quiescence(&node, Window::at_least(stand_pat), result, None, raw_eval);
            }
            return Ok(PathScore::clean(stand_pat));
        }
        let alpha = node.alpha.max(stand_pat);
        let mut best = BestForcing { score: stand_pat, mv: None, alpha, depends_on: PathDependency::NONE };
        let count = self.search_forcing_moves(&node, &mut best, plies, entry.as_ref().and_then(hash_move))?;
        if in_check && count == 0 {
            return Ok(PathScore::clean(WINS.lost_at(ply as u16)));
        }
        if plies == 0 && !in_check && best.score < beta {
            self.search_quiet_checks(&node, &mut best)?;
        }
        let result = PathScore { score: best.score, depends_on: best.depends_on.above(ply as u16) };
        self.store_quiescence(&node, node.proves(best.score), result, best.mv, raw_eval);
        Ok(result)
    }

    /// The stand-pat score, which the side to move has without a forcing move: the corrected evaluation, within the
    /// table's window.
    fn stand_pat(&self, node: &Node<'_>, raw: Score, entry: Option<&Entry>) -> Score {
        self.eval_within_table(self.corrected_eval(node.position, raw), entry)
    }

    fn store_quiescence(
        &self,
        node: &Node<'_>,
        window: Window,
        result: PathScore,
        best: Option<Move>,
        eval: Option<Score>,
    ) {
        let depends_on = result.depends_on;
        self.store(node.key, node.ply, NodeResult { window, depends_on, depth: 0, best, eval, nodes: 1 });
    }

    /// Searches captures that lose nothing, or all moves in check, until one fails high. Returns how many moves there
    /// were; 0 in check means mate.
    fn search_forcing_moves(
        &mut self,
        node: &Node<'_>,
        best: &mut BestForcing,
        plies: i32,
        hash_move: Option<Move>,
    ) -> Result<usize, Stopped> {
        let board = node.position.board();
        let in_check = node.position.is_check();
        let buffers = self.take_buffers();
        let mut picker = if in_check {
            Picker::new(board, hash_move, QuietOrdering::default(), buffers)
        } else {
            Picker::captures(board, hash_move, 0, buffers)
        };
        let prior = self.prior_moves(node.ply);
        let stand_pat = best.score;
        let mut count = 0;
        while let Some(mv) = picker.next(&self.picker_context(node.position, &prior)) {
            count += 1;
            let is_lost = best.score <= -WIN_THRESHOLD;
            if !is_lost && in_check && count > MAX_EVASIONS && !is_noisy(board, mv) {
                break;
            }
            if !is_lost && !in_check && mv.promotion.is_none() {
                // Delta pruning: even with its victim and a margin the capture does not reach alpha.
                let victim = captured(node.position, mv).map_or(0, piece_value);
                let optimistic = i32::from(stand_pat) + victim + DELTA_MARGIN;
                if optimistic <= i32::from(best.alpha) && !see_ge(node.position, mv, 1) {
                    best.score = best.score.max(optimistic as Score);
                    continue;
                }
            }
            if self.search_forcing_move(node, best, mv, plies)? {
                break;
            }
        }
        self.return_buffers(picker.into_buffers());
        Ok(count)
    }

    /// Searches quiet moves that give check and lose nothing, until one fails high.
    fn search_quiet_checks(&mut self, node: &Node<'_>, best: &mut BestForcing) -> Result<(), Stopped> {
        let board = node.position.board();
        let mut buffers = self.take_buffers();
        buffers.moves.clear();
        for_each_quiet_check(board, |_, from, squares| {
            squares.into_iter().for_each(|to| buffers.moves.push(Move { from, to, promotion: None }, 0));
        });
        while let Some(mv) = buffers.moves.take_best() {
            if see_ge(node.position, mv, 0) && self.search_forcing_move(node, best, mv, 0)? {
                break;
            }
        }
        self.return_buffers(buffers);
        Ok(())
    }

    /// Searches one move and takes over its score. Returns whether it fails high.
    fn search_forcing_move(
        &mut self,
        node: &Node<'_>,
        best: &mut BestForcing,
        mv: Move,
        plies: i32,
    ) -> Result<bool, Stopped> {
        let Node { position, beta, ply, .. } = *node;
        let Some(piece) = position.piece_on(mv.from) else { return Ok(false) };
        let moved = PieceTo::new(position.side_to_move(), piece, mv);
        let alpha = best.alpha;
        let result = -self.with_move(node, mv, moved, |worker, child| {
            let child = Node { is_pv: node.is_pv, ..Node::new(child, -beta, -alpha, 0, ply + 1) };
            worker.quiescence(child, plies + 1)
        })?;
        let PathScore { score, depends_on } = result;
        let fails_high = score >= beta;
        best.depends_on = if fails_high { depends_on } else { best.depends_on.min(depends_on) };
        best.score = best.score.max(score);
        if score > best.alpha {
            best.alpha = score;
            best.mv = Some(mv);
            if node.is_pv {
                self.set_line(ply, mv);
            }
        }
        Ok(fails_high)
    }
}

/// The score of a table entry of any depth that is outside the window; `None` if the node must be searched.
///
/// Tainted entries are not used. In PV nodes only recalled entries cut off, also with exact scores.
fn quiescence_cutoff(node: &Node<'_>, entry: &Entry) -> Option<Score> {
    let Window { lower, upper } = entry.window;
    let is_unusable = entry.tainted || node.is_pv && !is_recalled(entry);
    let is_decisive = lower >= node.beta || upper <= node.alpha || node.is_pv && lower == upper;
    if is_unusable || !is_decisive || node.position.halfmove_clock() >= FIFTY_MOVE_CAUTION {
        return None;
    }
    Some(if upper <= node.alpha { upper } else { lower }).filter(|&score| node.is_before_fifty_moves(score))
}

//! The search beyond the depth: captures until the position is quiet, all moves in check, and checks at first.

use cozy_chess::Move;
use mnemon_search::WINS;
use mnemon_table::{Entry, Score, Window};

use super::captures::{captured, is_noisy};
use super::control::Stopped;
use super::generate::each_quiet_check;
use super::history::Moved;
use mnemon_chess::piece_value;

use super::node::{Node, WINS_FLOOR, hint_of};
use super::picker::{Hints, Picker};
use super::see;
use super::worker::{CLEAN, DEEPEST_PLY, Dependence, INFINITY, Kept, Worker, is_recalled};

/// What forcing moves have given so far.
struct Found {
    best: Score,
    best_move: Option<Move>,
    alpha: Score,
    depends_on: Dependence,
}

impl Worker<'_> {
    /// The value of a node when only forcing moves count, bounded as [`search`](Self::search)'s. `plies` is how far
    /// beyond the depth it stands.
    pub(crate) fn quiescence(&mut self, node: Node<'_>, plies: i32) -> Result<Score, Stopped> {
        self.enter(node.ply)?;
        self.frames[node.ply].line.clear();
        let Node { position, key, beta, ply, .. } = node;
        self.depends_on = CLEAN;
        if let Some((score, depends_on)) = self.drawn(position, key, ply) {
            self.depends_on = depends_on;
            return Ok(score);
        }
        let board = position.board();
        let in_check = position.is_check();
        if ply >= DEEPEST_PLY {
            return Ok(if in_check { 0 } else { self.evaluator.evaluate(board) });
        }
        let entry = self.probe(key, ply);
        if let Some(score) = entry.as_ref().and_then(|entry| self.settled_by_table(&node, entry)) {
            return Ok(score);
        }
        let raw = (!in_check).then(|| self.raw_eval(board, entry.as_ref()));
        let standing = raw.map_or(-INFINITY, |raw| self.standing(&node, raw, entry.as_ref()));
        if standing >= beta {
            if entry.is_none() {
                self.keep_quiet(&node, Window::at_least(standing), None, raw);
            }
            return Ok(standing);
        }
        let mut found = Found { best: standing, best_move: None, alpha: node.alpha.max(standing), depends_on: CLEAN };
        let count = self.forcing_moves(&node, &mut found, plies, entry.as_ref().and_then(hint_of))?;
        if in_check && count == 0 {
            self.depends_on = CLEAN;
            return Ok(WINS.lost_at(ply as u16));
        }
        if plies == 0 && !in_check && found.best < beta {
            self.quiet_checks(&node, &mut found)?;
        }
        let Found { best, best_move, depends_on, .. } = found;
        self.depends_on = if depends_on >= ply as Dependence { CLEAN } else { depends_on };
        self.keep_quiet(&node, node.proves(best), best_move, raw);
        Ok(best)
    }

    /// The score that any entry proves outside of the window, whatever its depth; within it on the principal variation if
    /// a memory says so. What a repetition made proves nothing.
    fn settled_by_table(&mut self, node: &Node<'_>, entry: &Entry) -> Option<Score> {
        let Window { lower, upper } = entry.window;
        let is_searched = entry.tainted || node.is_pv && !is_recalled(entry);
        let proves = lower >= node.beta || upper <= node.alpha || node.is_pv && lower == upper;
        if is_searched || !proves || node.position.halfmove_clock() >= 90 {
            return None;
        }
        self.depends_on = CLEAN;
        Some(if upper <= node.alpha { upper } else { lower }).filter(|&score| node.is_in_time(score))
    }

    /// What the side to move has if it does nothing: the evaluation, or what the table knows better.
    fn standing(&self, node: &Node<'_>, raw: Score, entry: Option<&Entry>) -> Score {
        self.better_known(self.corrected(node.position, raw), entry)
    }

    fn keep_quiet(&self, node: &Node<'_>, window: Window, best: Option<Move>, eval: Option<Score>) {
        self.keep(node.key, node.ply, Kept { window, depth: 0, best, eval, nodes: 1 });
    }

    /// The loop over captures, or over all moves in check. Gives how many there were.
    fn forcing_moves(
        &mut self,
        node: &Node<'_>,
        found: &mut Found,
        plies: i32,
        hint: Option<Move>,
    ) -> Result<usize, Stopped> {
        let board = node.position.board();
        let in_check = node.position.is_check();
        let room = self.take_room();
        let mut picker = if in_check {
            Picker::new(board, hint, Hints::default(), room)
        } else {
            Picker::captures(board, hint, 0, room)
        };
        let before = self.before(node.ply);
        let standing = found.best;
        let mut count = 0;
        while let Some(mv) = picker.next(&self.view(node.position, &before)) {
            count += 1;
            let is_lost = found.best <= -WINS_FLOOR;
            if !is_lost && in_check && count > 2 && !is_noisy(board, mv) {
                break;
            }
            if !is_lost && !in_check && mv.promotion.is_none() {
                let gain = captured(node.position, mv).map_or(0, piece_value);
                let hopes = i32::from(standing) + gain + 180;
                if hopes <= i32::from(found.alpha) && !see::wins(node.position, mv, 1) {
                    found.best = found.best.max(hopes as Score);
                    continue;
                }
            }
            if self.force(node, found, mv, plies)? {
                break;
            }
        }
        self.give_room(picker.into_room());
        Ok(count)
    }

    /// Quiet moves that give check and lose nothing, at the first ply beyond the depth.
    fn quiet_checks(&mut self, node: &Node<'_>, found: &mut Found) -> Result<(), Stopped> {
        let board = node.position.board();
        let mut room = self.take_room();
        room.ranking.clear();
        each_quiet_check(board, |_, from, squares| {
            squares.into_iter().for_each(|to| room.ranking.push(Move { from, to, promotion: None }, 0));
        });
        while let Some(mv) = room.ranking.take_best() {
            if see::wins(node.position, mv, 0) && self.force(node, found, mv, 0)? {
                break;
            }
        }
        self.give_room(room);
        Ok(())
    }

    /// Searches one move and takes its score into account. Says whether it cuts the node off.
    fn force(&mut self, node: &Node<'_>, found: &mut Found, mv: Move, plies: i32) -> Result<bool, Stopped> {
        let Node { position, key, beta, ply, .. } = *node;
        let Some(piece) = position.piece_on(mv.from) else { return Ok(false) };
        self.frames[ply].moved = Some(Moved::new(position.side_to_move(), piece, mv));
        let child = self.after(position, mv);
        let below = Node { is_pv: node.is_pv, ..Node::new(&child, -beta, -found.alpha, 0, ply + 1) };
        let score = -self.with_path_key(key, |worker| worker.quiescence(below, plies + 1))?;
        let cuts = score >= beta;
        found.depends_on = if cuts { self.depends_on } else { found.depends_on.min(self.depends_on) };
        found.best = found.best.max(score);
        if score > found.alpha {
            found.alpha = score;
            found.best_move = Some(mv);
            if node.is_pv {
                self.set_line(ply, mv);
            }
        }
        Ok(cuts)
    }
}

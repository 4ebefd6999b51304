//! The search beyond the depth: captures until the position is quiet, all moves in check, and checks at first.

use mnemon_search::WINS;
use mnemon_table::{Score, Window};

use super::checks::Checks;
use super::control::Stopped;
use super::history::Moved;
use super::node::{Node, hint_of};
use super::picker::{Picker, Refutations, captured, is_noisy};
use super::see;
use super::worker::{BEFORE_ROOT, CLEAN, DEEPEST_PLY, Dependence, INFINITY, Kept, Worker};

/// What the loops over forcing moves have found.
struct Found {
    best: Score,
    best_move: Option<cozy_chess::Move>,
    alpha: Score,
    depends_on: Dependence,
}

impl Worker<'_> {
    /// The value of a node when only forcing moves count, bounded as [`search`](Self::search)'s. `plies` is how far
    /// beyond the depth it stands.
    pub(crate) fn quiescence(&mut self, node: Node<'_>, plies: i32) -> Result<Score, Stopped> {
        self.enter(node.ply)?;
        self.frames[node.ply].line.clear();
        let Node { position, key, mut alpha, beta, ply, .. } = node;
        self.depends_on = CLEAN;
        if let Some((score, depends_on)) = self.drawn(position, key, ply) {
            self.depends_on = depends_on;
            return Ok(score);
        }
        let board = position.board();
        let in_check = position.is_check();
        if ply >= DEEPEST_PLY {
            return Ok(if in_check { 0 } else { crate::eval::evaluate(board) });
        }
        let entry = self.probe(key, ply);
        if let Some(entry) = &entry
            && !node.is_pv
            && position.halfmove_clock() < 90
        {
            let window = entry.window;
            if window.lower >= beta || window.upper <= alpha {
                self.depends_on = if entry.tainted { BEFORE_ROOT } else { CLEAN };
                return Ok(if window.lower >= beta { window.lower } else { window.upper });
            }
        }
        let mut best = -INFINITY;
        let mut raw = None;
        if !in_check {
            let eval = self.raw_eval(board, entry.as_ref());
            raw = Some(eval);
            best = self.corrected(board, eval);
            if let Some(entry) = &entry {
                best = best.max(entry.window.lower).min(entry.window.upper);
            }
            if best >= beta {
                if entry.is_none() {
                    let kept = Kept { window: Window::at_least(best), depth: 0, best: None, eval: raw, nodes: 1 };
                    self.keep(key, ply, kept);
                }
                return Ok(best);
            }
            alpha = alpha.max(best);
        }
        self.forcing_moves(Node { alpha, ..node }, node.alpha, plies, entry.as_ref().and_then(hint_of), best, raw)
    }

    /// The loop over captures, or over all moves in check.
    fn forcing_moves(
        &mut self,
        node: Node<'_>,
        first_alpha: Score,
        plies: i32,
        hint: Option<cozy_chess::Move>,
        standing: Score,
        raw: Option<Score>,
    ) -> Result<Score, Stopped> {
        let Node { position, key, mut alpha, beta, ply, .. } = node;
        let board = position.board();
        let in_check = position.is_check();
        let list = self.take_list();
        let mut picker = if in_check {
            Picker::new(board, hint, Refutations::default(), list)
        } else {
            Picker::captures(board, hint, 0, list)
        };
        let before = self.before(ply);
        let (mut best, mut best_move, mut depends_on) = (standing, None, CLEAN);
        let mut count = 0;
        while let Some(mv) = picker.next(board, self.history, &before) {
            count += 1;
            let quiet = !is_noisy(board, mv);
            if best > -15_000 {
                if in_check && quiet && count > 2 {
                    break;
                }
                if !in_check && mv.promotion.is_none() {
                    let gain = captured(board, mv).map_or(0, see::value);
                    let hopes = i32::from(standing) + gain + 180;
                    if hopes <= i32::from(alpha) && !see::wins(board, mv, 1) {
                        best = best.max(hopes.min(i32::from(alpha)) as Score);
                        continue;
                    }
                }
            }
            let Some(piece) = board.piece_on(mv.from) else { continue };
            self.frames[ply].moved = Some(Moved::new(board.side_to_move(), piece, mv));
            let child = position.after(mv);
            self.table.prefetch(child.hash_key());
            let below = Node { is_pv: node.is_pv, ..Node::new(&child, -beta, -alpha, 0, ply + 1) };
            let score = -self.along(key, |worker| worker.quiescence(below, plies + 1))?;
            depends_on = if score >= beta { self.depends_on } else { depends_on.min(self.depends_on) };
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if node.is_pv {
                        self.set_line(ply, mv);
                    }
                }
            }
            if score >= beta {
                break;
            }
        }
        self.give_list(picker.into_list());
        if plies == 0 && !in_check && best < beta {
            let found = Found { best, best_move, alpha, depends_on };
            Found { best, best_move, alpha: _, depends_on } = self.quiet_checks(&node, found)?;
        }
        if in_check && count == 0 {
            self.depends_on = CLEAN;
            return Ok(WINS.lost_at(ply as u16));
        }
        self.depends_on = if depends_on >= ply as Dependence { CLEAN } else { depends_on };
        let window = if best >= beta {
            Window::at_least(best)
        } else if best <= first_alpha {
            Window::at_most(best)
        } else {
            Window::exact(best)
        };
        self.keep(key, ply, Kept { window, depth: 0, best: best_move, eval: raw, nodes: 1 });
        Ok(best)
    }

    /// Quiet moves that give check and lose nothing, at the first ply beyond the depth.
    fn quiet_checks(&mut self, node: &Node<'_>, mut found: Found) -> Result<Found, Stopped> {
        let Node { position, key, beta, ply, .. } = *node;
        let board = position.board();
        let checks = Checks::new(board);
        let mut moves = Vec::new();
        board.generate_moves(|mut some| {
            some.to &= checks.by(some.piece) & !board.occupied();
            moves.extend(some.into_iter().filter(|mv| mv.promotion.is_none()).map(|mv| (some.piece, mv)));
            false
        });
        for (piece, mv) in moves {
            if !see::wins(board, mv, 0) {
                continue;
            }
            self.frames[ply].moved = Some(Moved::new(board.side_to_move(), piece, mv));
            let child = position.after(mv);
            let below = Node { is_pv: node.is_pv, ..Node::new(&child, -beta, -found.alpha, 0, ply + 1) };
            let score = -self.along(key, |worker| worker.quiescence(below, 1))?;
            found.depends_on = if score >= beta { self.depends_on } else { found.depends_on.min(self.depends_on) };
            if score > found.best {
                found.best = score;
                if score > found.alpha {
                    found.alpha = score;
                    found.best_move = Some(mv);
                    if node.is_pv {
                        self.set_line(ply, mv);
                    }
                }
            }
            if score >= beta {
                break;
            }
        }
        Ok(found)
    }
}

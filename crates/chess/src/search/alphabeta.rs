//! The search of a node: principal variation search, its phases one after the other.
//!
//! ```text
//! search ─► ends here? ─► ask the table ─► evaluate ─► prune the node ─► loop over moves ─► keep the result
//!                                                        null move          prune, extend, reduce, search again
//! ```

use cozy_chess::Move;
use mnemon_search::WINS;
use mnemon_table::{Entry, Score, Window};

use super::checks::Checks;
use super::control::Stopped;
use super::history::Moved;
use super::picker::{Picker, Refutations, captured, is_noisy};
use super::reductions::{late_move_count, reduction};
use super::see;
use super::worker::{CLEAN, DEEPEST_PLY, Dependence, INFINITY, Kept, Worker, has_pieces};
use crate::{Position, from_code};

/// A node that is being searched.
#[derive(Clone, Copy)]
pub(crate) struct Node<'p> {
    pub(crate) position: &'p Position,
    pub(crate) key: u64,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    /// On the principal variation: the window is open.
    pub(crate) is_pv: bool,
    /// Expected to be cut off by its first move.
    pub(crate) is_cut: bool,
}

impl<'p> Node<'p> {
    pub(crate) fn new(position: &'p Position, alpha: Score, beta: Score, depth: i32, ply: usize) -> Self {
        Node { position, key: position.hash_key(), alpha, beta, depth, ply, is_pv: true, is_cut: false }
    }

    /// The same position, searched with a null window.
    fn null_window(self, beta: Score, depth: i32, is_cut: bool) -> Self {
        Node { alpha: beta - 1, beta, depth, is_pv: false, is_cut, ..self }
    }
}

/// What a node knows before it looks at moves.
struct Outlook {
    entry: Option<Entry>,
    hint: Option<Move>,
    in_check: bool,
    raw_eval: Option<Score>,
    /// The static evaluation, or what the table knows better.
    eval: Score,
    /// The side to move is better off than two plies ago.
    improving: bool,
}

/// The best that the loop has found, and what it depends on.
struct Best {
    score: Score,
    mv: Option<Move>,
    depends_on: Dependence,
    quiets: Vec<Move>,
    captures: Vec<Move>,
    count: i32,
}

type Found = Result<Score, Stopped>;

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
        self.concluded(&node, &outlook, best, nodes_before)
    }

    /// Draws, the end of the stack, and mates that cannot be better than one found already.
    fn ended(&mut self, node: &mut Node<'_>) -> Option<Score> {
        self.depends_on = CLEAN;
        if let Some((score, depends_on)) = self.drawn(node.position, node.key, node.ply) {
            self.depends_on = depends_on;
            return Some(score);
        }
        if node.ply >= DEEPEST_PLY {
            return Some(if node.position.is_check() { 0 } else { crate::eval::evaluate(node.position.board()) });
        }
        node.alpha = node.alpha.max(WINS.lost_at(node.ply as u16));
        node.beta = node.beta.min(-WINS.lost_at(node.ply as u16 + 1));
        (node.alpha >= node.beta).then_some(node.alpha)
    }

    /// The score that the table proves. Near the fifty-move limit the counter decides, which the table does not know.
    fn cut_by_table(&mut self, node: &Node<'_>, entry: &Entry) -> Option<Score> {
        if node.is_pv || i32::from(entry.depth) < node.depth || node.position.halfmove_clock() >= 90 {
            return None;
        }
        let window = entry.window;
        let score = if window.lower >= node.beta {
            window.lower
        } else if window.upper <= node.alpha {
            window.upper
        } else {
            return None;
        };
        self.depends_on = if entry.tainted { super::worker::BEFORE_ROOT } else { CLEAN };
        if score >= node.beta
            && let Some(mv) = hint_of(entry)
            && node.position.is_legal(mv)
            && !is_noisy(node.position.board(), mv)
        {
            self.praise_quiet(node, mv, bonus(node.depth));
        }
        Some(score)
    }

    fn outlook(&mut self, node: &Node<'_>, entry: Option<Entry>) -> Outlook {
        let board = node.position.board();
        let in_check = node.position.is_check();
        let hint = if node.ply == 0 {
            self.root.list.get(self.root.settled).map(|root| root.mv)
        } else {
            entry.as_ref().and_then(hint_of)
        };
        if in_check {
            self.frames[node.ply].eval = None;
            return Outlook { entry, hint, in_check, raw_eval: None, eval: -INFINITY, improving: false };
        }
        let excluded = self.frames[node.ply].excluded.is_some();
        let known = if excluded { self.frames[node.ply].eval } else { None };
        let raw = self.raw_eval(board, entry.as_ref());
        let corrected = known.unwrap_or_else(|| self.corrected(board, raw));
        self.frames[node.ply].eval = Some(corrected);
        let before = [2, 4].iter().find_map(|&back| self.frames[node.ply.checked_sub(back)?].eval);
        let improving = before.is_none_or(|before| corrected > before);
        let eval = entry.as_ref().map_or(corrected, |entry| corrected.max(entry.window.lower).min(entry.window.upper));
        Outlook { entry, hint, in_check, raw_eval: Some(raw), eval, improving }
    }

    /// Cuts the whole node off where its evaluation is far outside of the window.
    fn pruned(&mut self, node: &Node<'_>, outlook: &Outlook) -> Result<Option<Score>, Stopped> {
        let Node { alpha, beta, depth, ply, .. } = *node;
        if node.is_pv || outlook.in_check || WINS.is_mate(beta) || WINS.is_mate(alpha) {
            return Ok(None);
        }
        let eval = i32::from(outlook.eval);
        let margin = 80 * (depth - i32::from(outlook.improving));
        if depth <= 8 && eval - margin >= i32::from(beta) && !WINS.is_mate(outlook.eval) {
            self.depends_on = CLEAN;
            return Ok(Some(((eval + i32::from(beta)) / 2) as Score));
        }
        if depth <= 3 && eval + 200 * depth + 100 < i32::from(alpha) {
            let score = self.quiescence(node.null_window(alpha + 1, 0, false), 0)?;
            if score <= alpha {
                return Ok(Some(score));
            }
        }
        if let Some(score) = self.null_move(node, outlook)? {
            return Ok(Some(score));
        }
        debug_assert!(ply > 0);
        self.probable_cut(node, outlook)
    }

    /// If even passing the turn is good enough, a move is. Deep cutoffs are verified, since there are positions in which
    /// any move is a burden.
    fn null_move(&mut self, node: &Node<'_>, outlook: &Outlook) -> Result<Option<Score>, Stopped> {
        let Node { position, beta, depth, ply, .. } = *node;
        let last_was_null = self.frames[ply - 1].moved.is_none();
        let side = position.side_to_move();
        if depth < 3
            || outlook.eval < beta
            || last_was_null
            || ply < self.null_from
            || !has_pieces(position.board(), side)
        {
            return Ok(None);
        }
        let Some(child) = position.passed() else { return Ok(None) };
        let surplus = (i32::from(outlook.eval) - i32::from(beta)) / 200;
        let reduced = depth - 4 - depth / 4 - surplus.min(3);
        self.frames[ply].moved = None;
        let below = Node::new(&child, -beta, -beta + 1, reduced, ply + 1);
        let below = Node { is_pv: false, is_cut: !node.is_cut, ..below };
        let score = -self.along(node.key, |worker| worker.search(below))?;
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
    fn probable_cut(&mut self, node: &Node<'_>, outlook: &Outlook) -> Result<Option<Score>, Stopped> {
        let Node { position, beta, depth, ply, .. } = *node;
        let raised = i32::from(beta) + 180;
        let refuted = outlook
            .entry
            .as_ref()
            .is_some_and(|entry| i32::from(entry.depth) >= depth - 3 && i32::from(entry.window.upper) < raised);
        if depth < 5 || refuted || raised > i32::from(mnemon_search::HIGHEST_POINTS) {
            return Ok(None);
        }
        let raised = raised as Score;
        let board = position.board();
        let threshold = (i32::from(raised) - i32::from(outlook.eval)).max(1);
        let list = self.take_list();
        let mut picker = Picker::captures(board, outlook.hint, threshold, list);
        let before = self.before(ply);
        let mut cut = None;
        while let Some(mv) = picker.next(board, self.history, &before) {
            let Some(piece) = board.piece_on(mv.from) else { continue };
            self.frames[ply].moved = Some(Moved::new(board.side_to_move(), piece, mv));
            let child = position.after(mv);
            let below =
                Node { is_pv: false, is_cut: !node.is_cut, ..Node::new(&child, -raised, -raised + 1, 0, ply + 1) };
            let mut score = -self.along(node.key, |worker| worker.quiescence(below, 0))?;
            if score >= raised && depth > 4 {
                let below = Node { depth: depth - 4, ..below };
                score = -self.along(node.key, |worker| worker.search(below))?;
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
        self.give_list(picker.into_list());
        Ok(cut)
    }

    /// The loop over the moves.
    fn moves(&mut self, node: &Node<'_>, outlook: &Outlook) -> Result<Best, Stopped> {
        let board = node.position.board();
        let checks = Checks::new(board);
        let before = self.before(node.ply);
        let refutations =
            Refutations { killers: self.frames[node.ply].killers, counter: self.history.counter(before[0]) };
        self.frames[node.ply + 1].killers = [None; 2];
        self.frames[node.ply + 1].child_cutoffs = 0;
        let list = self.take_list();
        let mut picker = Picker::new(board, outlook.hint, refutations, list);
        let mut best =
            Best { score: -INFINITY, mv: None, depends_on: CLEAN, quiets: Vec::new(), captures: Vec::new(), count: 0 };
        while let Some(mv) = picker.next(board, self.history, &before) {
            if Some(mv) == self.frames[node.ply].excluded || node.ply == 0 && !self.root.is_open(mv) {
                continue;
            }
            best.count += 1;
            let Some(piece) = board.piece_on(mv.from) else { continue };
            let moved = Moved::new(board.side_to_move(), piece, mv);
            let quiet = !is_noisy(board, mv);
            let statistic = if quiet { self.history.quiet(board.side_to_move(), mv, moved, &before) } else { 0 };
            let gives_check = checks.has(piece, mv);
            let candidate = Candidate { mv, moved, quiet, gives_check, statistic, number: best.count };
            if node.ply > 0 && best.score > -WINS_FLOOR && self.is_hopeless(node, outlook, &candidate) {
                continue;
            }
            let nodes_before = self.nodes;
            let alpha = node.alpha.max(best.score);
            let score = self.searched(node, outlook, &candidate, alpha)?;
            self.weigh(node, &mut best, &candidate, score, alpha, nodes_before);
            if best.score >= node.beta {
                break;
            }
        }
        self.give_list(picker.into_list());
        Ok(best)
    }

    /// Whether a late or bad move may be left out without a search.
    fn is_hopeless(&self, node: &Node<'_>, outlook: &Outlook, candidate: &Candidate) -> bool {
        let Node { depth, alpha, .. } = *node;
        let board = node.position.board();
        if !has_pieces(board, board.side_to_move()) {
            return false;
        }
        let reduced = (depth - reduction(depth, candidate.number) / 1024 + candidate.statistic / 16_384).max(0);
        if candidate.gives_check {
            return depth <= 8 && !see::wins(board, candidate.mv, -100 * depth);
        }
        if candidate.quiet {
            if candidate.number > late_move_count(depth, outlook.improving) {
                return true;
            }
            let futile = i32::from(outlook.eval) + 110 + 90 * reduced <= i32::from(alpha);
            if !outlook.in_check && reduced <= 8 && futile {
                return true;
            }
            if reduced <= 4 && candidate.statistic < -3500 * depth {
                return true;
            }
            return !see::wins(board, candidate.mv, -25 * reduced * reduced);
        }
        depth <= 8 && !see::wins(board, candidate.mv, -90 * depth)
    }

    /// The score of a move.
    fn searched(&mut self, node: &Node<'_>, outlook: &Outlook, candidate: &Candidate, alpha: Score) -> Found {
        let extension = self.extension(node, outlook, candidate)?;
        let ply = node.ply;
        self.frames[ply].moved = Some(candidate.moved);
        self.frames[ply + 1].double_extensions = self.frames[ply].double_extensions + u8::from(extension > 1);
        let child = node.position.after(candidate.mv);
        self.table.prefetch(child.hash_key());
        let depth = node.depth - 1 + extension;
        let below = Node { is_pv: false, is_cut: true, ..Node::new(&child, -(alpha + 1), -alpha, depth, ply + 1) };
        let open = Node { alpha: -node.beta, beta: -alpha, is_pv: true, is_cut: false, ..below };
        self.along(node.key, |worker| worker.descend(node, outlook, candidate, below, open))
    }

    /// Reduced first, then to full depth, then with the whole window: as far as the score demands it.
    fn descend(
        &mut self,
        node: &Node<'_>,
        outlook: &Outlook,
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
                score = -self.search(Node { is_cut: !node.is_cut, ..below })?;
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
    fn late_reduction(&self, node: &Node<'_>, outlook: &Outlook, candidate: &Candidate, child: &Position) -> i32 {
        let mut less = reduction(node.depth, candidate.number);
        less -= 1024 * i32::from(node.is_pv);
        less += 1400 * i32::from(node.is_cut);
        less += 800 * i32::from(!outlook.improving);
        less -= 1024 * i32::from(child.is_check());
        less += 700 * i32::from(self.frames[node.ply + 1].child_cutoffs > 3);
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
    fn extension(&mut self, node: &Node<'_>, outlook: &Outlook, candidate: &Candidate) -> Result<i32, Stopped> {
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
    fn weigh(
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

    fn weigh_root(&mut self, best: &Best, mv: Move, score: Score, alpha: Score, nodes_before: u64) {
        let (nodes, deepest, tainted) = (self.nodes - nodes_before, self.deepest, self.depends_on < 0);
        let line = &self.frames[1].line;
        let Some(root) = self.root.list.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if best.count == 1 || score > alpha {
            root.score = score;
            root.deepest = deepest;
            root.tainted = tainted;
            root.line.clear();
            root.line.push(mv);
            root.line.extend_from_slice(line);
        } else {
            root.score = -INFINITY;
        }
    }

    /// Mates and stalemates, statistics, and what is kept in the table.
    fn concluded(&mut self, node: &Node<'_>, outlook: &Outlook, best: Best, nodes_before: u64) -> Found {
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
            self.reward(node, outlook, mv, &best);
        }
        if excluded {
            return Ok(best.score);
        }
        let window = if best.score >= beta {
            Window::at_least(best.score)
        } else if best.score <= alpha {
            Window::at_most(best.score)
        } else {
            Window::exact(best.score)
        };
        if !(ply == 0 && self.root.settled > 0) {
            let nodes = self.nodes - nodes_before;
            self.keep(node.key, ply, Kept { window, depth, best: best.mv, eval: outlook.raw_eval, nodes });
        }
        self.learn_error(node, outlook, &best, window);
        Ok(best.score)
    }

    /// Corrects the evaluation where the search found it wrong.
    fn learn_error(&mut self, node: &Node<'_>, outlook: &Outlook, best: &Best, window: Window) {
        let board = node.position.board();
        let Some(eval) = self.frames[node.ply].eval else { return };
        let noisy = best.mv.is_some_and(|mv| is_noisy(board, mv));
        let says_nothing = window.upper != window.lower
            && (window.lower != Window::NO_LOWER && best.score <= eval
                || window.upper != Window::NO_UPPER && best.score >= eval);
        if !noisy && !outlook.in_check && !says_nothing && !WINS.is_mate(best.score) && self.depends_on == CLEAN {
            let raw = outlook.raw_eval.unwrap_or(eval);
            self.history.correct(board, node.depth, best.score, raw);
        }
    }

    /// Remembers what cut the node off.
    fn reward(&mut self, node: &Node<'_>, _outlook: &Outlook, mv: Move, best: &Best) {
        let board = node.position.board();
        let side = board.side_to_move();
        let bonus = bonus(node.depth);
        let before = self.before(node.ply);
        if node.ply > 0 {
            let parent = &mut self.frames[node.ply];
            parent.child_cutoffs = parent.child_cutoffs.saturating_add(1);
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
            for &other in &best.quiets {
                if let Some(piece) = board.piece_on(other.from) {
                    self.history.update_quiet(side, other, Moved::new(side, piece, other), &before, -bonus);
                }
            }
        }
        for &other in &best.captures {
            self.update_capture(node, other, -bonus);
        }
    }

    fn praise_quiet(&mut self, node: &Node<'_>, mv: Move, bonus: i32) {
        let board = node.position.board();
        let side = board.side_to_move();
        let before = self.before(node.ply);
        if let Some(piece) = board.piece_on(mv.from) {
            self.history.update_quiet(side, mv, Moved::new(side, piece, mv), &before, bonus);
        }
    }

    fn update_capture(&mut self, node: &Node<'_>, mv: Move, bonus: i32) {
        let board = node.position.board();
        if let (Some(piece), Some(taken)) = (board.piece_on(mv.from), captured(board, mv)) {
            self.history.update_capture(Moved::new(board.side_to_move(), piece, mv), taken, bonus);
        }
    }
}

/// A move about to be searched.
struct Candidate {
    mv: Move,
    moved: Moved,
    quiet: bool,
    gives_check: bool,
    /// What history says of it.
    statistic: i32,
    number: i32,
}

/// Scores from here on are wins.
const WINS_FLOOR: Score = 15_000;

pub(super) fn hint_of(entry: &Entry) -> Option<Move> {
    std::num::NonZeroU16::new(entry.best).and_then(from_code)
}

/// What a cutoff at this depth is worth in statistics.
fn bonus(depth: i32) -> i32 {
    (150 * depth).min(1700)
}

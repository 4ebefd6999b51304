//! One thread's search: the phases of a node that all algorithms share.
//!
//! [Count the node](Searcher::count_node); return where the game [has ended](Searcher::terminal_score) or at a
//! [leaf](Searcher::leaf_score); [probe](Searcher::probe) the table; put the node on the [path](Path::push); search the
//! [ordered moves](Searcher::ordered_moves) in the algorithm's own way; [store](Searcher::finish_node) what was proved.

use mnemon_table::replace::Replace;
use mnemon_table::{Entry, Layout, Lookup, Score, Table, Window};

use crate::limits::{Control, Stopped};
use crate::move_order::MoveOrder;
use crate::node::{BestSoFar, Node};
use crate::path::Path;
use crate::{Game, Keep, PathScore, Search, Stats, WINS};

/// One thread of a search.
pub(crate) struct Searcher<'a, G: Game, L: Layout, R: Replace> {
    table: &'a Table<L, R>,
    lower_bounds: Option<&'a Table<L, R>>,
    keep: Keep,
    hash_moves: bool,
    probe_leaves: bool,
    control: &'a Control<'a>,
    order: MoveOrder<G>,
    pub(crate) path: Path<'a, G>,
    pub(crate) stats: Stats,
    /// The best line found below each ply.
    lines: Vec<Vec<G::Move>>,
    /// Nodes as the replacement scheme counts them: see [`Replace::COUNTS_ALL`].
    work: u64,
    /// The nodes that `control` has counted already.
    nodes_reported: u64,
    /// The node count at which the limits are checked again.
    next_check: u64,
}

impl<'a, G: Game, L: Layout, R: Replace> Searcher<'a, G, L, R> {
    /// A thread of this search. `salt` makes its move order its own; 0 for the main thread.
    pub(crate) fn new(search: &Search<'a, L, R>, control: &'a Control<'a>, salt: u64) -> Self {
        Searcher {
            table: search.table,
            lower_bounds: search.lower_bounds,
            keep: search.keep,
            hash_moves: search.hash_moves,
            probe_leaves: search.probe_leaves,
            control,
            order: MoveOrder::new(salt),
            path: Path::new(search.history),
            stats: Stats::default(),
            lines: Vec::new(),
            work: 0,
            nodes_reported: 0,
            next_check: 0,
        }
    }

    /// Counts a node and clears its line; fails if the search has to stop.
    pub(crate) fn count_node(&mut self, ply: u16) -> Result<(), Stopped> {
        if self.stats.nodes >= self.next_check {
            self.report_nodes()?;
        }
        self.stats.nodes += 1;
        self.work += 1;
        let ply = usize::from(ply);
        if self.lines.len() <= ply {
            self.lines.resize(ply + 1, Vec::new());
        }
        self.lines[ply].clear();
        Ok(())
    }

    /// Adds this thread's new nodes to the shared count; fails if the search has to stop.
    pub(crate) fn report_nodes(&mut self) -> Result<(), Stopped> {
        let new = self.stats.nodes - self.nodes_reported;
        self.nodes_reported = self.stats.nodes;
        self.control.check(new)?;
        self.next_check = self.stats.nodes + self.control.nodes_until_check();
        Ok(())
    }

    /// The score where the game has ended or the path makes it a draw; `None` where it goes on.
    pub(crate) fn terminal_score(&self, position: &G, ply: u16) -> Option<PathScore> {
        if let Some(outcome) = position.outcome() {
            return Some(PathScore::clean(outcome.score(ply)));
        }
        self.path.draw(position, ply).map(|depends_on| PathScore { score: 0, depends_on })
    }

    /// The score at depth 0: the static evaluation. If leaves are probed, it is a table entry's score where that is
    /// decisive, otherwise the evaluation moved into the entry's window.
    pub(crate) fn leaf_score(&mut self, position: &G, alpha: Score, beta: Score, ply: u16) -> PathScore {
        if !self.probe_leaves {
            return PathScore::clean(position.evaluate());
        }
        let mut node = Node::new(position, 0, alpha, beta, ply);
        let cutoff = self.probe(&mut node);
        let Window { lower, upper } = node.table_window;
        cutoff.unwrap_or_else(|| PathScore::clean(position.evaluate().max(lower).min(upper)))
    }

    /// Probes the table: the score if the entry is decisive, `None` if the node must be searched.
    ///
    /// An untainted entry that is deep enough is decisive if it is exact or outside the node's window; otherwise it
    /// narrows the window. Any entry gives the hash move.
    pub(crate) fn probe(&mut self, node: &mut Node<'_, G>) -> Option<PathScore> {
        node.work_before = self.work;
        if self.keep == Keep::Nothing {
            return None;
        }
        let entry = self.lookup(node)?;
        node.hash_move = if self.hash_moves { entry.best } else { 0 };
        if entry.tainted || entry.depth < node.depth {
            return None;
        }
        if node.ply == 0 {
            // The root needs a move: the one behind the entry's score, read together with it, since another thread may
            // replace the entry at any time. An entry without a legal move is of no use here.
            let best = move_with_code(node.position, entry.best)?;
            self.lines[0].push(best);
        }
        let window = WINS.to_root(self.keep.kept(entry.window), node.ply);
        if let Some(score) = self.cutoff_score(window, node) {
            self.work += if R::COUNTS_ALL { entry.nodes } else { 0 };
            return Some(PathScore::clean(score));
        }
        node.table_window = window;
        node.alpha = node.alpha.max(window.lower);
        node.beta = node.beta.min(window.upper);
        None
    }

    /// The table's entry for the position, counted in the statistics.
    fn lookup(&mut self, node: &Node<'_, G>) -> Option<Entry> {
        self.stats.probes += 1;
        let key = node.position.key();
        let found = self.table.lookup(key);
        let entry = match (found, self.lower_bounds) {
            (Lookup::Hit(entry), None) => Some(entry),
            (_, None) => None,
            (Lookup::Hit(upper), Some(table)) => Some(join_bounds(upper, table.probe(key), node.depth)),
            (_, Some(table)) => table.probe(key),
        };
        self.stats.hits += u64::from(entry.is_some());
        self.stats.collisions_avoided += u64::from(entry.is_none() && found == Lookup::Full);
        entry
    }

    /// Stores an entry; with a table for each bound, each bound in its own.
    fn store(&mut self, key: u64, entry: Entry) {
        self.stats.stores += 1;
        let Some(lower_bounds) = self.lower_bounds else { return self.table.store(key, entry) };
        let Window { lower, upper } = entry.window;
        if lower != Window::NO_LOWER {
            lower_bounds.store(key, Entry { window: Window::at_least(lower), ..entry });
        }
        // An entry without bounds still has its move.
        if upper != Window::NO_UPPER || lower == Window::NO_LOWER {
            self.table.store(key, Entry { window: Window::at_most(upper), ..entry });
        }
    }

    /// The score of a window that is exact or outside the node's window, counted in the statistics; `None` for others.
    fn cutoff_score(&mut self, window: Window, node: &Node<'_, G>) -> Option<Score> {
        let (cutoffs, score) = if window.is_exact() {
            (&mut self.stats.exact_cutoffs, window.lower)
        } else if window.lower >= node.beta {
            (&mut self.stats.lower_cutoffs, window.lower)
        } else if window.upper <= node.alpha {
            (&mut self.stats.upper_cutoffs, window.upper)
        } else {
            return None;
        };
        *cutoffs += 1;
        Some(score)
    }

    /// The legal moves, the most promising first.
    pub(crate) fn ordered_moves(&self, node: &Node<'_, G>) -> Vec<G::Move> {
        let mut moves = Vec::new();
        node.position.moves(&mut moves);
        self.order.sort(node.position, &mut moves, node.hash_move, node.ply);
        moves
    }

    /// Takes over the score of a move, and its line if it raises alpha.
    ///
    /// A fail high is proved by its move alone; otherwise the node's score rests on all moves that were searched.
    pub(crate) fn update_best(
        &mut self,
        node: &Node<'_, G>,
        best: &mut BestSoFar<G::Move>,
        mv: G::Move,
        result: PathScore,
    ) {
        let PathScore { score, depends_on } = result;
        best.depends_on = if score >= node.beta { depends_on } else { best.depends_on.min(depends_on) };
        if score <= best.score {
            return;
        }
        (best.score, best.mv) = (score, Some(mv));
        if score > node.alpha
            && let [line, child_line, ..] = &mut self.lines[usize::from(node.ply)..]
        {
            line.clear();
            line.push(mv);
            line.extend_from_slice(child_line);
        }
    }

    /// Stores what the search of the node proved, and returns its score: a lower bound if it fails high, an upper bound
    /// if it fails low, the value otherwise.
    pub(crate) fn finish_node(&mut self, node: &Node<'_, G>, best: &BestSoFar<G::Move>) -> PathScore {
        let (window, best_move) = if best.score >= node.beta {
            if let Some(mv) = best.mv {
                self.order.update_fail_high(mv, node.depth, node.ply);
            }
            (Window::at_least(best.score), best.mv)
        } else if best.score <= node.alpha {
            // Upper bounds do not tell which move is best.
            (Window::at_most(best.score), None)
        } else {
            (Window::exact(best.score), best.mv)
        };
        if self.keep != Keep::Nothing {
            let entry = Entry {
                window: self.keep.kept(WINS.to_node(window, node.ply)),
                depth: node.depth,
                best: best_move.map_or(0, |mv| G::code(mv).get()),
                nodes: self.work - node.work_before,
                tainted: best.depends_on.taints(node.ply),
                ..Entry::default()
            };
            self.store(node.position.key(), entry);
        }
        // The table's entry may be deeper than this search.
        let score = best.score.max(node.table_window.lower).min(node.table_window.upper);
        PathScore { score, depends_on: best.depends_on }
    }

    /// Takes out the line that the last search found.
    pub(crate) fn take_line(&mut self) -> Vec<G::Move> {
        self.lines.first_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Puts back the line of an earlier search.
    pub(crate) fn put_line(&mut self, line: Vec<G::Move>) {
        if let Some(first) = self.lines.first_mut() {
            *first = line;
        }
    }

    /// The principal variation of the last search from `root`, continued by hash moves, to a draw by repetition or to
    /// `depth` plies at the most.
    pub(crate) fn principal_variation(&self, root: &G, depth: u8) -> Vec<G::Move> {
        let found = self.lines.first().map_or(&[][..], Vec::as_slice);
        let mut path = self.path.at_root();
        let mut position = root.clone();
        let mut line = Vec::new();
        for ply in 0..depth.into() {
            let mv = match found.get(usize::from(ply)) {
                Some(&mv) => mv,
                None if path.draw(&position, ply).is_some() => break,
                None => match self.hash_move(&position) {
                    Some(mv) => mv,
                    None => break,
                },
            };
            path.push(&position, ply);
            position = position.play(mv);
            line.push(mv);
        }
        line
    }

    /// The table's best move for the position; `None` if it has no legal one.
    fn hash_move(&self, position: &G) -> Option<G::Move> {
        if self.keep == Keep::Nothing {
            return None;
        }
        let tables = [Some(self.table), self.lower_bounds];
        let mut entries = tables.into_iter().flatten().filter_map(|table| table.probe(position.key()));
        entries.find_map(|entry| move_with_code(position, entry.best))
    }

    /// How full the table is, in per mille.
    pub(crate) fn hashfull(&self) -> u32 {
        self.table.hashfull()
    }
}

/// One entry of those of two tables, for a node of this depth: both bounds where both can be used, otherwise the bound that
/// can, and the move that proved the lower bound.
fn join_bounds(upper: Entry, lower: Option<Entry>, depth: u8) -> Entry {
    let Some(lower) = lower else { return upper };
    let is_usable = |entry: &Entry| !entry.tainted && entry.depth >= depth;
    let both = if is_usable(&upper) && is_usable(&lower) { upper.window.intersect(lower.window) } else { None };
    let best = if lower.best != 0 { lower.best } else { upper.best };
    let deeper = if lower.depth > upper.depth { lower } else { upper };
    let joined = match both {
        Some(window) => Entry { window, depth, ..deeper },
        None if is_usable(&lower) && is_usable(&upper) => deeper,
        None if is_usable(&lower) => lower,
        None => upper,
    };
    Entry { best, ..joined }
}

/// The legal move with this code, if there is one.
fn move_with_code<G: Game>(position: &G, code: u16) -> Option<G::Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().find(|&mv| G::code(mv).get() == code)
}

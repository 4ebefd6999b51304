//! One thread's search: what the algorithms share at every node.
//!
//! A node goes through the same phases in each of them: [`enter`](Searcher::enter) it, stop where the game has
//! [`ended`](Searcher::ended) or at a [`leaf`](Searcher::leaf), [`consult`](Searcher::consult) the table, put it on the [path](Path::step), loop over the
//! [`ordered`](Searcher::ordered) moves in the algorithm's own way, [`record`](Searcher::record) what was proved.

use mnemon_table::replace::Replace;
use mnemon_table::{Entry, Layout, Lookup, Score, Table, Window};

use crate::limits::{Stopped, Watch};
use crate::node::{Found, Node};
use crate::order::Order;
use crate::path::Path;
use crate::path_score::PathScore;
use crate::{Game, Keep, Search, Stats, WINS};

/// One thread at work.
pub(crate) struct Searcher<'a, G: Game, L: Layout, R: Replace> {
    table: &'a Table<L, R>,
    keep: Keep,
    hash_moves: bool,
    probe_leaves: bool,
    watch: &'a Watch<'a>,
    order: Order<G>,
    pub(crate) path: Path<'a, G>,
    pub(crate) stats: Stats,
    /// The best line found below each ply.
    lines: Vec<Vec<G::Move>>,
    /// Nodes as the replacement scheme counts them: see [`Replace::COUNTS_ALL`].
    work: u64,
    nodes_told: u64,
    next_look: u64,
}

impl<'a, G: Game, L: Layout, R: Replace> Searcher<'a, G, L, R> {
    /// A thread of this search. `salt` makes its move order its own; 0 for the main thread.
    pub(crate) fn new(search: &Search<'a, L, R>, watch: &'a Watch<'a>, salt: u64) -> Self {
        Searcher {
            table: search.table,
            keep: search.keep,
            hash_moves: search.hash_moves,
            probe_leaves: search.probe_leaves,
            watch,
            order: Order::new(salt),
            path: Path::new(search.history),
            stats: Stats::default(),
            lines: Vec::new(),
            work: 0,
            nodes_told: 0,
            next_look: 0,
        }
    }

    /// Counts the node, and says whether to go on.
    pub(crate) fn enter(&mut self, ply: u16) -> Result<(), Stopped> {
        if self.stats.nodes >= self.next_look {
            self.tell_nodes()?;
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

    /// Tells the watch about the nodes it does not know of yet.
    pub(crate) fn tell_nodes(&mut self) -> Result<(), Stopped> {
        let new = self.stats.nodes - self.nodes_told;
        self.nodes_told = self.stats.nodes;
        self.watch.look(new)?;
        self.next_look = self.stats.nodes + self.watch.nodes_to_next_look();
        Ok(())
    }

    /// The value where the game ends or is drawn by the way that led here, `None` where it goes on.
    pub(crate) fn ended(&self, position: &G, ply: u16) -> Option<PathScore> {
        if let Some(outcome) = position.outcome() {
            return Some(PathScore::clean(outcome.score(ply)));
        }
        self.path.draws(position, ply).map(|depends_on| PathScore { score: 0, depends_on })
    }

    /// The value where the depth is used up: what the table knows of it if it may be asked, otherwise the static
    /// evaluation, held within what the table knows.
    pub(crate) fn leaf(&mut self, position: &G, alpha: Score, beta: Score, ply: u16) -> PathScore {
        if !self.probe_leaves {
            return PathScore::clean(position.evaluate());
        }
        let mut node = Node::new(position, 0, alpha, beta, ply);
        let known = self.consult(&mut node);
        known.unwrap_or_else(|| PathScore::clean(position.evaluate().max(node.known.lower).min(node.known.upper)))
    }

    /// Asks the table: `Some` value if that settles the node, `None` if it must be searched.
    ///
    /// A clean entry searched deep enough settles the node if it is exact or lies outside of alpha and beta; otherwise
    /// it narrows them. Any entry gives the move to search first.
    pub(crate) fn consult(&mut self, node: &mut Node<'_, G>) -> Option<PathScore> {
        node.work_before = self.work;
        if self.keep == Keep::Nothing {
            return None;
        }
        let entry = self.look(node.position)?;
        node.hint = if self.hash_moves { entry.best } else { 0 };
        if entry.tainted || entry.depth < node.depth {
            return None;
        }
        if node.ply == 0 {
            // The root must answer with a move: the one that stands behind the entry's score, taken at once, since
            // another thread may change the entry at any time. Without one the entry says nothing here.
            let answer = legal_move(node.position, entry.best)?;
            self.lines[0].push(answer);
        }
        let window = WINS.to_root(self.keep.part(entry.window), node.ply);
        if let Some(score) = self.settled(window, node) {
            self.work += if R::COUNTS_ALL { entry.nodes } else { 0 };
            return Some(PathScore::clean(score));
        }
        node.known = window;
        node.alpha = node.alpha.max(window.lower);
        node.beta = node.beta.min(window.upper);
        None
    }

    fn look(&mut self, position: &G) -> Option<Entry> {
        self.stats.probes += 1;
        match self.table.lookup(position.key()) {
            Lookup::Hit(entry) => {
                self.stats.hits += 1;
                Some(entry)
            }
            Lookup::Full => {
                self.stats.collisions_avoided += 1;
                None
            }
            Lookup::Vacant => None,
        }
    }

    /// The score that the window proves between the node's alpha and beta, counted by its kind.
    fn settled(&mut self, window: Window, node: &Node<'_, G>) -> Option<Score> {
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
    pub(crate) fn ordered(&self, node: &Node<'_, G>) -> Vec<G::Move> {
        let mut moves = Vec::new();
        node.position.moves(&mut moves);
        self.order.sort(node.position, &mut moves, node.hint, node.ply);
        moves
    }

    /// Takes the value of a child into account, and its line if it raises alpha.
    ///
    /// A cutoff is proved by its child alone; without one the score stands on all the children that were searched.
    pub(crate) fn improve(&mut self, node: &Node<'_, G>, found: &mut Found<G::Move>, mv: G::Move, value: PathScore) {
        let PathScore { score, depends_on } = value;
        found.depends_on = if score >= node.beta { depends_on } else { found.depends_on.min(depends_on) };
        if score <= found.score {
            return;
        }
        (found.score, found.best) = (score, Some(mv));
        if score > node.alpha
            && let [line, below, ..] = &mut self.lines[usize::from(node.ply)..]
        {
            line.clear();
            line.push(mv);
            line.extend_from_slice(below);
        }
    }

    /// Keeps what the node's search has proved: at a cutoff that the value is at least the score; where no move
    /// reached alpha that it is at most the score; the value itself in between. Gives the node's value.
    pub(crate) fn record(&mut self, node: &Node<'_, G>, found: &Found<G::Move>) -> PathScore {
        let (window, best) = if found.score >= node.beta {
            if let Some(best) = found.best {
                self.order.reward(best, node.depth, node.ply);
            }
            (Window::at_least(found.score), found.best)
        } else if found.score <= node.alpha {
            // Below alpha the scores are bounds only, so no move is known to be best.
            (Window::at_most(found.score), None)
        } else {
            (Window::exact(found.score), found.best)
        };
        if self.keep != Keep::Nothing {
            self.stats.stores += 1;
            let entry = Entry {
                window: self.keep.part(WINS.to_node(window, node.ply)),
                depth: node.depth,
                best: best.map_or(0, |mv| G::code(mv).get()),
                nodes: self.work - node.work_before,
                tainted: found.depends_on.taints(node.ply),
                ..Entry::default()
            };
            self.table.store(node.position.key(), entry);
        }
        // A deeper entry may have known more than this search could see.
        let score = found.score.max(node.known.lower).min(node.known.upper);
        PathScore { score, depends_on: found.depends_on }
    }

    /// The line found by the last search, moved out.
    pub(crate) fn take_line(&mut self) -> Vec<G::Move> {
        self.lines.first_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Puts back the line of an earlier search.
    pub(crate) fn put_line(&mut self, line: Vec<G::Move>) {
        if let Some(first) = self.lines.first_mut() {
            *first = line;
        }
    }

    /// The line of play that the last search from `root` found, led on by the table as far as it knows, to a draw by
    /// repetition or to `depth` plies at the most.
    pub(crate) fn principal_variation(&self, root: &G, depth: u8) -> Vec<G::Move> {
        let known = self.lines.first().map_or(&[][..], Vec::as_slice);
        let mut path = self.path.anew();
        let mut position = root.clone();
        let mut line = Vec::new();
        for ply in 0..depth.into() {
            let mv = match known.get(usize::from(ply)) {
                Some(&mv) => mv,
                None if path.draws(&position, ply).is_some() => break,
                None => match self.remembered_move(&position) {
                    Some(mv) => mv,
                    None => break,
                },
            };
            path.step(&position, ply);
            position = position.play(mv);
            line.push(mv);
        }
        line
    }

    /// The move that the table has for the position.
    fn remembered_move(&self, position: &G) -> Option<G::Move> {
        let entry = if self.keep == Keep::Nothing { None } else { self.table.probe(position.key()) };
        legal_move(position, entry?.best)
    }

    /// How full the table is, in per mille.
    pub(crate) fn hashfull(&self) -> u32 {
        self.table.hashfull()
    }
}

/// The legal move with this code, if there is one.
fn legal_move<G: Game>(position: &G, code: u16) -> Option<G::Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().find(|&mv| G::code(mv).get() == code)
}

//! The alpha-beta search: does the score of a position exceed `alpha`?
//!
//! Every search has the null window `(alpha, alpha + 1)`, so `alpha` is passed alone and the result is one bound.

use crate::bounds;
use crate::expand::{Child, Children, Refutation};
use crate::geometry::Geometry;
use crate::node::{Node, Resolved};
use crate::order::History;
use crate::shared::{CHECK_EVERY, Shared};
use crate::tables::{self, SolverTable};
use crate::technique::{SEPARATE_TABLES, Technique};
use mnemon_table::{Entry, Window};

/// With this many squares left or fewer, searching a position again is cheaper than probing the table.
const SQUARES_WITHOUT_TABLE: u32 = 8;
/// With this many squares left or more, a thread defers positions that another thread is searching.
const SQUARES_TO_SHARE: u32 = 22;
/// With this many stones or more, a mirror image of a searched position is too rare to pay for the mirroring.
const STONES_WITHOUT_MIRROR: u32 = 22;

/// One searching thread. Aligned to its own cache lines: it increments `nodes` at every position, which would otherwise
/// slow down a thread whose worker shares the line (false sharing).
#[repr(align(128))]
pub(crate) struct Worker<'a, const WIDTH: usize, const HEIGHT: usize> {
    table: &'a SolverTable,
    /// Where the lower bounds are, if each bound is in a table of its own.
    pub(crate) lower_bounds: Option<&'a SolverTable>,
    shared: &'a Shared<'a>,
    pub history: History,
    /// Positions searched.
    pub nodes: u64,
    /// The running search was aborted, so that its result is void.
    aborted: bool,
    mirror_below: u32,
}

impl<'a, const WIDTH: usize, const HEIGHT: usize> Worker<'a, WIDTH, HEIGHT> {
    const SQUARES: u32 = Geometry::<WIDTH, HEIGHT>::SQUARES;

    /// A worker for a solve that starts at `root`.
    pub(crate) fn new(table: &'a SolverTable, shared: &'a Shared<'a>, root: &Node<WIDTH, HEIGHT>) -> Self {
        // If a stone of one side mirrors a stone of the other, no two positions below the root are mirror images.
        let mirrored = Geometry::<WIDTH, HEIGHT>::mirror(root.own ^ root.mask);
        let mirror_below = if root.own & mirrored == 0 { STONES_WITHOUT_MIRROR } else { 0 };
        Self { table, lower_bounds: None, shared, history: History::new(), nodes: 0, aborted: false, mirror_below }
    }

    /// Searches the root with the null window `(alpha, alpha + 1)`.
    ///
    /// Returns `None` when the search was aborted, and a bound otherwise: above `alpha`, the score is at least that;
    /// else the score is at most that.
    pub(crate) fn search_root<const OFF: u32>(&mut self, root: &Node<WIDTH, HEIGHT>, alpha: i32) -> Option<i32> {
        self.aborted = false;
        let score = match root.resolve::<true>() {
            Resolved::Known(score) => score,
            Resolved::Open { node, moves, flipped } => {
                let key = self.key_of::<OFF>(&node);
                self.child::<OFF>(&Child { node, moves, key, flipped, ..Child::default() }, alpha)
            }
        };
        (!self.aborted).then_some(score)
    }

    /// Searches a child. Returns the bound from the parent's point of view, with the meaning of [`Worker::search`].
    #[inline(always)]
    fn child<const OFF: u32>(&mut self, child: &Child<WIDTH, HEIGHT>, alpha: i32) -> i32 {
        let score = self.search::<OFF>(&child.node, child.moves, child.key, child.alpha(alpha));
        if child.flipped { -score } else { score }
    }

    /// Searches `node` with the null window `(alpha, alpha + 1)`, seen by its side to move.
    ///
    /// `moves` are the moves that do not lose at once; there is at least one, and the side to move cannot win at once.
    ///
    /// Fail-soft: if the result is above `alpha`, the score is at least the result; otherwise the score is at most the
    /// result. When the search was aborted (`self.aborted`), the result is meaningless.
    fn search<const OFF: u32>(&mut self, node: &Node<WIDTH, HEIGHT>, moves: u64, key: u64, alpha: i32) -> i32 {
        if self.count_and_check() {
            return 0;
        }
        let before = self.nodes;

        // Static limits, narrowed by the transposition table.
        let mut lower = bounds::soonest_loss(Self::SQUARES, node.stones);
        let mut upper = bounds::soonest_win(Self::SQUARES, node.stones);
        let mut hash_move = 0;
        if let Some(entry) = self.probe::<OFF>(node, key) {
            lower = lower.max(i32::from(entry.window.lower));
            upper = upper.min(i32::from(entry.window.upper));
            if lower > alpha {
                return lower;
            }
            if upper <= alpha {
                return upper;
            }
            hash_move = self.hash_move::<OFF>(&entry, node, key);
        }

        // Children that a static bound or the table decides.
        let mut children = Children::none();
        if let Some(Refutation { score, square }) = children.expand::<OFF>(self, node, moves, hash_move, alpha) {
            self.store::<OFF>(node, key, (score, upper), square, 1);
            return score;
        }

        // The remaining children, most promising first.
        let (score, square) = self.search_children::<OFF>(node, &mut children, alpha);
        if self.aborted {
            return 0;
        }
        let window = if score > alpha { (score, upper) } else { (lower, score.min(upper)) };
        self.store::<OFF>(node, key, window, square, self.nodes - before + 1);
        score
    }

    /// Searches the children until one scores above `alpha`.
    ///
    /// Returns the bound for `node`, with the meaning of [`Worker::search`], and the square of the best searched move, 0
    /// when no searched move is better than those that needed no search.
    #[inline(always)]
    fn search_children<const OFF: u32>(
        &mut self,
        node: &Node<WIDTH, HEIGHT>,
        children: &mut Children<WIDTH, HEIGHT>,
        alpha: i32,
    ) -> (i32, u64) {
        let share = Self::SQUARES - node.stones >= SQUARES_TO_SHARE;
        let (mut best, mut best_square, mut tried) = (children.best, 0, 0);
        while let Some(child) = children.take_best() {
            if share && child.weight != i32::MIN && tried != 0 && self.shared.is_busy(child.key) {
                children.defer(child);
                continue;
            }
            if share {
                self.shared.enter(child.key);
            }
            let score = self.child::<OFF>(&child, alpha);
            if share {
                self.shared.leave(child.key);
            }
            if self.aborted {
                break;
            }
            if score > best {
                (best, best_square) = (score, child.square);
            }
            if score > alpha {
                if Technique::History.is_on(OFF) {
                    self.history.reward(node, child.square, tried);
                }
                break;
            }
            tried |= child.square;
        }
        (best, best_square)
    }

    /// Counts a position. Returns true when the search must be aborted.
    #[inline(always)]
    fn count_and_check(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CHECK_EVERY) && self.shared.count() {
            self.aborted = true;
        }
        self.aborted
    }

    /// The table key of a position; a position and its mirror image share it while few stones are on the board.
    #[inline(always)]
    pub(crate) fn key_of<const OFF: u32>(&self, node: &Node<WIDTH, HEIGHT>) -> u64 {
        let packed = node.packed();
        if Technique::Mirror.is_on(OFF) && node.stones < self.mirror_below {
            tables::key(packed.min(Geometry::<WIDTH, HEIGHT>::mirror(packed)))
        } else {
            tables::key(packed)
        }
    }

    /// The table's entry of a position; `None` if there is none, or near the end of the game, where the table is not used.
    #[inline(always)]
    pub(crate) fn probe<const OFF: u32>(&self, node: &Node<WIDTH, HEIGHT>, key: u64) -> Option<Entry> {
        if !Self::uses_table(node) {
            return None;
        }
        let entry = self.table.probe(key);
        if OFF & SEPARATE_TABLES == 0 { entry } else { self.with_lower_bound(entry, key) }
    }

    /// The entry with the lower bound that another table has, and with the move that proved it.
    fn with_lower_bound(&self, entry: Option<Entry>, key: u64) -> Option<Entry> {
        let Some(lower) = self.lower_bounds.and_then(|table| table.probe(key)) else { return entry };
        let Some(entry) = entry else { return Some(lower) };
        let best = if lower.best != 0 { lower.best } else { entry.best };
        Some(Entry { window: Window { lower: lower.window.lower, ..entry.window }, best, ..entry })
    }

    /// Prefetches a child's cache line of the table.
    #[inline(always)]
    pub(crate) fn prefetch(&self, child: &Child<WIDTH, HEIGHT>) {
        if Self::uses_table(&child.node) {
            self.table.prefetch(child.key);
        }
    }

    /// Whether positions with this many stones are probed and stored.
    #[inline(always)]
    const fn uses_table(node: &Node<WIDTH, HEIGHT>) -> bool {
        Self::SQUARES - node.stones > SQUARES_WITHOUT_TABLE
    }

    /// The column of the entry's best move as a mask; 0 when there is none.
    #[inline(always)]
    fn hash_move<const OFF: u32>(&self, entry: &Entry, node: &Node<WIDTH, HEIGHT>, key: u64) -> u64 {
        if !Technique::BestMove.is_on(OFF) || entry.best == 0 {
            return 0;
        }
        let column = usize::from(entry.best) - 1;
        // The entry of a mirror image names the mirror image of the move.
        let mirrored = key != tables::key(node.packed());
        Geometry::<WIDTH, HEIGHT>::column(if mirrored { WIDTH - 1 - column } else { column })
    }

    /// Stores each bound in its table.
    fn store_apart(&self, key: u64, entry: Entry) {
        let Window { lower, upper } = entry.window;
        if let Some(table) = self.lower_bounds
            && lower != Window::NO_LOWER
        {
            table.store(key, Entry { window: Window::at_least(lower), ..entry });
        }
        if upper != Window::NO_UPPER {
            self.table.store(key, Entry { window: Window::at_most(upper), ..entry });
        }
    }

    /// Stores the bounds `(lower, upper)` of a position, the square of its best move (0 for none), and its node count.
    #[inline(always)]
    fn store<const OFF: u32>(
        &self,
        node: &Node<WIDTH, HEIGHT>,
        key: u64,
        (lower, upper): (i32, i32),
        square: u64,
        nodes: u64,
    ) {
        if !Self::uses_table(node) {
            return;
        }
        let mut window = Window { lower: lower as i16, upper: upper as i16 };
        if !Technique::LowerBounds.is_on(OFF) {
            window.lower = Window::NO_LOWER;
        }
        let mut best = 0;
        if Technique::BestMove.is_on(OFF) && square != 0 {
            let column = Geometry::<WIDTH, HEIGHT>::column_of(square);
            let mirrored = key != tables::key(node.packed());
            best = 1 + if mirrored { WIDTH - 1 - column } else { column } as u16;
        }
        let entry = Entry { window, best, nodes, ..Entry::default() };
        if OFF & SEPARATE_TABLES == 0 { self.table.store(key, entry) } else { self.store_apart(key, entry) }
    }
}

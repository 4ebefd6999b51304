//! The inner loop: is the score of this position higher than `alpha`?
//!
//! Every question has a null window, so there is one bound to ask for and no window to carry.

use crate::bounds;
use crate::expand::{Child, Children, Refutation};
use crate::geometry::Geometry;
use crate::node::{Node, Resolved};
use crate::order::History;
use crate::shared::{CHECK_EVERY, Shared};
use crate::tables::{self, SolverTable};
use crate::technique::Technique;
use mnemon_table::{Entry, Window};

/// With so few squares left a position is searched again sooner than it is looked up.
const SQUARES_WITHOUT_TABLE: u32 = 8;
/// With at least so many squares left threads keep out of each other's way.
const SQUARES_TO_SHARE: u32 = 22;
/// From so many stones on mirror images hardly ever meet.
const STONES_WITHOUT_MIRROR: u32 = 22;

/// One searching thread. Each stands on cache lines of its own: it counts at every position, and a neighbour that shared
/// a line with it would wait for it each time.
#[repr(align(128))]
pub(crate) struct Worker<'a, const WIDTH: usize, const HEIGHT: usize> {
    table: &'a SolverTable,
    shared: &'a Shared<'a>,
    pub history: History,
    /// Positions searched.
    pub nodes: u64,
    left: bool,
    mirror_below: u32,
}

impl<'a, const WIDTH: usize, const HEIGHT: usize> Worker<'a, WIDTH, HEIGHT> {
    const SQUARES: u32 = Geometry::<WIDTH, HEIGHT>::SQUARES;

    /// A thread for a solve that starts at `root`.
    pub(crate) fn new(table: &'a SolverTable, shared: &'a Shared<'a>, root: &Node<WIDTH, HEIGHT>) -> Self {
        // No position below the root can be the mirror image of another one when two stones contradict that.
        let mirrored = Geometry::<WIDTH, HEIGHT>::mirror(root.own ^ root.mask);
        let mirror_below = if root.own & mirrored == 0 { STONES_WITHOUT_MIRROR } else { 0 };
        Self { table, shared, history: History::new(), nodes: 0, left: false, mirror_below }
    }

    /// Searches the root: is its score higher than `alpha`?
    ///
    /// Returns `None` when the search was left, and else a bound: above `alpha`, the score is at least that;
    /// otherwise the score is at most that.
    pub(crate) fn root<const OFF: u32>(&mut self, root: &Node<WIDTH, HEIGHT>, alpha: i32) -> Option<i32> {
        self.left = false;
        let score = match root.resolve::<true>() {
            Resolved::Known(score) => score,
            Resolved::Open { node, moves, flipped } => {
                let key = self.key_of::<OFF>(&node);
                self.child::<OFF>(&Child { node, moves, key, flipped, ..Child::default() }, alpha)
            }
        };
        (!self.left).then_some(score)
    }

    /// Searches a child: the bound as its parent sees it, as [`Worker::search`] returns it.
    #[inline(always)]
    fn child<const OFF: u32>(&mut self, child: &Child<WIDTH, HEIGHT>, alpha: i32) -> i32 {
        let score = self.search::<OFF>(&child.node, child.moves, child.key, child.alpha(alpha));
        if child.flipped { -score } else { score }
    }

    /// Is the score of `node`, seen by the side to move there, higher than `alpha`?
    ///
    /// `moves` are the moves that do not lose at once; there is at least one, and the side to move cannot win at once.
    ///
    /// Returns a bound: above `alpha`, the score is at least that; otherwise the score is at most that. When the
    /// search was left (`self.left`) the value means nothing.
    fn search<const OFF: u32>(&mut self, node: &Node<WIDTH, HEIGHT>, moves: u64, key: u64, alpha: i32) -> i32 {
        if self.count_and_check() {
            return 0;
        }
        let before = self.nodes;

        // What is known already.
        let mut lower = bounds::soonest_loss(Self::SQUARES, node.stones);
        let mut upper = bounds::soonest_win(Self::SQUARES, node.stones);
        let mut hint = 0;
        if let Some(entry) = self.probe(node, key) {
            lower = lower.max(i32::from(entry.window.lower));
            upper = upper.min(i32::from(entry.window.upper));
            if lower > alpha {
                return lower;
            }
            if upper <= alpha {
                return upper;
            }
            hint = self.hint::<OFF>(&entry, node, key);
        }

        // What the children show without a search.
        let mut children = Children::none();
        if let Some(Refutation { score, square }) = children.expand::<OFF>(self, node, moves, hint, alpha) {
            self.store::<OFF>(node, key, (score, upper), square, 1);
            return score;
        }

        // The rest is searched, best first.
        let (score, square) = self.search_children::<OFF>(node, &mut children, alpha);
        if self.left {
            return 0;
        }
        let window = if score > alpha { (score, upper) } else { (lower, score.min(upper)) };
        self.store::<OFF>(node, key, window, square, self.nodes - before + 1);
        score
    }

    /// Searches the children until one is worth more than `alpha`.
    ///
    /// Returns the bound for the parent, and the square of the best searched move, 0 when there is none.
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
            if self.left {
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

    /// Counts a position; true when the search is to be left.
    #[inline(always)]
    fn count_and_check(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CHECK_EVERY) && self.shared.count() {
            self.left = true;
        }
        self.left
    }

    /// The table's key of a position; mirror images have the same while that can pay.
    #[inline(always)]
    pub(crate) fn key_of<const OFF: u32>(&self, node: &Node<WIDTH, HEIGHT>) -> u64 {
        let packed = node.packed();
        if Technique::Mirror.is_on(OFF) && node.stones < self.mirror_below {
            tables::key(packed.min(Geometry::<WIDTH, HEIGHT>::mirror(packed)))
        } else {
            tables::key(packed)
        }
    }

    /// What the table knows about a position; `None` near the end of the game, where it is not asked.
    #[inline(always)]
    pub(crate) fn probe(&self, node: &Node<WIDTH, HEIGHT>, key: u64) -> Option<Entry> {
        if Self::uses_table(node) { self.table.probe(key) } else { None }
    }

    /// Starts fetching what the table knows about a child.
    #[inline(always)]
    pub(crate) fn prefetch(&self, child: &Child<WIDTH, HEIGHT>) {
        if Self::uses_table(&child.node) {
            self.table.prefetch(child.key);
        }
    }

    #[inline(always)]
    const fn uses_table(node: &Node<WIDTH, HEIGHT>) -> bool {
        Self::SQUARES - node.stones > SQUARES_WITHOUT_TABLE
    }

    /// The column of the entry's best move, as a mask; 0 when there is none.
    #[inline(always)]
    fn hint<const OFF: u32>(&self, entry: &Entry, node: &Node<WIDTH, HEIGHT>, key: u64) -> u64 {
        if !Technique::BestMove.is_on(OFF) || entry.best == 0 {
            return 0;
        }
        let column = usize::from(entry.best) - 1;
        // The entry of a mirror image names the mirror image of the move.
        let mirrored = key != tables::key(node.packed());
        Geometry::<WIDTH, HEIGHT>::column(if mirrored { WIDTH - 1 - column } else { column })
    }

    /// Keeps the bounds `(lower, upper)` of a position, the square of its best move (0 for none), and the work done.
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
        self.table.store(key, Entry { window, best, nodes, ..Entry::default() });
    }
}

//! The children of a node: those that a static bound or the table decides, and those that must be searched.

use crate::bounds;
use crate::geometry::Geometry;
use crate::node::{Node, Resolved};
use crate::order;
use crate::search::Worker;
use crate::technique::Technique;

/// Above every other weight, so that the hash move is searched first.
const HASH_MOVE: i32 = 1 << 20;

/// A move, and the position after it and the forced moves that follow.
#[derive(Clone, Copy, Default)]
pub(crate) struct Child<const WIDTH: usize, const HEIGHT: usize> {
    pub node: Node<WIDTH, HEIGHT>,
    /// The moves of `node` that do not lose at once.
    pub moves: u64,
    pub key: u64,
    /// The square of the move.
    pub square: u64,
    pub weight: i32,
    /// Whether the side to move in `node` is the parent's opponent.
    pub flipped: bool,
}

impl<const WIDTH: usize, const HEIGHT: usize> Child<WIDTH, HEIGHT> {
    /// The child's bounds `(lower, upper)` from the parent's point of view.
    #[inline(always)]
    const fn parent_bounds(&self, (lower, upper): (i32, i32)) -> (i32, i32) {
        if self.flipped { (-upper, -lower) } else { (lower, upper) }
    }

    /// The parent's `alpha` from the child's point of view: the lower end of its null window.
    #[inline(always)]
    pub(crate) const fn alpha(&self, alpha: i32) -> i32 {
        if self.flipped { -alpha - 1 } else { alpha }
    }
}

/// The children that must be searched, and the best bound of the others.
pub(crate) struct Children<const WIDTH: usize, const HEIGHT: usize> {
    list: [Child<WIDTH, HEIGHT>; WIDTH],
    count: usize,
    /// The highest upper bound of the children that need no search; all of them are at most alpha.
    pub best: i32,
}

/// A move that fails high without a search: the score of the node is at least `score`, which is above alpha.
pub(crate) struct Refutation {
    pub score: i32,
    pub square: u64,
}

impl<const WIDTH: usize, const HEIGHT: usize> Children<WIDTH, HEIGHT> {
    /// No children; `best` is below every score.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Self { list: [Child::default(); WIDTH], count: 0, best: -(Geometry::<WIDTH, HEIGHT>::SQUARES as i32) }
    }

    /// Collects the children of `node` that must be searched to decide whether its score exceeds `alpha`.
    ///
    /// Returns a refutation when forced moves, a static bound or the table prove one; the list is then incomplete.
    /// Returns `None` when no child is decided above `alpha`: the listed ones are to be searched.
    #[inline(always)]
    pub(crate) fn expand<const OFF: u32>(
        &mut self,
        worker: &Worker<'_, WIDTH, HEIGHT>,
        node: &Node<WIDTH, HEIGHT>,
        moves: u64,
        hash_move: u64,
        alpha: i32,
    ) -> Option<Refutation> {
        let mut rest = moves;
        while rest != 0 {
            let square = rest & rest.wrapping_neg();
            rest ^= square;
            let after = node.play(square);
            let mut child = match resolve::<WIDTH, HEIGHT, OFF>(after) {
                Resolved::Known(score) if -score > alpha => return Some(Refutation { score: -score, square }),
                Resolved::Known(score) => {
                    self.best = self.best.max(-score);
                    continue;
                }
                Resolved::Open { node, moves, flipped } => {
                    Child { node, moves, square, flipped: !flipped, ..Child::default() }
                }
            };
            let (lower, upper) =
                child.parent_bounds(bounds::window::<WIDTH, HEIGHT, OFF>(&child.node, child.alpha(alpha)));
            if lower > alpha {
                return Some(Refutation { score: lower, square });
            }
            if upper <= alpha {
                self.best = self.best.max(upper);
                continue;
            }
            child.key = worker.key_of::<OFF>(&child.node);
            worker.prefetch(&child);
            child.weight = order::weight::<WIDTH, HEIGHT, OFF>(node, square, &after, &worker.history);
            child.weight += if square & hash_move != 0 { HASH_MOVE } else { 0 };
            self.list[self.count] = child;
            self.count += 1;
        }
        if Technique::EnhancedCutoffs.is_on(OFF) { self.probe_children::<OFF>(worker, alpha) } else { None }
    }

    /// Enhanced transposition cutoffs: removes the children from the list whose table entry decides them.
    ///
    /// Returns a refutation when an entry proves a child above `alpha`, and `None` otherwise.
    #[inline(always)]
    fn probe_children<const OFF: u32>(&mut self, worker: &Worker<'_, WIDTH, HEIGHT>, alpha: i32) -> Option<Refutation> {
        let mut index = 0;
        while index < self.count {
            let child = &self.list[index];
            if let Some(entry) = worker.probe::<OFF>(&child.node, child.key) {
                let known = (i32::from(entry.window.lower), i32::from(entry.window.upper));
                let (lower, upper) = child.parent_bounds(known);
                if lower > alpha {
                    return Some(Refutation { score: lower, square: child.square });
                }
                if upper <= alpha {
                    self.best = self.best.max(upper);
                    self.count -= 1;
                    self.list[index] = self.list[self.count];
                    continue;
                }
            }
            index += 1;
        }
        None
    }

    /// Removes and returns the child of the highest weight; `None` when the list is empty.
    #[inline(always)]
    pub(crate) fn take_best(&mut self) -> Option<Child<WIDTH, HEIGHT>> {
        let last = self.count.checked_sub(1)?;
        let mut pick = last;
        for index in 0..last {
            if self.list[index].weight > self.list[pick].weight {
                pick = index;
            }
        }
        let child = self.list[pick];
        self.list[pick] = self.list[last];
        self.count = last;
        Some(child)
    }

    /// Puts back a child that another thread is searching; it is taken after all others.
    #[inline(always)]
    pub(crate) fn defer(&mut self, child: Child<WIDTH, HEIGHT>) {
        self.list[self.count] = Child { weight: i32::MIN, ..child };
        self.count += 1;
    }
}

/// [`Node::resolve`], following forced moves if that technique is on.
#[inline(always)]
fn resolve<const WIDTH: usize, const HEIGHT: usize, const OFF: u32>(
    node: Node<WIDTH, HEIGHT>,
) -> Resolved<WIDTH, HEIGHT> {
    if Technique::Forced.is_on(OFF) { node.resolve::<true>() } else { node.resolve::<false>() }
}

//! The children of a position, as far as they need a search.

use crate::bounds;
use crate::geometry::Geometry;
use crate::node::{Node, Resolved};
use crate::order;
use crate::search::Worker;
use crate::technique::Technique;

/// More than any other weight: the table's best move comes first.
const HINT: i32 = 1 << 20;

/// A move and the position it leads to once forced replies are played.
#[derive(Clone, Copy, Default)]
pub(crate) struct Child<const WIDTH: usize, const HEIGHT: usize> {
    pub node: Node<WIDTH, HEIGHT>,
    /// The moves there that do not lose at once.
    pub moves: u64,
    pub key: u64,
    /// The square of the move.
    pub square: u64,
    pub weight: i32,
    /// True when the other side is to move there.
    pub flipped: bool,
}

impl<const WIDTH: usize, const HEIGHT: usize> Child<WIDTH, HEIGHT> {
    /// Bounds of the child's score, as its parent sees them.
    #[inline(always)]
    const fn seen_by_parent(&self, (lower, upper): (i32, i32)) -> (i32, i32) {
        if self.flipped { (-upper, -lower) } else { (lower, upper) }
    }

    /// The question "higher than `alpha`?" as the child has to answer it.
    #[inline(always)]
    pub(crate) const fn alpha(&self, alpha: i32) -> i32 {
        if self.flipped { -alpha - 1 } else { alpha }
    }
}

/// The children that need a search, and what the others are worth.
pub(crate) struct Children<const WIDTH: usize, const HEIGHT: usize> {
    list: [Child<WIDTH, HEIGHT>; WIDTH],
    count: usize,
    /// The highest upper bound of the children that need no search.
    pub best: i32,
}

/// A move that answers the question without a search: the score is at least `score`, which is higher than alpha.
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

    /// Finds the children of `node` that need a search to know whether its score is higher than `alpha`.
    ///
    /// Returns a refutation when forced moves, a static bound or the table show one; then the list is not complete.
    #[inline(always)]
    pub(crate) fn expand<const OFF: u32>(
        &mut self,
        worker: &Worker<'_, WIDTH, HEIGHT>,
        node: &Node<WIDTH, HEIGHT>,
        moves: u64,
        hint: u64,
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
                child.seen_by_parent(bounds::window::<WIDTH, HEIGHT, OFF>(&child.node, child.alpha(alpha)));
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
            child.weight += if square & hint != 0 { HINT } else { 0 };
            self.list[self.count] = child;
            self.count += 1;
        }
        if Technique::EnhancedCutoffs.is_on(OFF) { self.look_up(worker, alpha) } else { None }
    }

    /// Enhanced transposition cutoffs: takes from the list what the table can answer.
    ///
    /// Returns a refutation when the table has one.
    #[inline(always)]
    fn look_up(&mut self, worker: &Worker<'_, WIDTH, HEIGHT>, alpha: i32) -> Option<Refutation> {
        let mut index = 0;
        while index < self.count {
            let child = &self.list[index];
            if let Some(entry) = worker.probe(&child.node, child.key) {
                let known = (i32::from(entry.window.lower), i32::from(entry.window.upper));
                let (lower, upper) = child.seen_by_parent(known);
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

    /// Takes the child of the highest weight, `None` when none is left.
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

    /// Puts back a child that another thread is at work on, to be taken after all others.
    #[inline(always)]
    pub(crate) fn defer(&mut self, child: Child<WIDTH, HEIGHT>) {
        self.list[self.count] = Child { weight: i32::MIN, ..child };
        self.count += 1;
    }
}

/// Follows forced moves, if that technique is on.
#[inline(always)]
fn resolve<const WIDTH: usize, const HEIGHT: usize, const OFF: u32>(
    node: Node<WIDTH, HEIGHT>,
) -> Resolved<WIDTH, HEIGHT> {
    if Technique::Forced.is_on(OFF) { node.resolve::<true>() } else { node.resolve::<false>() }
}

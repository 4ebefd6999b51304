//! A score, and the part of the path that it depends on.
//!
//! A repetition is a draw only because of the positions played before it, so its score belongs to the path and not to
//! the position. Where the repeated position stands decides what that means for a node. If it stands above the node,
//! the node's score is tainted. If it is the node itself or stands below, every path to the node contains that cycle,
//! and the score is the position's own.

use std::num::NonZeroU16;
use std::ops::Neg;

use mnemon_table::Score;

/// The earliest point of a path that a score depends on; earlier points compare less.
///
/// The score of several moves together depends on the least of their dependencies:
///
/// ```
/// use mnemon_search::PathDependency;
///
/// let repeats_ply_3 = PathDependency::on_ply(3);
/// let both = repeats_ply_3.min(PathDependency::NONE);
/// assert!(both.taints(4), "the repeated position stands above a node at ply 4");
/// assert!(!both.taints(3), "and is the node itself at ply 3");
/// assert_eq!(both.above(3), PathDependency::NONE);
/// assert!(PathDependency::BEFORE_ROOT.taints(0));
/// ```
// Not zero, so that `Result<PathScore, Stopped>` takes no more than the four bytes of a `PathScore`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathDependency(NonZeroU16);

impl PathDependency {
    /// On what was played before the root: a position of the game's history, or a move counter.
    pub const BEFORE_ROOT: PathDependency = PathDependency(NonZeroU16::MIN);
    /// On no point of the path: the score is the position's own.
    pub const NONE: PathDependency = PathDependency(NonZeroU16::MAX);

    /// On the position that stands on the path at this ply.
    #[inline]
    #[must_use]
    pub const fn on_ply(ply: u16) -> Self {
        PathDependency(NonZeroU16::MIN.saturating_add(1).saturating_add(ply))
    }

    /// Whether it taints the score of a node at this ply: it lies above the node.
    #[inline]
    #[must_use]
    pub fn taints(self, ply: u16) -> bool {
        self < PathDependency::on_ply(ply)
    }

    /// What is left of it for the score of a node at this ply: itself if it lies above the node, otherwise
    /// [`NONE`](Self::NONE).
    #[inline]
    #[must_use]
    pub fn above(self, ply: u16) -> Self {
        if self.taints(ply) { self } else { PathDependency::NONE }
    }
}

/// What the search of a node returns: its score, and what the score depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathScore {
    /// The score, from the point of view of the side to move.
    pub score: Score,
    /// The earliest point of the path that the score depends on.
    pub depends_on: PathDependency,
}

impl PathScore {
    /// A score that is the position's own, whatever the path to it.
    #[inline]
    #[must_use]
    pub const fn clean(score: Score) -> Self {
        PathScore { score, depends_on: PathDependency::NONE }
    }
}

/// The same score from the other side's point of view.
impl Neg for PathScore {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        PathScore { score: -self.score, ..self }
    }
}

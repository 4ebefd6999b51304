//! Scores, the bounds that a search proves, and mate scores.

use crate::Layout;

/// A score from the side to move's point of view: positive is good for the player whose turn it is.
///
/// [`Layout::SCORE_LIMIT`] is the largest score that a layout keeps exactly.
pub type Score = i16;

/// How a stored score relates to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The score is the value.
    Exact,
    /// A lower bound: the search failed high, so the value is this score or more.
    AtLeast,
    /// An upper bound: the search failed low, so the value is this score or less.
    AtMost,
}

/// The bounds that are known of a value: `lower <= value <= upper`.
///
/// A bound that is not known is [`Window::NO_LOWER`] or [`Window::NO_UPPER`].
///
/// ```
/// use mnemon_table::{Bound, Window};
///
/// let known = Window::at_least(20).intersect(Window::at_most(50));
/// assert_eq!(known, Some(Window { lower: 20, upper: 50 }));
/// assert_eq!(Window::exact(7).bound(0), Some((7, Bound::Exact)));
/// assert_eq!(Window::UNKNOWN.bound(0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    /// The value is at least this, or [`Window::NO_LOWER`].
    pub lower: Score,
    /// The value is at most this, or [`Window::NO_UPPER`].
    pub upper: Score,
}

impl Window {
    /// The lower bound of a window that has none.
    pub const NO_LOWER: Score = Score::MIN;
    /// The upper bound of a window that has none.
    pub const NO_UPPER: Score = Score::MAX;
    /// Neither bound is known.
    pub const UNKNOWN: Window = Window { lower: Self::NO_LOWER, upper: Self::NO_UPPER };

    /// The value is `score`.
    #[inline]
    pub const fn exact(score: Score) -> Self {
        Window { lower: score, upper: score }
    }

    /// The value is `score` or more.
    #[inline]
    pub const fn at_least(score: Score) -> Self {
        Window { lower: score, upper: Self::NO_UPPER }
    }

    /// The value is `score` or less.
    #[inline]
    pub const fn at_most(score: Score) -> Self {
        Window { lower: Self::NO_LOWER, upper: score }
    }

    /// Whether the value is known.
    #[inline]
    pub const fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// Whether both bounds are known, and differ.
    #[inline]
    pub const fn is_two_sided(self) -> bool {
        self.lower != Self::NO_LOWER && self.upper != Self::NO_UPPER && self.lower != self.upper
    }

    /// Whether neither bound is known.
    #[inline]
    pub const fn is_unknown(self) -> bool {
        self.lower == Self::NO_LOWER && self.upper == Self::NO_UPPER
    }

    /// The score that a search with this `alpha` and `beta` may return at once; `None` if it has to search.
    ///
    /// It fails high with the lower bound, fails low with the upper bound, or is exact. The caller checks the depth.
    ///
    /// ```
    /// use mnemon_table::Window;
    ///
    /// let known = Window { lower: 20, upper: 50 };
    /// assert_eq!(known.cutoff(10, 20), Some(20)); // fails high
    /// assert_eq!(known.cutoff(50, 60), Some(50)); // fails low
    /// assert_eq!(known.cutoff(30, 31), None);
    /// assert_eq!(Window::exact(7).cutoff(-100, 100), Some(7));
    /// ```
    #[inline]
    pub const fn cutoff(self, alpha: Score, beta: Score) -> Option<Score> {
        if self.lower != Self::NO_LOWER && (self.lower >= beta || self.lower == self.upper) {
            Some(self.lower)
        } else if self.upper != Self::NO_UPPER && self.upper <= alpha {
            Some(self.upper)
        } else {
            None
        }
    }

    /// The score moved into the window: a static evaluation, corrected by what a search has proven.
    #[inline]
    pub const fn clamp(self, score: Score) -> Score {
        if score < self.lower {
            self.lower
        } else if score > self.upper {
            self.upper
        } else {
            score
        }
    }

    /// The window as one score with its bound type, as most engines store it; `None` if neither bound is known.
    ///
    /// Of two different bounds a search with this `beta` proved the lower if that is `beta` or more, and the upper
    /// otherwise. So with the same `beta` it finds again what it stored, whatever was known before. With
    /// [`Score::MIN`] as `beta` the lower bound comes first.
    ///
    /// ```
    /// use mnemon_table::{Bound, Window};
    ///
    /// let known = Window { lower: 20, upper: 50 };
    /// assert_eq!(known.bound(51), Some((50, Bound::AtMost)));
    /// assert_eq!(known.bound(20), Some((20, Bound::AtLeast)));
    /// ```
    #[inline]
    pub const fn bound(self, beta: Score) -> Option<(Score, Bound)> {
        let (has_lower, has_upper) = (self.lower != Self::NO_LOWER, self.upper != Self::NO_UPPER);
        if self.is_exact() {
            Some((self.lower, Bound::Exact))
        } else if has_lower && (self.lower >= beta || !has_upper) {
            Some((self.lower, Bound::AtLeast))
        } else if has_upper {
            Some((self.upper, Bound::AtMost))
        } else {
            None
        }
    }

    /// The window of the values that lie in both windows; `None` if there are none, so that the windows contradict each
    /// other.
    #[inline]
    pub const fn intersect(self, other: Self) -> Option<Self> {
        let lower = if self.lower > other.lower { self.lower } else { other.lower };
        let upper = if self.upper < other.upper { self.upper } else { other.upper };
        if lower <= upper { Some(Window { lower, upper }) } else { None }
    }

    /// The window with `change` applied to each known bound; `change` must be monotonic.
    #[inline]
    pub fn map(self, change: impl Fn(Score) -> Score) -> Self {
        Window {
            lower: if self.lower == Self::NO_LOWER { self.lower } else { change(self.lower) },
            upper: if self.upper == Self::NO_UPPER { self.upper } else { change(self.upper) },
        }
    }

    /// The tightest window that holds all values of this one and has bounds within `±limit`: a bound beyond the limit is
    /// moved to the limit where that weakens it, and dropped where that would strengthen it.
    #[inline]
    pub const fn within(self, limit: Score) -> Self {
        let lower = if self.lower > limit {
            limit
        } else if self.lower < -limit {
            Self::NO_LOWER
        } else {
            self.lower
        };
        let upper = if self.upper < -limit {
            -limit
        } else if self.upper > limit {
            Self::NO_UPPER
        } else {
            self.upper
        };
        Window { lower, upper }
    }
}

/// The encoding of mate scores ("wins in n plies"), and its adjustment between root and table.
///
/// A search counts a win from its root: a win `n` plies below the root scores `win - n`. The same position may be
/// reached at another ply, so the table keeps the distance from the *node*: convert with [`Mates::to_node`] before
/// storing, and with [`Mates::to_root`] after probing. Other scores pass unchanged.
///
/// A layout that cannot keep these scores would weaken them: take the scale from the table's type, by
/// [`Table::mates`](crate::Table::mates), and one that does not fit does not compile.
///
/// ```
/// use mnemon_table::{Table, Window};
///
/// let mates = Table::<mnemon_table::Wide>::mates(16_000, 1_000);
/// // At ply 3 the search found a win at ply 7: four plies away from this node.
/// let stored = mates.to_node(Window::exact(16_000 - 7), 3);
/// assert_eq!(stored, Window::exact(16_000 - 4));
/// // Reached again at ply 5, the win is at ply 9.
/// assert_eq!(mates.to_root(stored, 5), Window::exact(16_000 - 9));
/// assert_eq!(mates.to_node(Window::at_most(-35), 3), Window::at_most(-35));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mates {
    win: Score,
    longest: Score,
}

impl Mates {
    /// A position that is won scores `win`; scores within `longest` of `±win` are mate scores.
    ///
    /// # Panics
    /// If `longest` is negative or not smaller than `win`: at compile time in a `const`.
    pub const fn new(win: Score, longest: Score) -> Self {
        assert!(longest >= 0 && longest < win, "mate scores must not reach 0");
        Mates { win, longest }
    }

    /// Whether a table of this layout keeps every mate score exactly.
    pub const fn fits<L: Layout>(self) -> bool {
        self.win <= L::SCORE_LIMIT
    }

    /// The score of the side that has just lost, `ply` plies below the root.
    #[inline]
    pub const fn lost_at(self, ply: u16) -> Score {
        ply as Score - self.win
    }

    /// Whether the score is a mate score: one side wins by force.
    #[inline]
    pub const fn is_mate(self, score: Score) -> bool {
        score.unsigned_abs() >= self.floor().unsigned_abs()
    }

    /// The plies to the mate: positive if the side to move wins, zero or negative if it loses; `None` if the score is no
    /// [mate score](Self::is_mate).
    pub const fn plies(self, score: Score) -> Option<Score> {
        if !self.is_mate(score) {
            None
        } else if score > 0 {
            Some(self.win - score)
        } else {
            Some(-(self.win + score))
        }
    }

    /// The window of a node at `ply`, with mate scores converted from plies below the root to plies below the node.
    #[inline]
    pub fn to_node(self, window: Window, ply: u16) -> Window {
        window.map(|score| self.shift_mate(score, ply as Score))
    }

    /// The window of a node at `ply`, with mate scores converted from plies below the node to plies below the root.
    #[inline]
    pub fn to_root(self, window: Window, ply: u16) -> Window {
        window.map(|score| self.shift_mate(score, -(ply as Score)))
    }

    /// The smallest mate score of a winner.
    const fn floor(self) -> Score {
        self.win - self.longest
    }

    /// A mate score moved away from zero by `by`, and clamped so that it stays a mate score; another score unchanged.
    const fn shift_mate(self, score: Score, by: Score) -> Score {
        let moved = if score >= self.floor() {
            clamp(score as i32 + by as i32, self.floor() as i32, Score::MAX as i32 - 1)
        } else if score <= -self.floor() {
            clamp(score as i32 - by as i32, Score::MIN as i32 + 1, -(self.floor() as i32))
        } else {
            score as i32
        };
        moved as Score
    }
}

const fn clamp(value: i32, least: i32, most: i32) -> i32 {
    if value < least {
        least
    } else if value > most {
        most
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_keeps_only_what_is_true_within_its_limit() {
        assert_eq!(Window::exact(50).within(30), Window::at_least(30));
        assert_eq!(Window::exact(-50).within(30), Window::at_most(-30));
        assert_eq!(Window::at_most(50).within(30), Window::UNKNOWN);
        assert_eq!(Window::at_least(-50).within(30), Window::UNKNOWN);
        assert_eq!(Window { lower: -50, upper: 12 }.within(30), Window::at_most(12));
        assert_eq!(Window::exact(30).within(30), Window::exact(30));
    }

    #[test]
    fn a_cutoff_is_what_the_bounds_allow() {
        let bounds = [Window::NO_LOWER, -3, -1, 0, 2, Window::NO_UPPER];
        for lower in bounds {
            for upper in bounds.into_iter().filter(|&upper| lower <= upper && (lower, upper) != (upper, lower)) {
                let window = Window { lower, upper };
                for (alpha, beta) in (-5..5).flat_map(|alpha| (alpha + 1..6).map(move |beta| (alpha, beta))) {
                    let values = (-9..=9).filter(|&value| lower <= value && value <= upper);
                    match window.cutoff(alpha, beta) {
                        Some(score) if score >= beta => assert!(values.clone().all(|value| value >= score)),
                        Some(score) => assert!(score <= alpha && values.clone().all(|value| value <= score)),
                        None => assert!(lower < beta && upper > alpha, "{window:?} decides {alpha} to {beta}"),
                    }
                }
            }
        }
        assert_eq!(Window::UNKNOWN.cutoff(Score::MIN, Score::MAX), None);
        assert_eq!(Window::exact(4).cutoff(-9, 9), Some(4));
    }

    #[test]
    fn the_bound_that_was_stored_is_found_with_its_beta() {
        let known = [Window::UNKNOWN, Window::at_least(-20), Window::at_most(60), Window { lower: -20, upper: 60 }];
        for (known, score) in known.into_iter().flat_map(|known| (-19..60).map(move |score| (known, score))) {
            for beta in -19..60 {
                let stored = if score >= beta { Window::at_least(score) } else { Window::at_most(score) };
                let joined = known.intersect(stored).expect("no contradiction");
                assert_eq!(joined.bound(beta), stored.bound(beta), "{known:?} and {stored:?}");
            }
        }
    }

    #[test]
    fn contradicting_windows_have_nothing_in_common() {
        assert_eq!(Window::at_least(5).intersect(Window::at_most(4)), None);
        assert_eq!(Window::at_least(5).intersect(Window::at_most(5)), Some(Window::exact(5)));
    }

    #[test]
    fn mates_keep_their_distance_from_the_node() {
        let mates = Mates::new(1000, 100);
        for ply in 0..40 {
            for distance in 0..40_u16 {
                let found = mates.lost_at(ply + distance);
                let stored = mates.to_node(Window::exact(found), ply);
                assert_eq!(stored, Window::exact(mates.lost_at(distance)));
                assert_eq!(mates.to_root(stored, ply), Window::exact(found));
            }
        }
        assert_eq!(mates.to_node(Window::UNKNOWN, 9), Window::UNKNOWN);
        assert_eq!(mates.plies(997), Some(3));
        assert_eq!(mates.plies(-996), Some(-4));
        assert_eq!(mates.plies(899), None);
    }

    #[test]
    fn a_mate_too_far_away_stays_a_mate() {
        let mates = Mates::new(1000, 100);
        assert_eq!(mates.to_root(Window::exact(901), 50), Window::exact(900));
        assert_eq!(mates.to_root(Window::exact(-901), 50), Window::exact(-900));
    }
}

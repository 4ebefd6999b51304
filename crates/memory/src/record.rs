//! What one source knows of one position.

use std::cmp::Ordering;

use mnemon_search::{MAX_DEPTH, WINS};
use mnemon_table::{Score, Window};

use crate::{Flags, Origins};

/// The depth of a claim that no deeper search can change: a win that was searched to its end, a solved position.
pub const PROVEN: u8 = u8::MAX;

/// A bound of a position's value, with the depth and the time of the search that found it.
///
/// As a lower bound it claims "at least `score`", as an upper bound "at most `score`". Of two claims for one bound the
/// deeper is kept, then the newer, then the tighter (see [`merge`](crate::merge())).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The score, from the side to move's point of view, wins counted from this position.
    pub score: Score,
    /// The depth of the search in plies, or [`PROVEN`].
    pub depth: u8,
    /// When it was found, in seconds since 1970; 0 if unknown.
    pub time: u32,
}

impl Claim {
    /// No lower bound is known.
    pub const NO_LOWER: Claim = Claim { score: Window::NO_LOWER, depth: 0, time: 0 };
    /// No upper bound is known.
    pub const NO_UPPER: Claim = Claim { score: Window::NO_UPPER, depth: 0, time: 0 };

    /// A claim that a search to `depth` made, at an unknown time.
    pub const fn new(score: Score, depth: u8) -> Self {
        Claim { score, depth, time: 0 }
    }

    /// Whether this is a bound, and not one of the two constants for an unknown bound.
    pub const fn is_known(self) -> bool {
        self.score != Window::NO_LOWER && self.score != Window::NO_UPPER
    }
}

/// What one source knows of one position.
///
/// Set what is known, and take the rest from the default, the empty record:
///
/// ```
/// use mnemon_memory::{Claim, Origins, Record};
/// use mnemon_table::Window;
///
/// let record = Record { best: 77, ..Record::exact(35, 12) };
/// assert_eq!(record.window(), (Window::exact(35), 12));
/// assert_eq!(record.lower, Claim::new(35, 12));
/// assert!(record.origins.contains(Origins::SEARCH));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// The value is at least this.
    pub lower: Claim,
    /// The value is at most this.
    pub upper: Claim,
    /// The move that proves the lower bound, in the game's own code, or a move to try first where no lower bound is known;
    /// 0 is none.
    pub best: u16,
    /// Where its contents come from.
    pub origins: Origins,
    /// Whether it was a root.
    pub flags: Flags,
    /// The position's ply in the game in which it occurred first; [`NO_PLY`](Self::NO_PLY) if unknown.
    pub game_ply: u16,
    /// Its smallest distance from a root that was searched; [`NO_PLY`](Self::NO_PLY) if unknown.
    pub root_ply: u16,
    /// Nodes of the largest search.
    pub nodes: u64,
    /// When it was last learned or used, in seconds since 1970.
    pub time: u32,
}

impl Default for Record {
    fn default() -> Self {
        Record {
            lower: Claim::NO_LOWER,
            upper: Claim::NO_UPPER,
            best: 0,
            origins: Origins::SEARCH,
            flags: Flags::NONE,
            game_ply: Self::NO_PLY,
            root_ply: Self::NO_PLY,
            nodes: 0,
            time: 0,
        }
    }
}

impl Record {
    /// Whether each depth is one that a search reaches, or [`PROVEN`].
    #[must_use]
    pub fn has_searchable_depths(&self) -> bool {
        [self.lower, self.upper].iter().all(|claim| claim.depth <= MAX_DEPTH || claim.depth == PROVEN)
    }

    /// A ply that is not known.
    pub const NO_PLY: u16 = u16::MAX;

    /// The value is `score`, as a search to `depth` found.
    pub fn exact(score: Score, depth: u8) -> Self {
        Record::between(Window::exact(score), depth)
    }

    /// The value lies in the window, as a search to `depth` found.
    pub fn between(window: Window, depth: u8) -> Self {
        Record { lower: Claim::new(window.lower, depth), upper: Claim::new(window.upper, depth), ..Record::default() }
            .normalized()
    }

    /// The same record, found at this time.
    ///
    /// ```
    /// use mnemon_memory::Record;
    ///
    /// let record = Record::exact(35, 12).found_at(1_700_000_000);
    /// assert_eq!((record.time, record.lower.time, record.upper.time), (1_700_000_000, 1_700_000_000, 1_700_000_000));
    /// ```
    #[must_use]
    pub fn found_at(mut self, time: u32) -> Self {
        (self.time, self.lower.time, self.upper.time) = (time, time, time);
        self.normalized()
    }

    /// The same record with a depth and time of 0 for an unknown bound, so that equal contents are equal bytes.
    #[must_use]
    pub fn normalized(mut self) -> Self {
        if !self.lower.is_known() {
            self.lower = Claim::NO_LOWER;
        }
        if !self.upper.is_known() {
            self.upper = Claim::NO_UPPER;
        }
        self
    }

    /// Both bounds as a window, and the depth to which the window holds.
    ///
    /// If both bounds are known and agree, the depth is the smaller of the two; if one is known, it is that one's. Bounds of
    /// two searches may contradict each other: then the deeper bound is used alone, with its depth; at equal depth the newer
    /// one; of two as deep and as new, the window is the one between the two scores.
    pub fn window(&self) -> (Window, u8) {
        let (lower, upper) = (self.lower, self.upper);
        if !lower.is_known() || !upper.is_known() {
            let depth = lower.depth.max(upper.depth);
            (Window { lower: lower.score, upper: upper.score }, depth)
        } else if lower.score <= upper.score {
            (Window { lower: lower.score, upper: upper.score }, lower.depth.min(upper.depth))
        } else {
            match (lower.depth, lower.time).cmp(&(upper.depth, upper.time)) {
                Ordering::Greater => (Window::at_least(lower.score), lower.depth),
                Ordering::Less => (Window::at_most(upper.score), upper.depth),
                Ordering::Equal => (Window { lower: upper.score, upper: lower.score }, lower.depth),
            }
        }
    }

    /// The deeper bound alone, or both where they are equally deep, and the depth: what helps the deepest search.
    pub fn deepest(&self) -> (Window, u8) {
        match self.lower.depth.cmp(&self.upper.depth) {
            Ordering::Greater => (Window::at_least(self.lower.score), self.lower.depth),
            Ordering::Less => (Window::at_most(self.upper.score), self.upper.depth),
            Ordering::Equal => self.window(),
        }
    }

    /// The end that says more of the value: the deeper, then the newer; of two as deep and as new the lower bound, which a
    /// move proves. Unknown if both are.
    pub fn stronger_end(&self) -> Claim {
        let strength = |claim: Claim| (claim.is_known(), claim.depth, claim.time);
        if strength(self.upper) > strength(self.lower) { self.upper } else { self.lower }
    }

    /// The record from the view of the parent node: the bounds are exchanged and negated, and wins are one ply farther away.
    ///
    /// ```
    /// use mnemon_memory::{Claim, Record};
    /// use mnemon_table::Window;
    ///
    /// let at_most = Record::between(Window::at_least(20), 9).from_parent();
    /// assert_eq!((at_most.lower, at_most.upper), (Claim::NO_LOWER, Claim::new(-20, 9)));
    /// ```
    #[must_use]
    pub fn from_parent(self) -> Self {
        let negated = |claim: Claim, unknown: Claim| {
            let from_parent = |score| -WINS.to_root(Window::exact(score), 1).lower;
            if claim.is_known() { Claim { score: from_parent(claim.score), ..claim } } else { unknown }
        };
        let (lower, upper) = (negated(self.upper, Claim::NO_LOWER), negated(self.lower, Claim::NO_UPPER));
        Record { lower, upper, ..self }
    }

    /// Whether nothing is known: neither a bound nor a move.
    pub fn is_empty(&self) -> bool {
        !self.lower.is_known() && !self.upper.is_known() && self.best == 0
    }

    /// Whether stores index it by its time: a root, or advice. Both are few.
    pub fn is_indexed(&self) -> bool {
        self.flags.contains(Flags::ROOT) || self.origins.contains(Origins::ADVICE)
    }

    /// Whether the exact value is proven.
    pub fn is_proven(&self) -> bool {
        self.lower.score == self.upper.score && self.lower.depth == PROVEN && self.upper.depth == PROVEN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(lower: (Score, u8), upper: (Score, u8)) -> Record {
        Record { lower: Claim::new(lower.0, lower.1), upper: Claim::new(upper.0, upper.1), ..Record::default() }
    }

    #[test]
    fn a_window_holds_to_the_smaller_depth_of_its_bounds() {
        assert_eq!(record((10, 9), (30, 7)).window(), (Window { lower: 10, upper: 30 }, 7));
        assert_eq!(record((10, 9), (30, 7)).deepest(), (Window::at_least(10), 9));
        assert_eq!(Record::between(Window::at_most(4), 6).window(), (Window::at_most(4), 6));
        assert_eq!(Record::default().window(), (Window::UNKNOWN, 0));
    }

    #[test]
    fn of_contradicting_bounds_the_deeper_is_used() {
        assert_eq!(record((30, 9), (25, 9)).window(), (Window { lower: 25, upper: 30 }, 9));
        assert_eq!(record((30, 9), (25, 8)).window(), (Window::at_least(30), 9));
        assert_eq!(record((30, 8), (25, 9)).window(), (Window::at_most(25), 9));
    }

    #[test]
    fn of_contradicting_bounds_of_one_depth_the_newer_is_used() {
        let mut record = record((30, 9), (25, 9));
        record.upper.time = 1;
        assert_eq!(record.window(), (Window::at_most(25), 9));
        record.lower.time = 2;
        assert_eq!((record.window(), record.deepest()), ((Window::at_least(30), 9), (Window::at_least(30), 9)));
    }

    #[test]
    fn from_the_parent_a_mate_is_one_ply_farther_away() {
        let mated = Record::exact(WINS.lost_at(0), PROVEN).from_parent();
        assert_eq!((WINS.plies(mated.lower.score), mated.lower), (Some(1), mated.upper));
    }

    #[test]
    fn an_unknown_bound_has_no_depth() {
        let record = record((Window::NO_LOWER, 9), (3, 4)).normalized();
        assert_eq!(record.lower, Claim::NO_LOWER);
        assert_eq!(record, Record::between(Window::at_most(3), 4));
    }
}

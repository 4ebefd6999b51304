//! The window that a solve narrows question by question.

/// Where the score is known to lie, as far as it matters: scores outside the first window count as its ends.
pub(crate) struct Bracket {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    least: i32,
    most: i32,
}

impl Bracket {
    /// Nothing known but that the score counts as `least..=most`.
    pub(crate) const fn new(least: i32, most: i32) -> Self {
        Self { lower: least, upper: most, least, most }
    }

    /// True when one score is left: `lower`.
    pub(crate) const fn is_closed(&self) -> bool {
        self.lower >= self.upper
    }

    /// What an exact score counts as.
    pub(crate) fn clamp(&self, score: i32) -> i32 {
        score.clamp(self.least, self.most)
    }

    /// The next `alpha` for a short try: half-way to the end that is farther from 0. Easy positions have scores out
    /// there, and questions far from 0 are cheap.
    pub(crate) fn question_from_outside(&self) -> i32 {
        let middle = (self.lower + self.upper).div_euclid(2);
        if self.upper > -self.lower { middle.max(self.upper / 2) } else { middle.min(self.lower / 2) }
    }

    /// The next `alpha` for a long search: first who wins, then two scores further from 0 at a time, but not beyond
    /// the middle. Hard positions have small scores, and the questions near the score are the dear ones.
    pub(crate) fn question_from_centre(&self) -> i32 {
        let middle = (self.lower + self.upper).div_euclid(2);
        if self.lower > 0 {
            (self.lower + 1).min(middle)
        } else if self.upper < 0 {
            (self.upper - 2).max(middle)
        } else if self.upper > 0 {
            0
        } else {
            -1
        }
    }

    /// Takes the answer to "higher than `alpha`?".
    pub(crate) fn take(&mut self, alpha: i32, bound: i32) {
        let bound = self.clamp(bound);
        if bound > alpha {
            self.lower = self.lower.max(bound);
        } else {
            self.upper = self.upper.min(bound);
        }
    }
}

//! The window that a solve narrows by null-window searches.

/// The bounds of the score so far. A score outside the initial window counts as its nearer end: a weak solve starts with
/// -1 to 1.
pub(crate) struct Bracket {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    least: i32,
    most: i32,
}

impl Bracket {
    /// The initial window `least..=most`.
    pub(crate) const fn new(least: i32, most: i32) -> Self {
        Self { lower: least, upper: most, least, most }
    }

    /// Whether one score is left: `lower`.
    pub(crate) const fn is_closed(&self) -> bool {
        self.lower >= self.upper
    }

    /// An exact score, clamped to the initial window.
    pub(crate) fn clamp(&self, score: i32) -> i32 {
        score.clamp(self.least, self.most)
    }

    /// The next `alpha` for a stage with a small table: half-way to the end that is farther from 0. Easy positions have
    /// large scores, and null-window searches far from 0 are cheap.
    pub(crate) fn next_alpha_from_outside(&self) -> i32 {
        let middle = (self.lower + self.upper).div_euclid(2);
        if self.upper > -self.lower { middle.max(self.upper / 2) } else { middle.min(self.lower / 2) }
    }

    /// The next `alpha` for the last stage: first the sign of the score, then two scores further from 0 at a time, but not
    /// beyond the midpoint. Hard positions have small scores, and null-window searches near the score are expensive.
    pub(crate) fn next_alpha_from_centre(&self) -> i32 {
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

    /// Narrows the window by the bound that a null-window search at `alpha` returned.
    pub(crate) fn take(&mut self, alpha: i32, bound: i32) {
        let bound = self.clamp(bound);
        if bound > alpha {
            self.lower = self.lower.max(bound);
        } else {
            self.upper = self.upper.min(bound);
        }
    }
}

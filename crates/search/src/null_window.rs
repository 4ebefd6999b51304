//! Finding a value by null-window searches alone: each asks "is it `bound` or more?" and the table makes the repeated
//! questions cheap.

use mnemon_table::replace::Replace;
use mnemon_table::{Layout, Score, Window};

use crate::limits::Stopped;
use crate::node::INFINITY;
use crate::path_score::{PathDependency, PathScore};
use crate::searcher::Searcher;
use crate::{Game, WINS};

impl<G: Game, L: Layout, R: Replace> Searcher<'_, G, L, R> {
    /// Plaat's MTD(f): asks next to the best guess so far, and walks towards the value from there.
    pub(crate) fn mtdf(&mut self, root: &G, depth: u8, guess: Score) -> Result<PathScore, Stopped> {
        let mut guess = guess;
        self.narrow_down(root, depth, |known| {
            guess = guess.max(known.lower).min(known.upper);
            if guess == known.lower { guess + 1 } else { guess }
        })
    }

    /// Bisection: first who wins, then by halves. For solvers, whose values are far apart and hard to guess.
    pub(crate) fn bisect(&mut self, root: &G, depth: u8) -> Result<PathScore, Stopped> {
        self.narrow_down(root, depth, |known| middle(known) + 1)
    }

    /// Asks until one value is left: `question` chooses, from what is known, the bound to ask about next, above the
    /// lower end and not above the upper one.
    fn narrow_down(
        &mut self,
        root: &G,
        depth: u8,
        mut question: impl FnMut(Window) -> Score,
    ) -> Result<PathScore, Stopped> {
        let mut known = Window { lower: WINS.lost_at(0), upper: -WINS.lost_at(0) };
        let (mut lower_depends_on, mut upper_depends_on) = (PathDependency::NONE, PathDependency::NONE);
        let mut line = Vec::new();
        while known.lower < known.upper {
            let bound = question(known);
            debug_assert!(known.lower < bound && bound <= known.upper && bound < INFINITY);
            let PathScore { score, depends_on } = self.negamax(root, depth, bound - 1, bound, 0)?;
            if score >= bound {
                (known.lower, lower_depends_on) = (score, depends_on);
                line = self.take_line();
            } else {
                (known.upper, upper_depends_on) = (score, depends_on);
            }
        }
        // The line that proves the value is the one that reached it from below.
        self.put_line(line);
        Ok(PathScore { score: known.lower, depends_on: lower_depends_on.min(upper_depends_on) })
    }
}

/// A score to ask beyond: zero as long as either side may win; then the middle of the range, but since few values are
/// large, not more than twice as far from zero as its nearer end.
fn middle(Window { lower, upper }: Window) -> Score {
    if lower < 0 && upper > 0 {
        return 0;
    }
    let middle = lower + (upper - lower) / 2;
    let reach = 2 * lower.abs().min(upper.abs()) + 1;
    middle.clamp(-reach, reach).clamp(lower, upper - 1)
}

//! MTD(f) and bisection: a value found by null-window searches alone. Each search asks whether the value is `bound` or
//! more, and the table makes repeated searches cheap.

use mnemon_table::replace::Replace;
use mnemon_table::{Layout, Score, Window};

use crate::alpha_beta::NEGAMAX;
use crate::limits::Stopped;
use crate::node::INFINITY;
use crate::searcher::Searcher;
use crate::{Game, PathDependency, PathScore, WINS};

impl<G: Game, L: Layout, R: Replace> Searcher<'_, G, L, R> {
    /// The root's exact value by Plaat's MTD(f): the first search asks about `guess`, each other one about the bound
    /// that the last one proved.
    pub(crate) fn mtdf(&mut self, root: &G, depth: u8, guess: Score) -> Result<PathScore, Stopped> {
        let mut guess = guess;
        self.narrow_down(root, depth, |window| {
            guess = guess.max(window.lower).min(window.upper);
            if guess == window.lower { guess + 1 } else { guess }
        })
    }

    /// The root's exact value by bisection: first who wins, then by halves. For solvers, whose values are far apart and
    /// hard to guess.
    pub(crate) fn bisect(&mut self, root: &G, depth: u8) -> Result<PathScore, Stopped> {
        self.narrow_down(root, depth, |window| middle(window) + 1)
    }

    /// Searches until one value is left. `next_bound` chooses the bound to ask about, above the lower end of the window
    /// that is proved so far and not above its upper end.
    fn narrow_down(
        &mut self,
        root: &G,
        depth: u8,
        mut next_bound: impl FnMut(Window) -> Score,
    ) -> Result<PathScore, Stopped> {
        let mut window = Window { lower: WINS.lost_at(0), upper: -WINS.lost_at(0) };
        let (mut lower_depends_on, mut upper_depends_on) = (PathDependency::NONE, PathDependency::NONE);
        let mut line = Vec::new();
        while window.lower < window.upper {
            let bound = next_bound(window);
            debug_assert!(window.lower < bound && bound <= window.upper && bound < INFINITY);
            let PathScore { score, depends_on } = self.alpha_beta::<NEGAMAX>(root, depth, bound - 1, bound, 0)?;
            if score >= bound {
                (window.lower, lower_depends_on) = (score, depends_on);
                line = self.take_line();
            } else {
                (window.upper, upper_depends_on) = (score, depends_on);
            }
        }
        // The last search that failed high proves the value, so its line is the principal variation.
        self.put_line(line);
        Ok(PathScore { score: window.lower, depends_on: lower_depends_on.min(upper_depends_on) })
    }
}

/// The score to ask beyond: zero as long as either side may win; then the middle of the window, but not more than twice
/// as far from zero as its nearer end, since few values are large.
fn middle(Window { lower, upper }: Window) -> Score {
    if lower < 0 && upper > 0 {
        return 0;
    }
    let middle = lower + (upper - lower) / 2;
    let reach = 2 * lower.abs().min(upper.abs()) + 1;
    middle.clamp(-reach, reach).clamp(lower, upper - 1)
}

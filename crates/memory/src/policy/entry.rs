//! How a record becomes a table entry.

use mnemon_search::{HIGHEST_POINTS, MAX_DEPTH, WINS};
use mnemon_table::{Entry, Origin, Score, Window};

use crate::{Origins, PROVEN, Record};

/// The fuzz term of most policies: a recalled score is widened by 0.2 pawns at either bound.
pub const DEFAULT_FUZZ: Score = 20;

/// The window with its bounds moved outwards by the fuzz term. Draws and wins stay as they are, and no other score becomes a
/// win.
///
/// ```
/// use mnemon_memory::policy::widened;
/// use mnemon_table::Window;
///
/// assert_eq!(widened(Window::exact(35), 20), Window { lower: 15, upper: 55 });
/// assert_eq!(widened(Window::exact(0), 20), Window::exact(0));
/// assert_eq!(widened(Window::at_least(15_990), 20), Window::at_least(15_990));
/// ```
pub fn widened(window: Window, fuzz: Score) -> Window {
    widened_but_draws(window, fuzz, 0)
}

/// As [`widened`], where a draw has this score or 0.
pub(super) fn widened_but_draws(window: Window, fuzz: Score, draw: Score) -> Window {
    let moved = |score: Score, by: Score| {
        if score == 0 || score == draw || WINS.is_mate(score) {
            score
        } else {
            score.saturating_add(by).clamp(-HIGHEST_POINTS, HIGHEST_POINTS)
        }
    };
    Window { lower: window.map(|score| moved(score, -fuzz)).lower, upper: window.map(|score| moved(score, fuzz)).upper }
}

/// The record as an entry: its deepest window, widened unless it is proven.
pub(super) fn entry(record: &Record, widened: impl Fn(Window) -> Window) -> Entry {
    let (window, depth) = record.deepest();
    Entry {
        window: if depth == PROVEN { window } else { widened(window) },
        depth: depth.min(MAX_DEPTH),
        best: record.best,
        origin: if record.origins.contains(Origins::ADVICE) { Origin::Advice } else { Origin::Recalled },
        nodes: record.nodes,
        ..Entry::default()
    }
}

/// The record as an entry that no search goes beyond: what games have shown is not a matter of depth.
pub(super) fn at_every_depth(record: &Record) -> Entry {
    let is_known = record.lower.is_known() || record.upper.is_known();
    Entry { depth: if is_known { MAX_DEPTH } else { 0 }, ..entry(record, |window| window) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Claim;

    fn by_20(window: Window) -> Window {
        widened(window, 20)
    }

    #[test]
    fn proven_values_enter_at_the_greatest_depth_and_unchanged() {
        let solved = entry(&Record::exact(7, PROVEN), by_20);
        assert_eq!((solved.window, solved.depth), (Window::exact(7), MAX_DEPTH));
    }

    #[test]
    fn of_an_exact_win_the_proven_bound_enters() {
        let record = Record { lower: Claim::new(15_991, PROVEN), upper: Claim::new(15_991, 12), ..Record::default() };
        assert_eq!(entry(&record, by_20).window, Window::at_least(15_991));
    }

    #[test]
    fn heuristic_scores_are_widened_and_never_become_wins() {
        assert_eq!(entry(&Record::exact(-35, 9), by_20).window, Window { lower: -55, upper: -15 });
        assert_eq!(widened(Window::exact(HIGHEST_POINTS), 20).upper, HIGHEST_POINTS);
        assert_eq!(widened(Window::UNKNOWN, 20), Window::UNKNOWN);
    }
}

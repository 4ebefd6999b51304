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

/// What of a record enters the table, where that is a matter of choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryRules {
    /// Both bounds enter with the lesser of their depths, instead of the deeper bound alone.
    pub both_bounds: bool,
    /// A recalled entry replaces one that a search found, also where that is deeper.
    pub replaces_deeper: bool,
}

impl EntryRules {
    /// The record's window, and the depth that it is believed to.
    fn window(self, record: &Record) -> (Window, u8) {
        if self.both_bounds { record.window() } else { record.deepest() }
    }

    /// The origin of the record's entry: in the table, advice replaces what a search found.
    fn origin(self, record: &Record) -> Origin {
        let is_advice = self.replaces_deeper || record.origins.contains(Origins::ADVICE);
        if is_advice { Origin::Advice } else { Origin::Recalled }
    }
}

/// The record as an entry: its window by the rules, widened unless it is proven.
pub(super) fn entry(record: &Record, rules: EntryRules, widened: impl Fn(Window) -> Window) -> Entry {
    let (window, depth) = rules.window(record);
    Entry {
        window: if depth == PROVEN { window } else { widened(window) },
        depth: depth.min(MAX_DEPTH),
        best: record.best,
        origin: rules.origin(record),
        nodes: record.nodes,
        ..Entry::default()
    }
}

/// The record as an entry that no search goes beyond: what games have shown is not a matter of depth.
pub(super) fn at_every_depth(record: &Record) -> Entry {
    let is_known = record.lower.is_known() || record.upper.is_known();
    Entry { depth: if is_known { MAX_DEPTH } else { 0 }, ..entry(record, EntryRules::default(), |window| window) }
}

#[cfg(test)]
mod tests {
    use mnemon_table::Table;

    use super::*;
    use crate::Claim;

    fn by_20(window: Window) -> Window {
        widened(window, 20)
    }

    #[test]
    fn proven_values_enter_at_the_greatest_depth_and_unchanged() {
        let solved = entry(&Record::exact(7, PROVEN), EntryRules::default(), by_20);
        assert_eq!((solved.window, solved.depth), (Window::exact(7), MAX_DEPTH));
    }

    #[test]
    fn of_an_exact_win_the_proven_bound_enters() {
        let record = Record { lower: Claim::new(15_991, PROVEN), upper: Claim::new(15_991, 12), ..Record::default() };
        assert_eq!(entry(&record, EntryRules::default(), by_20).window, Window::at_least(15_991));
    }

    #[test]
    fn rules_decide_which_bounds_enter_and_whether_they_replace_a_deeper_search() {
        let record = Record { lower: Claim::new(10, 9), upper: Claim::new(30, 7), ..Record::default() };
        let entered = |rules| {
            let entry = entry(&record, rules, |window| window);
            (entry.window, entry.depth, entry.origin)
        };
        assert_eq!(entered(EntryRules::default()), (Window::at_least(10), 9, Origin::Recalled));
        let both = EntryRules { both_bounds: true, ..EntryRules::default() };
        assert_eq!(entered(both), (Window { lower: 10, upper: 30 }, 7, Origin::Recalled));
        let replacing = EntryRules { replaces_deeper: true, ..EntryRules::default() };
        for (rules, depth) in [(EntryRules::default(), 14), (replacing, 9)] {
            let table: Table = Table::new(1 << 12).expect("four kilobytes");
            table.store(77, Entry { depth: 14, window: Window::exact(4), ..Entry::default() });
            table.store(77, entry(&record, rules, |window| window));
            assert_eq!(table.probe(77).map(|entry| entry.depth), Some(depth), "{rules:?}");
        }
    }

    #[test]
    fn heuristic_scores_are_widened_and_never_become_wins() {
        assert_eq!(
            entry(&Record::exact(-35, 9), EntryRules::default(), by_20).window,
            Window { lower: -55, upper: -15 }
        );
        assert_eq!(widened(Window::exact(HIGHEST_POINTS), 20).upper, HIGHEST_POINTS);
        assert_eq!(widened(Window::UNKNOWN, 20), Window::UNKNOWN);
    }
}

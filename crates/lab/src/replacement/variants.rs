//! Schemes that were tried and gain nothing, beside those of the library.

use mnemon_table::replace::{Aged, Placement, Replace, Resident, SchemeVisitor, each_scheme};
use mnemon_table::{Entry, Score};

/// Calls the visitor with every scheme of the library, then with those of this module.
pub(super) fn each_variant(visitor: &mut impl SchemeVisitor) {
    each_scheme(visitor);
    visitor.visit(Extreme);
    visitor.visit(Exact);
}

/// Four slots; the entry of the least depth plus score is given up, which may be the new one. It knows no age, and a score
/// counts from 64 on, a ply for each doubling.
#[derive(Clone, Copy, Default)]
pub(super) struct Extreme;

impl Replace for Extreme {
    const NAME: &'static str = "Extreme";
    const WAYS: usize = 4;

    fn place(&self, residents: &[Resident], new: &Entry) -> Placement {
        let worth = |entry: &Entry| {
            let score: Score = entry.window.bound(Score::MIN).map_or(0, |(score, _)| score);
            let doublings = (score.unsigned_abs() >> 6).checked_ilog2().map_or(0, |log| log + 1);
            u32::from(entry.depth) + doublings.min(8)
        };
        let ranks = residents.iter().enumerate().map(|(way, resident)| (resident.as_ref().map(worth), way));
        match ranks.min() {
            Some((Some(least), _)) if worth(new) < least => Placement::Discard,
            Some((_, way)) => Placement::Way(way),
            None => Placement::Discard,
        }
    }
}

/// [`Aged`], an exact value counting for two plies more: in a search with null windows only the nodes of the principal
/// variation have one.
#[derive(Clone, Copy, Default)]
pub(super) struct Exact;

impl Replace for Exact {
    const NAME: &'static str = "Exact";
    const WAYS: usize = Aged::WAYS;

    fn place(&self, residents: &[Resident], new: &Entry) -> Placement {
        const PLIES: u8 = 2;
        let mut favoured = [None; Aged::WAYS];
        for (favoured, resident) in favoured.iter_mut().zip(residents) {
            *favoured = resident.map(|entry| {
                let plies = if entry.window.is_exact() { PLIES } else { 0 };
                Entry { depth: entry.depth.saturating_add(plies), ..entry }
            });
        }
        Aged.place(&favoured[..residents.len()], new)
    }
}

#[cfg(test)]
mod tests {
    use mnemon_table::Window;

    use super::*;

    fn entry(window: Window, depth: u8) -> Resident {
        Some(Entry { window, depth, ..Entry::default() })
    }

    #[test]
    fn exact_values_count_for_two_plies() {
        let residents = [entry(Window::exact(3), 4), entry(Window::at_least(3), 5), entry(Window::at_most(3), 7), None];
        let new = Entry::default();
        assert_eq!(Exact.place(&residents, &new), Placement::Way(3));
        assert_eq!(Exact.place(&residents[..3], &new), Placement::Way(1));
        assert_eq!(Aged.place(&residents[..3], &new), Placement::Way(0));
    }

    #[test]
    fn extreme_scores_stay_and_the_new_entry_may_not() {
        let residents = [entry(Window::at_least(300), 2), entry(Window::at_most(-9000), 1), entry(Window::exact(0), 4)];
        assert_eq!(Extreme.place(&residents, &Entry::default()), Placement::Discard);
        let deeper = Entry { depth: 6, ..Entry::default() };
        assert_eq!(Extreme.place(&residents, &deeper), Placement::Way(2));
    }
}

//! Renewing: which entry stays where a position is stored again that has one already.
//!
//! The position was searched again because its entry did not suffice: too shallow, or of no use for the window in hand. A
//! shallow search may leave less than was there, though: with the old entry a later, deeper search would have been saved.

use super::{Placement, Replace, Resident, SchemeOperation};
use crate::{Entry, Origin};

/// Keeps what is worth more, the default of every scheme.
///
/// - The `resident` stays, with the move of `new` if it has none, where `new` adds nothing to it:
///   [`outranks`] says when, and an entry of this generation also outlasts a bound from a search that is
///   [`MUCH_DEEPER`] plies shallower or more.
/// - Otherwise as [`latest`].
#[inline(always)]
pub fn worthier(resident: &Entry, new: &Entry) -> Entry {
    let is_bound = !new.window.is_exact();
    let is_kept = resident.age == 0 && is_bound && resident.depth >= new.depth.saturating_add(MUCH_DEEPER);
    let is_alike = resident.tainted == new.tainted && !resident.window.is_unknown();
    if is_kept && is_alike { with_move_of(resident, new) } else { latest(resident, new) }
}

/// A resident that is deeper by this many plies is worth more than a new bound.
pub const MUCH_DEEPER: u8 = 4;

/// The new entry replaces the old one of its position, unless that one [`outranks`] it.
///
/// - A missing move or evaluation is taken from the resident.
/// - At equal depth the two windows are intersected, unless they contradict each other, only one of them is tainted, or
///   `new` was not found by the search: a recalled entry is later than the resident. The move is then that of the entry
///   with the higher lower bound, which the move proved.
#[inline(always)]
pub fn latest(resident: &Entry, new: &Entry) -> Entry {
    if outranks(resident, new) {
        return with_move_of(resident, new);
    }
    let is_comparable = resident.depth == new.depth && resident.tainted == new.tainted && new.origin == Origin::Search;
    let intersection = if is_comparable { resident.window.intersect(new.window) } else { None };
    let keeps_move =
        new.best == 0 || resident.best != 0 && intersection.is_some_and(|window| window.lower > new.window.lower);
    Entry {
        window: intersection.unwrap_or(new.window),
        best: if keeps_move { resident.best } else { new.best },
        eval: new.eval.or(resident.eval),
        ..*new
    }
}

/// Whether nothing but the move of `new`, an entry of the same position, may be used, by any rule: the resident is
/// protected and `new` comes from a shallower search; it is clean, of the current generation, and `new` is tainted and no
/// deeper; or the search found it, it is clean, and `new` was recalled and is shallower.
#[inline(always)]
pub fn outranks(resident: &Entry, new: &Entry) -> bool {
    let is_deeper = resident.is_protected() && new.depth < resident.depth && new.origin == Origin::Search;
    let is_cleaner = !resident.tainted && new.tainted && resident.age == 0 && new.depth <= resident.depth;
    let is_live = resident.origin == Origin::Search && !resident.tainted && new.origin == Origin::Recalled;
    is_deeper || is_cleaner || is_live && new.depth < resident.depth
}

#[inline(always)]
fn with_move_of(resident: &Entry, new: &Entry) -> Entry {
    Entry { best: if resident.best == 0 { new.best } else { resident.best }, ..*resident }
}

/// The scheme `R`, which renews by [`latest`].
///
/// ```
/// use mnemon_table::replace::{Aged, Latest};
/// use mnemon_table::{Entry, Table, Wide, Window};
///
/// let (deep, bound) = (Entry { depth: 20, ..Entry::default() }, Window::at_most(-30));
/// let deep = Entry { window: Window::exact(12), ..deep };
/// let keeping: Table = Table::new(1 << 20)?;
/// let latest: Table<Wide, Latest<Aged>> = Table::new(1 << 20)?;
/// for entry in [deep, Entry { window: bound, depth: 0, ..Entry::default() }] {
///     keeping.store(7, entry);
///     latest.store(7, entry);
/// }
/// assert_eq!(keeping.probe(7), Some(deep));
/// assert_eq!(latest.probe(7).map(|entry| entry.window), Some(bound));
/// # Ok::<(), mnemon_table::TableError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Latest<R>(pub R);

impl<R: Replace> Replace for Latest<R> {
    const NAME: &'static str = "Latest";
    const WAYS: usize = R::WAYS;
    const COUNTS_ALL: bool = R::COUNTS_ALL;

    #[inline(always)]
    fn place(&self, residents: &[Resident], new: &Entry) -> Placement {
        self.0.place(residents, new)
    }

    #[inline(always)]
    fn renew(&self, resident: &Entry, new: &Entry) -> Entry {
        latest(resident, new)
    }

    #[inline(always)]
    fn run<O: SchemeOperation>(&self, operation: O) -> O::Output {
        operation.run_with(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Window;

    fn entry(window: Window, depth: u8) -> Entry {
        Entry { window, depth, ..Entry::default() }
    }

    #[test]
    fn windows_of_equal_depth_are_intersected() {
        let kept = latest(&entry(Window::at_least(3), 5), &entry(Window::at_most(8), 5));
        assert_eq!(kept.window, Window { lower: 3, upper: 8 });
        let kept = latest(&entry(Window::at_least(9), 5), &entry(Window::at_most(8), 5));
        assert_eq!(kept.window, Window::at_most(8), "on contradiction the new window is kept");
    }

    #[test]
    fn the_move_stays_with_the_bound_it_proved() {
        let strong = Entry { best: 7, ..entry(Window::at_least(9), 5) };
        let weak = Entry { best: 3, ..entry(Window::at_least(4), 5) };
        assert_eq!(latest(&strong, &weak), Entry { best: 7, ..strong });
        assert_eq!(latest(&weak, &strong), Entry { best: 7, ..strong });
    }

    #[test]
    fn other_depths_do_not_mix() {
        let kept = latest(&entry(Window::at_least(3), 4), &entry(Window::at_most(8), 5));
        assert_eq!((kept.window, kept.depth), (Window::at_most(8), 5));
    }

    #[test]
    fn gaps_are_filled_from_the_resident() {
        let old = Entry { best: 7, eval: Some(-4), ..entry(Window::exact(1), 2) };
        let kept = latest(&old, &entry(Window::exact(2), 6));
        assert_eq!((kept.best, kept.eval, kept.depth), (7, Some(-4), 6));
    }

    #[test]
    fn a_tainted_entry_does_not_replace_a_clean_one_that_is_as_deep() {
        let clean = entry(Window::at_least(3), 5);
        let tainted = Entry { tainted: true, best: 9, ..entry(Window::at_most(8), 5) };
        assert_eq!(latest(&clean, &tainted), Entry { best: 9, ..clean }, "only its move is of use");
        let deeper = Entry { depth: 6, ..tainted };
        assert_eq!(latest(&clean, &deeper), deeper);
        let aged = Entry { age: 1, ..clean };
        assert_eq!(latest(&aged, &tainted), tainted, "its generation is over");
    }

    #[test]
    fn tainted_and_clean_windows_are_not_intersected() {
        let tainted = Entry { tainted: true, ..entry(Window::at_least(3), 5) };
        let clean = entry(Window::at_most(8), 5);
        assert_eq!(latest(&tainted, &clean), clean);
        let both = latest(&tainted, &Entry { tainted: true, ..clean });
        assert_eq!((both.window, both.tainted), (Window { lower: 3, upper: 8 }, true));
    }

    #[test]
    fn a_recalled_window_is_not_intersected() {
        let searched = Entry { best: 5, ..entry(Window::exact(-46), 3) };
        let recalled = Entry { origin: Origin::Recalled, best: 5, ..entry(Window { lower: -164, upper: -46 }, 3) };
        assert_eq!(latest(&searched, &recalled), recalled, "a value that was backed up from below is the newer one");
        assert_eq!(latest(&recalled, &searched), searched);
    }

    #[test]
    fn a_recalled_position_yields_only_to_an_equal_search() {
        let recalled = Entry { origin: Origin::Recalled, ..entry(Window::exact(40), 12) };
        let shallow = Entry { best: 3, ..entry(Window::exact(-5), 11) };
        assert_eq!(latest(&recalled, &shallow), Entry { best: 3, ..recalled });
        assert_eq!(latest(&recalled, &entry(Window::exact(-5), 13)).window, Window::exact(-5));
        let aged = Entry { age: 1, ..recalled };
        assert_eq!(latest(&aged, &shallow).depth, 11, "its generation is over");
    }
}

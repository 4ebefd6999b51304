//! `Entry`: the value that a probe returns and a store takes.

use crate::{Score, Window};

/// Where an entry comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Found by the running program's own search.
    #[default]
    Search,
    /// Filled in from long-term memory.
    Recalled,
    /// Entered by a person.
    Advice,
}

/// What the table knows of one position, as a plain value: [`Table::probe`](crate::Table::probe) copies it out,
/// [`Table::store`](crate::Table::store) takes it in.
///
/// Set the fields that are known and leave the rest to the defaults:
///
/// ```
/// use mnemon_table::{Entry, Window};
///
/// let entry = Entry { window: Window::at_least(35), depth: 9, best: 0x1c3, ..Entry::default() };
/// assert_eq!(entry.eval, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What is known about the value, mate scores counted from this node (see [`Mates`](crate::Mates)).
    pub window: Window,
    /// The depth of the search that proved the window, in plies.
    pub depth: u8,
    /// The best or refuting move in the game's own code; 0 is no move.
    pub best: u16,
    /// The static evaluation of the position, if it was computed.
    pub eval: Option<Score>,
    /// Where the entry comes from.
    pub origin: Origin,
    /// Nodes searched below this position. The table keeps a rounded-down logarithm of it.
    pub nodes: u64,
    /// The window depends on the path that led to the position (a repetition, a move counter). Only the move of a
    /// tainted entry may be used on another path, and a long-term memory must not keep it.
    pub tainted: bool,
    /// How many generations ago the entry was stored. Set by a probe, ignored by a store.
    pub age: u8,
}

impl Default for Entry {
    /// No window, no move, no evaluation, depth 0.
    fn default() -> Self {
        Entry {
            window: Window::UNKNOWN,
            depth: 0,
            best: 0,
            eval: None,
            origin: Origin::Search,
            nodes: 0,
            tainted: false,
            age: 0,
        }
    }
}

impl Entry {
    /// Whether a store of the search must not replace this entry: it was recalled or advised in the current generation.
    #[inline]
    pub fn is_protected(&self) -> bool {
        self.origin != Origin::Search && self.age == 0
    }

    /// The entry to keep when the position of the resident `self` is stored again as `new`.
    ///
    /// - The resident, with `new`'s move if it has none, in three cases: it is protected and `new` comes from a shallower
    ///   search; it is clean, of the current generation, and `new` is tainted and no deeper; or the search found it, it is
    ///   clean, and `new` was recalled and is shallower.
    /// - Otherwise `new`, since the position was searched again because the resident did not suffice. A missing move or
    ///   evaluation is taken from the resident.
    /// - At equal depth the two windows are intersected, unless they contradict each other, only one of them is tainted,
    ///   or `new` was not found by the search: a recalled entry is later than the resident. The move is then that of the
    ///   entry with the higher lower bound, which the move proved.
    #[inline]
    pub fn updated_with(&self, new: &Entry) -> Entry {
        if self.outranks(new) {
            return Entry { best: if self.best == 0 { new.best } else { self.best }, ..*self };
        }
        let is_comparable = self.depth == new.depth && self.tainted == new.tainted && new.origin == Origin::Search;
        let intersection = if is_comparable { self.window.intersect(new.window) } else { None };
        let keeps_move =
            new.best == 0 || self.best != 0 && intersection.is_some_and(|window| window.lower > new.window.lower);
        Entry {
            window: intersection.unwrap_or(new.window),
            best: if keeps_move { self.best } else { new.best },
            eval: new.eval.or(self.eval),
            ..*new
        }
    }

    /// Whether nothing but the move of `new`, an entry of the same position, may be used.
    #[inline]
    fn outranks(&self, new: &Entry) -> bool {
        let is_deeper = self.is_protected() && new.depth < self.depth && new.origin == Origin::Search;
        let is_cleaner = !self.tainted && new.tainted && self.age == 0 && new.depth <= self.depth;
        let is_live = self.origin == Origin::Search && !self.tainted && new.origin == Origin::Recalled;
        is_deeper || is_cleaner || is_live && new.depth < self.depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(window: Window, depth: u8) -> Entry {
        Entry { window, depth, ..Entry::default() }
    }

    #[test]
    fn windows_of_equal_depth_are_intersected() {
        let kept = entry(Window::at_least(3), 5).updated_with(&entry(Window::at_most(8), 5));
        assert_eq!(kept.window, Window { lower: 3, upper: 8 });
        let kept = entry(Window::at_least(9), 5).updated_with(&entry(Window::at_most(8), 5));
        assert_eq!(kept.window, Window::at_most(8), "on contradiction the new window is kept");
    }

    #[test]
    fn the_move_stays_with_the_bound_it_proved() {
        let strong = Entry { best: 7, ..entry(Window::at_least(9), 5) };
        let weak = Entry { best: 3, ..entry(Window::at_least(4), 5) };
        assert_eq!(strong.updated_with(&weak), Entry { best: 7, ..strong });
        assert_eq!(weak.updated_with(&strong), Entry { best: 7, ..strong });
    }

    #[test]
    fn other_depths_do_not_mix() {
        let kept = entry(Window::at_least(3), 4).updated_with(&entry(Window::at_most(8), 5));
        assert_eq!((kept.window, kept.depth), (Window::at_most(8), 5));
    }

    #[test]
    fn gaps_are_filled_from_the_resident() {
        let old = Entry { best: 7, eval: Some(-4), ..entry(Window::exact(1), 2) };
        let kept = old.updated_with(&entry(Window::exact(2), 6));
        assert_eq!((kept.best, kept.eval, kept.depth), (7, Some(-4), 6));
    }

    #[test]
    fn a_tainted_entry_does_not_replace_a_clean_one_that_is_as_deep() {
        let clean = entry(Window::at_least(3), 5);
        let tainted = Entry { tainted: true, best: 9, ..entry(Window::at_most(8), 5) };
        assert_eq!(clean.updated_with(&tainted), Entry { best: 9, ..clean }, "only its move is of use");
        let deeper = Entry { depth: 6, ..tainted };
        assert_eq!(clean.updated_with(&deeper), deeper);
        let aged = Entry { age: 1, ..clean };
        assert_eq!(aged.updated_with(&tainted), tainted, "its generation is over");
    }

    #[test]
    fn tainted_and_clean_windows_are_not_intersected() {
        let tainted = Entry { tainted: true, ..entry(Window::at_least(3), 5) };
        let clean = entry(Window::at_most(8), 5);
        assert_eq!(tainted.updated_with(&clean), clean);
        let both = tainted.updated_with(&Entry { tainted: true, ..clean });
        assert_eq!((both.window, both.tainted), (Window { lower: 3, upper: 8 }, true));
    }

    #[test]
    fn a_recalled_window_is_not_intersected() {
        let searched = Entry { best: 5, ..entry(Window::exact(-46), 3) };
        let recalled = Entry { origin: Origin::Recalled, best: 5, ..entry(Window { lower: -164, upper: -46 }, 3) };
        assert_eq!(
            searched.updated_with(&recalled),
            recalled,
            "a value that was backed up from below is the newer one"
        );
        assert_eq!(recalled.updated_with(&searched), searched);
    }

    #[test]
    fn a_recalled_position_yields_only_to_an_equal_search() {
        let recalled = Entry { origin: Origin::Recalled, ..entry(Window::exact(40), 12) };
        let shallow = Entry { best: 3, ..entry(Window::exact(-5), 11) };
        assert_eq!(recalled.updated_with(&shallow), Entry { best: 3, ..recalled });
        assert_eq!(recalled.updated_with(&entry(Window::exact(-5), 13)).window, Window::exact(-5));
        let aged = Entry { age: 1, ..recalled };
        assert_eq!(aged.updated_with(&shallow).depth, 11, "its generation is over");
    }
}

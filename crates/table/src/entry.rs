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
    /// The depth of the search that proved the window, in plies. An entry that is deeper than the layout's
    /// [`DEPTH_LIMIT`](crate::Layout::DEPTH_LIMIT) is not stored; [`Table::depth`](crate::Table::depth) checks that
    /// when it compiles.
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
    /// The caller's own bits: whether the node was on the principal variation, say. The layout keeps
    /// [`FLAG_BITS`](crate::Layout::FLAG_BITS) of them, from the lowest; [`Table::flag`](crate::Table::flag) has only
    /// those. A store replaces them all.
    pub flags: u8,
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
            flags: 0,
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
}

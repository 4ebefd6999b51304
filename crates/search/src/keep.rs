//! Which results of a search the table keeps.

use mnemon_table::Window;

/// What of a search's results is stored in the table and used from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// Nothing: the table is neither probed nor filled.
    Nothing,
    /// Best moves only: hash moves, without cutoffs.
    Moves,
    /// Exact values and best moves.
    Exact,
    /// Upper bounds and best moves, an exact value counting as an upper bound.
    Upper,
    /// Exact values, both bounds and best moves.
    #[default]
    Both,
}

impl Keep {
    /// All of them, for tests and measurements.
    pub const ALL: [Keep; 5] = [Keep::Nothing, Keep::Moves, Keep::Exact, Keep::Upper, Keep::Both];

    /// The part of the window that is kept; the rest is unknown.
    pub(crate) fn kept(self, window: Window) -> Window {
        match self {
            Keep::Both => window,
            Keep::Upper => Window::at_most(window.upper),
            Keep::Exact if window.is_exact() => window,
            Keep::Exact | Keep::Moves | Keep::Nothing => Window::UNKNOWN,
        }
    }
}

//! Which results a search keeps.

use mnemon_table::Window;

/// What of a search's results goes into the table and is used from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// Nothing: no table at all.
    Nothing,
    /// Best moves, for ordering only.
    Moves,
    /// Exact values and best moves.
    Exact,
    /// Upper bounds and best moves, an exact value counting as an upper bound.
    Upper,
    /// Everything.
    #[default]
    Both,
}

impl Keep {
    /// Every switch, for tests and measurements.
    pub const ALL: [Keep; 5] = [Keep::Nothing, Keep::Moves, Keep::Exact, Keep::Upper, Keep::Both];

    /// The part of the window that is kept.
    pub(crate) fn part(self, window: Window) -> Window {
        match self {
            Keep::Both => window,
            Keep::Upper => Window::at_most(window.upper),
            Keep::Exact if window.is_exact() => window,
            Keep::Exact | Keep::Moves | Keep::Nothing => Window::UNKNOWN,
        }
    }
}

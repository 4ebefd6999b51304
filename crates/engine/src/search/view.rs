//! What a picker of moves looks at.

use cozy_chess::Board;

use super::history::{History, Moved};
use mnemon_chess::Position;

/// What a picker looks at.
pub(crate) struct View<'v> {
    pub(crate) position: &'v Position,
    /// The statistics, and the moves that led here, which they know.
    pub(crate) history: &'v History,
    pub(crate) before: &'v [Option<Moved>; 3],
}

impl View<'_> {
    pub(crate) fn board(&self) -> &Board {
        self.position.board()
    }
}

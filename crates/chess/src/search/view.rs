//! What a picker of moves looks at, and what it has fetched for the search.

use cozy_chess::{Board, Move};
use mnemon_table::Table;

use super::history::{History, Moved};
use crate::Position;

/// What a picker looks at.
pub(crate) struct View<'v> {
    pub(crate) position: &'v Position,
    /// The statistics, and the moves that led here, which they know.
    pub(crate) history: &'v History,
    pub(crate) before: &'v [Option<Moved>; 3],
    pub(crate) table: &'v Table,
}

impl View<'_> {
    pub(crate) fn board(&self) -> &Board {
        self.position.board()
    }

    /// Starts fetching what the table knows of the position behind a move, long before it is asked for.
    // Not inlined: a picker fetches in five places.
    #[inline(never)]
    pub(crate) fn fetch(&self, mv: Move) {
        self.table.prefetch(self.position.likely_key_after(mv));
    }
}

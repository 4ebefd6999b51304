//! What a move picker orders moves by.

use cozy_chess::Board;
use mnemon_chess::Position;

use super::history::{History, PieceTo};

/// The position, the statistics, and the moves that led to the position.
pub(crate) struct PickerContext<'v> {
    pub(crate) position: &'v Position,
    pub(crate) history: &'v History,
    /// The moves one, two and four plies ago, for continuation history.
    pub(crate) prior: &'v [Option<PieceTo>; 3],
}

impl PickerContext<'_> {
    pub(crate) fn board(&self) -> &Board {
        self.position.board()
    }
}

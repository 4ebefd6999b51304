//! What a move picker orders moves by.

use cozy_chess::{Board, Move};
use mnemon_chess::Position;

use super::checks::Checks;
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

/// What orders quiet moves besides history.
#[derive(Clone, Copy, Default)]
pub(crate) struct QuietOrdering {
    /// The last quiet moves that failed high at this ply.
    pub(crate) killers: [Option<Move>; 2],
    /// The quiet move that last refuted the opponent's move.
    pub(crate) countermove: Option<Move>,
    pub(crate) checks: Checks,
}

//! What can go wrong.

use mnemon_table::TableError;

/// Why there is no solver or no solution.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The table is too small to be exact.
    #[error("a table of {bytes} bytes could mistake one position for another on this board: ask for {needed} or more")]
    TableTooSmall {
        /// The bytes asked for.
        bytes: usize,
        /// The bytes it takes.
        needed: u64,
    },
    /// The table's memory cannot be had.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The stop flag was set.
    #[error("the solve was stopped")]
    Stopped,
}

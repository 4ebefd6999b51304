//! The solver's errors.

use mnemon_table::TableError;

/// Why there is no solver or no solution.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The table is too small to be exact.
    #[error("a table of {bytes} bytes could confuse two positions of this board: ask for {needed} bytes or more")]
    TableTooSmall {
        /// The requested size.
        bytes: usize,
        /// The smallest size that is exact.
        needed: u64,
    },
    /// The table's memory cannot be allocated.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The stop flag was set.
    #[error("the solve was stopped")]
    Stopped,
}

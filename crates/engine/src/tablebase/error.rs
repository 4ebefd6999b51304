//! Why tablebases cannot be used.

use std::io;
use std::path::PathBuf;

/// Why there are no tablebases to probe.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TablebaseError {
    /// The path names no folder.
    #[error("no tablebases: the path is empty")]
    EmptyPath,
    /// A folder or a file cannot be read.
    #[error("no tablebases: {}: {error}", path.display())]
    Read {
        /// The folder or file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The folders have no WDL table.
    #[error("no tablebases: there is no table in '{path}' (tables are files like KQvK.rtbw)")]
    NoTables {
        /// The path as it was given.
        path: String,
    },
    /// A file is not a whole table.
    #[error("no tablebases: {} is damaged ({reason}): get it again, or remove it", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// This process uses the tablebases of another path, and the prober allows only one.
    #[error("no tablebases from '{path}': those of '{in_use}' are in use")]
    InUse {
        /// The path as it was given.
        path: String,
        /// The path in use.
        in_use: String,
    },
    /// The prober does not accept the files.
    #[error("no tablebases: the prober cannot read the tables in '{path}'")]
    Prober {
        /// The path as it was given.
        path: String,
    },
}

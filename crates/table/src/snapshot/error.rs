//! Why a snapshot was not written or not accepted.

use std::io;
use std::path::PathBuf;

use crate::TableError;
use crate::file::{FileError, FileKind};

/// Why a snapshot could not be written or was not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// Reading or writing failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// To which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something else stands where a snapshot is to be read or written.
    #[error("{} is {kind}, not {expected}: nothing was changed", path.display())]
    WrongKind {
        /// The file.
        path: PathBuf,
        /// What stands there.
        kind: FileKind,
        /// What may stand there.
        expected: &'static str,
    },
    /// The file does not start as a snapshot does.
    #[error("{} is not a mnemon table snapshot", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by another version of the format.
    #[error("{} is a table snapshot of format {found}, this program reads format {known}: save it anew", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version this program reads.
        known: u32,
    },
    /// The file's table has another layout, key scheme or number of ways.
    #[error("{} holds a table with {what} {found}, this table has {wanted}", path.display())]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// What differs: the layout, the key scheme or the ways of a bucket.
        what: &'static str,
        /// What the file has.
        found: String,
        /// What this table has.
        wanted: String,
    },
    /// The file's length is not the one that its header states.
    #[error("{} is {found} bytes long where its header promises {wanted}: the file was cut or extended", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// Its length.
        found: u64,
        /// The length that the header states.
        wanted: u64,
    },
    /// A checksum does not match.
    #[error("{} is corrupt: the checksum of its {part} does not match", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Which part: the header, or a block by its number.
        part: String,
    },
    /// The table that the file holds does not fit into memory.
    #[error("cannot load {}: {source}", path.display())]
    Memory {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: TableError,
    },
}

impl From<FileError> for SnapshotError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Io { action, path, source } => Self::Io { action, path, source },
            FileError::WrongKind { path, kind, expected } => Self::WrongKind { path, kind, expected },
        }
    }
}

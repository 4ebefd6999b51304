//! What can go wrong, said to the user.

use std::io;
use std::path::PathBuf;

use crate::file::FileError;

/// Why a table of the wanted size cannot be had. The table that was there before is untouched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Less than one cache line was asked for.
    #[error("a table of {bytes} bytes cannot hold anything: ask for {least} bytes or more")]
    TooSmall {
        /// What was asked for.
        bytes: usize,
        /// The smallest table.
        least: usize,
    },
    /// More than the machine has was asked for.
    #[error("a table of {bytes} bytes does not fit this machine's {memory} bytes of memory: ask for less")]
    TooLarge {
        /// What was asked for.
        bytes: usize,
        /// The machine's physical memory, or the address space where that is not known.
        memory: usize,
    },
    /// The system refused the memory.
    #[error("the system refused {bytes} bytes for the table ({source}): ask for less")]
    Refused {
        /// What was asked for.
        bytes: usize,
        /// What the system said.
        source: io::Error,
    },
}

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
    /// The file is something else.
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
    /// The file holds another kind of table.
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
    /// The file has not the length its header promises.
    #[error("{} is {found} bytes long where its header promises {wanted}: the file was cut or extended", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// Its length.
        found: u64,
        /// The length that the header promises.
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
    fn from(FileError { action, path, source }: FileError) -> Self {
        Self::Io { action, path, source }
    }
}

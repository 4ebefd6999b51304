//! What can go wrong with a memory, said to the person whose memory it is.

use std::path::PathBuf;

/// Why a memory could not do what it was asked. Nothing that was there before is lost by any of these.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// There is no such file, and none is to be made.
    #[error("{}: there is no such memory", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{}: this is no mnemon memory ({found}); name another file with --memory", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        found: String,
    },
    /// The file was made by a newer version.
    #[error(
        "{}: this memory has format {found}, and this mnemon reads formats up to {newest}; install a newer mnemon",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The file's format.
        found: u32,
        /// The newest format that is understood.
        newest: u32,
    },
    /// The file is damaged.
    #[error(
        "{}: the memory is damaged ({detail}); 'mnemon memory verify' shows where, 'mnemon memory export' saves what \
         can still be read, and a backup is safe to put in its place",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The disk is full.
    #[error("{}: the disk is full; what was learned last is not kept, everything before it is", path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// The memory was opened for reading only, or its file or directory cannot be written.
    #[error("{}: the memory cannot be written ({detail}); what is in it can still be read", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// Why.
        detail: String,
    },
    /// Another process has been writing for too long.
    #[error("{}: another process has kept the memory for more than {seconds} seconds; try again", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
        /// How long was waited.
        seconds: u64,
    },
    /// A record that says nothing, or a key that cannot be filed.
    #[error("this cannot be remembered: {reason}")]
    Unfit {
        /// Why.
        reason: String,
    },
    /// Anything else that the store or the system reports.
    #[error("{}: {source}", path.display())]
    Store {
        /// The file.
        path: PathBuf,
        /// What it reported.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// What a memory gives, or why not.
pub type Result<T = ()> = std::result::Result<T, MemoryError>;

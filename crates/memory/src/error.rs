//! What can go wrong with a memory. Each case is one that a caller may answer differently: with a hint, a retry, a status.

use std::io;

/// The error of a memory. No record that was there before is lost by any of these.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// There is no memory at the location, and none is to be made.
    #[error("{location}: there is no such memory")]
    Missing {
        /// Where it was looked for.
        location: String,
    },
    /// The location is a URL of a kind of store that is not known.
    #[error("{location}: there is no store for '{scheme}://' locations; a memory is a file, given by its path")]
    UnknownScheme {
        /// The location.
        location: String,
        /// The part before its `://`.
        scheme: String,
    },
    /// The location is a file's, and this build has no store for files.
    #[error("{location}: this build has no file store (mnemon-memory was built without its feature 'sqlite')")]
    NoFileStore {
        /// The location.
        location: String,
    },
    /// What is at the location is something else.
    #[error("{location}: this is no mnemon memory ({found})")]
    Foreign {
        /// Where it is.
        location: String,
        /// What it is instead.
        found: String,
    },
    /// The memory was made by a newer version.
    #[error("{location}: this memory has format {found}, and this mnemon reads formats up to {newest}")]
    Newer {
        /// Where it is.
        location: String,
        /// Its format.
        found: u32,
        /// The newest format that is understood.
        newest: u32,
    },
    /// The memory has a table, an index, a view or a trigger that mnemon did not create, which could change what is read
    /// and written.
    #[error("{location}: mnemon did not create the {object} in this memory, which is not opened with it")]
    Extended {
        /// Where it is.
        location: String,
        /// Its type and name.
        object: String,
    },
    /// The memory is damaged.
    #[error("{location}: the memory is damaged ({detail})")]
    Damaged {
        /// Where it is.
        location: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The log beside the memory belongs to another file, which lay there before.
    #[error(
        "{location}: the log {log} belongs to the file that lay here before, and would destroy this one; to use this file as \
         it is, move the log away, and the file ending in -shm beside it; 'mnemon memory restore' puts a backup in place \
         without this"
    )]
    ForeignLog {
        /// The memory.
        location: String,
        /// The log.
        log: String,
    },
    /// The disk is full.
    #[error("{location}: the disk is full; what was learned last is not kept, everything before it is")]
    Full {
        /// What could not grow.
        location: String,
    },
    /// The memory was opened for reading only, or its file or directory cannot be written.
    #[error("{location}: the memory cannot be written ({detail}); what is in it can still be read")]
    ReadOnly {
        /// Where it is.
        location: String,
        /// Why.
        detail: String,
    },
    /// Another process has been writing for too long.
    #[error("{location}: another process has kept the memory for more than {seconds} seconds; try again")]
    Busy {
        /// Where it is.
        location: String,
        /// How long was waited.
        seconds: u64,
    },
    /// The memory is to be replaced while it is open elsewhere.
    #[error("{location}: another process has the memory open; nothing was changed")]
    InUse {
        /// Where it is.
        location: String,
    },
    /// The file, or its log, was replaced or deleted while it was open here.
    #[error(
        "{location}: the file or its log was replaced or deleted while the memory was open; what was learned last is not kept"
    )]
    Replaced {
        /// Where it was.
        location: String,
    },
    /// No memory can be made or looked for at the location.
    #[error("{location}: no memory can be made or found here ({detail})")]
    Unreachable {
        /// Where.
        location: String,
        /// The system's or the store's reason.
        detail: String,
    },
    /// A copy is to be written where there is something already.
    #[error("{location}: there is something already")]
    Exists {
        /// Where.
        location: String,
    },
    /// A copy cannot be written.
    #[error("{location}: the copy cannot be made here ({source})")]
    Copy {
        /// Where.
        location: String,
        /// The system's reason.
        source: io::Error,
    },
    /// A record that is empty, or a key that no store can hold.
    #[error("this cannot be remembered: {reason}")]
    InvalidItem {
        /// Why.
        reason: String,
    },
    /// The thread that writes what is learned cannot be started, or has panicked.
    #[error("the memory's writing thread: {detail}; what was to be written is not kept")]
    Writer {
        /// What happened to it.
        detail: String,
    },
    /// Anything else that the store reports.
    #[error("{location}: {detail}")]
    Store {
        /// Where the store is.
        location: String,
        /// What it reported.
        detail: String,
    },
}

/// The result of an operation of a memory.
pub type Result<T = ()> = std::result::Result<T, MemoryError>;

//! The directory of the file, on the disk.

use std::io;
use std::path::Path;

use super::errors::explain_io;
use crate::Result;

/// Returns when the names in the file's directory are on the disk, its log's among them. SQLite syncs the directory with a
/// new log, but does not look whether that succeeds: what was acknowledged in a log without a name would be lost with the
/// power, and a log that was deleted could come back and be replayed. Where directories cannot be synced, nothing is done.
pub(super) fn sync_directory(path: &Path) -> Result {
    match sync_folder_of(path) {
        Err(error) if !is_unsupported(&error) => Err(explain_io(path, &error)),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn sync_folder_of(path: &Path) -> io::Result<()> {
    // The log is beside the file itself, not beside a symbolic link to it.
    let file = std::fs::canonicalize(path)?;
    std::fs::File::open(file.parent().unwrap_or(Path::new("/")))?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder_of(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Whether this directory can be written, but not read or synced.
fn is_unsupported(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported)
}

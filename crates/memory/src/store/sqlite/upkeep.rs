//! Upkeep of the file: verification, compaction, backup while it is in use.

use std::fs;
use std::io;
use std::path::Path;

use mnemon_table::file::PendingFile;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::SqliteStore;
use super::connection::Reader;
use super::filter;
use super::read::bytes_on_disk;
use super::schema::Version;
use crate::store::{Compacted, Upkeep, Verified};
use crate::{MemoryError, Result};

/// How many pages are copied between two reports of progress.
const STRIDE: i32 = 4096;

impl Upkeep for SqliteStore {
    fn verify(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<Verified> {
        let reader = self.reader()?;
        let mut verified = Verified::default();
        if let Err(error) = self.verify_all(&reader, &mut verified, progress) {
            match self.explain(error) {
                MemoryError::Damaged { detail, .. } => verified.report(detail),
                error => return Err(error),
            }
        }
        Ok(verified)
    }

    fn compact(&self) -> Result<Compacted> {
        let before = bytes_on_disk(&self.path);
        self.transact(filter::rewrite)?;
        let writer = self.writer()?;
        self.check_in_place()?;
        writer.execute_batch("VACUUM").map_err(|error| self.explain(error))?;
        // Truncates the log, unless a reader still uses it; then the last connection that closes does.
        let truncated = writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        truncated.map_err(|error| self.explain(error))?;
        Ok(Compacted { before, after: bytes_on_disk(&self.path) })
    }

    fn backup(&self, to: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<u64> {
        let reader = self.reader()?;
        let refuse = |error| refused(to, error);
        if fs::symlink_metadata(to).is_ok() {
            return Err(refuse(io::ErrorKind::AlreadyExists.into()));
        }
        let pending = PendingFile::create(to).map_err(|error| refuse(error.into()))?;
        copy(&reader, pending.temporary_path(), progress).map_err(|error| self.explain_copy(to, error))?;
        let bytes = pending.as_file().metadata().map_err(refuse)?.len();
        pending.create_new().map_err(|error| refuse(error.into()))?;
        Ok(bytes)
    }
}

impl SqliteStore {
    /// A full disk is the copy's; other errors are the memory's.
    pub(super) fn explain_copy(&self, to: &Path, error: rusqlite::Error) -> MemoryError {
        match self.explain(error) {
            MemoryError::Full { .. } => MemoryError::Full { location: to.display().to_string() },
            error => error,
        }
    }
}

/// Copies every page of one snapshot.
pub(super) fn copy(reader: &Reader<'_>, to: &Path, progress: &mut dyn FnMut(u64, u64)) -> rusqlite::Result<()> {
    reader.begin_snapshot()?;
    reader.query_row("SELECT count(*) FROM games", [], |_| Ok(()))?;
    let mut copy = Connection::open(to)?;
    // The finished copy is synced as a whole.
    copy.pragma_update(None, "synchronous", "OFF")?;
    let backup = Backup::new(reader, &mut copy)?;
    loop {
        let step = backup.step(STRIDE)?;
        let pages = backup.progress();
        let total = u64::try_from(pages.pagecount).unwrap_or(0);
        progress(total - u64::try_from(pages.remaining).unwrap_or(0), total);
        if step == StepResult::Done {
            break;
        }
    }
    drop(backup);
    // A memory that lies in the copy's place one day has another log.
    if Version::read(&copy)?.has_incarnation() {
        Version::random(&copy)?.write(&copy)?;
    }
    Ok(())
}

/// The error of a copy that cannot be written.
pub(super) fn refused(to: &Path, error: io::Error) -> MemoryError {
    let location = to.display().to_string();
    match error.kind() {
        io::ErrorKind::AlreadyExists => MemoryError::Exists { location },
        _ => MemoryError::Copy { location, source: error },
    }
}

//! Putting a backup in a memory's place.
//!
//! The backup is written over the memory's pages in one transaction of the memory's own file, so the log that lies beside
//! it is always that of the file, and a process killed at any instant leaves the old contents or the new.

use std::path::Path;
use std::time::Duration;

use mnemon_table::file::PendingFile;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::SqliteStore;
use super::create::{foreign, is_file};
use super::directory::sync_directory;
use super::errors::explain;
use super::log::Admission;
use super::schema::{APPLICATION, Version};
use super::upkeep::{copy, refused};
use crate::{Access, MemoryError, Result, Upkeep};

/// How long another process may take to close the memory.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// How many pages are copied between two reports of progress.
const STRIDE: i32 = 4096;

/// Replaces the contents of the memory at `path` with those of the backup, which is verified first. Returns the number of
/// records.
pub(crate) fn restore(path: &Path, backup: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<u64> {
    let from = SqliteStore::open(backup, Access::ReadOnly)?;
    let verified = from.verify(progress)?;
    if let Some(damage) = verified.damage.first() {
        return Err(from.damaged(damage.clone()));
    }
    if !is_file(path)? {
        // A log that was left beside a missing file would be replayed over a copy: SQLite deletes it with the new file.
        drop(SqliteStore::open(path, Access::Create)?);
    }
    let copy = Copy::of(&from, path)?;
    let _admission = Admission::to_replace(path);
    let mut to = lock(path)?;
    sync_directory(path)?;
    overwrite(&copy.connection, &mut to, progress).map_err(|error| explain(path, error))?;
    close(to).map_err(|error| explain(path, error))?;
    Ok(verified.records)
}

/// A copy of a backup, beside the memory: an incarnation that no other file has, so that no log can be mistaken for another.
struct Copy {
    connection: Connection,
    _file: PendingFile,
}

impl Copy {
    fn of(from: &SqliteStore, path: &Path) -> Result<Self> {
        let file = PendingFile::create(path).map_err(|error| refused(path, error.into()))?;
        let explained = |error| from.explain_copy(path, error);
        let reader = from.reader()?;
        copy(&reader, file.temporary_path(), &mut |_, _| ()).map_err(explained)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file.temporary_path(), flags).map_err(explained)?;
        Ok(Copy { connection, _file: file })
    }
}

/// Opens the memory, of which nothing but its header need be sound, and locks all other processes out.
fn lock(path: &Path) -> Result<Connection> {
    let prepare = || -> rusqlite::Result<Option<Connection>> {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(absolute, flags)?;
        connection.busy_timeout(LOCK_TIMEOUT)?;
        // With these settings SQLite does not read the schema, which may be damaged.
        connection.pragma_update(None, "fullfsync", true)?;
        connection.pragma_update_and_check(None, "locking_mode", "EXCLUSIVE", |_| Ok(()))?;
        connection.pragma_update_and_check(None, "wal_autocheckpoint", 0, |_| Ok(()))?;
        // Fails while another connection is open, since each holds a lock as long as the file has a log. The version is
        // written as it is, so that the log belongs to the file as long as it has its old contents, too.
        connection.execute_batch("BEGIN EXCLUSIVE")?;
        let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
        if application != APPLICATION {
            return Ok(None);
        }
        Version::read(&connection)?.write(&connection)?;
        connection.execute_batch("COMMIT")?;
        Ok(Some(connection))
    };
    match prepare() {
        Ok(Some(connection)) => Ok(connection),
        Ok(None) => Err(foreign(path, "another program's SQLite database")),
        Err(error) => Err(match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                MemoryError::InUse { location: path.display().to_string() }
            }
            Some(ErrorCode::NotADatabase) => foreign(path, "not an SQLite database, or one without its head"),
            _ => explain(path, error),
        }),
    }
}

/// Copies every page in one transaction.
fn overwrite(from: &Connection, to: &mut Connection, progress: &mut dyn FnMut(u64, u64)) -> rusqlite::Result<()> {
    let backup = Backup::new(from, to)?;
    loop {
        let step = backup.step(STRIDE)?;
        let pages = backup.progress();
        let total = u64::try_from(pages.pagecount).unwrap_or(0);
        progress(total - u64::try_from(pages.remaining).unwrap_or(0), total);
        match step {
            StepResult::Done => return Ok(()),
            StepResult::More => {}
            // Both files are locked here, so neither is expected.
            _ => {
                return Err(rusqlite::Error::SqliteFailure(
                    rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY),
                    None,
                ));
            }
        }
    }
}

/// Moves the transaction from the log into the file, and closes it; the log goes with that.
fn close(connection: Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    connection.close().map_err(|(_, error)| error)
}

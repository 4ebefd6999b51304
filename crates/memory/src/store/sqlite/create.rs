//! Opening a memory: a path becomes a store, or an error that says why not.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, RwLock};

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use super::SqliteStore;
use super::connection::{Mode, Readers, open, wait};
use super::directory::sync_directory;
use super::errors::{explain, is_refused};
use super::file_id::{FileId, file_id};
use super::filter::Filter;
use super::format1::{self, UpgradeError};
use super::log::Admission;
use super::names::Names;
use super::schema::{self, FORMAT, Format, Identified};
use crate::store::contributor::validate_label;
use crate::{Access, MemoryError, Result};

/// SQLite's page size. Random upserts are faster by a third to a half than with 8 and 16 KiB (`mnemon lab memory`), since
/// each of them writes a page to the log; lookups and bytes per record hardly differ.
const PAGE_BYTES: u32 = 4096;

impl SqliteStore {
    /// Opens the memory at the path.
    ///
    /// # Errors
    /// A file that is no memory, is of a newer format, is damaged, or cannot be opened in this way;
    /// [`MemoryError::Missing`] where `access` does not create it.
    pub(crate) fn open(path: &Path, access: Access) -> Result<Self> {
        let is_there = is_file(path)?;
        let file = file_id(path);
        let mut admission = Admission::to(path)?;
        match access {
            Access::ReadOnly | Access::Existing if !is_there => {
                Err(MemoryError::Missing { location: path.display().to_string() })
            }
            Access::ReadOnly => {
                let (mode, connection, format) = open_for_reading(path)?;
                let store = Self::assemble(path, file, (mode, format), None, admission)?;
                store.readers.put(connection);
                Ok(store)
            }
            Access::Existing | Access::Create => {
                if !is_there {
                    create_directory(path)?;
                }
                let connection = open_for_writing(path)?;
                admission.note_created(path);
                // The path may have got another file while it was opened; then the first write says so.
                let file = if is_there { file } else { file_id(path) };
                let store = Self::assemble(path, file, (Mode::Read, Format::Two), Some(connection), admission)?;
                sync_directory(path)?;
                Ok(store)
            }
        }
    }

    fn assemble(
        path: &Path,
        file: Option<FileId>,
        (mode, format): (Mode, Format),
        writer: Option<Connection>,
        admission: Admission,
    ) -> Result<Self> {
        let readers = Readers::new(path, mode);
        let names = readers.take().and_then(|reader| Names::load(&reader, format));
        let names = names.map_err(|error| explain(path, error))?;
        // SQLite puts the log beside the file itself, not beside a symbolic link to it.
        let log = fs::canonicalize(path).ok().filter(|_| writer.is_some()).map(|path| super::log_path(&path));
        Ok(SqliteStore {
            path: path.to_owned(),
            file,
            format,
            log: log.and_then(|log| file_id(&log).map(|id| (log, id))),
            readers,
            writer: writer.map(Mutex::new),
            names: RwLock::new(Arc::new(names)),
            damaged: AtomicU64::new(0),
            miscounted: AtomicU64::new(0),
            blocked: AtomicBool::new(false),
            filter: RwLock::new(Filter::default()),
            _admission: admission,
        })
    }
}

/// Whether there is a file at the path; an error if there is something else. The file is not opened: see
/// [`connection`](super::connection).
pub(super) fn is_file(path: &Path) -> Result<bool> {
    let found = match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => return Ok(true),
        Ok(metadata) if metadata.is_dir() => "a directory",
        Ok(_) => "a device or a pipe",
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(unreachable(path, &error)),
    };
    Err(foreign(path, found))
}

fn create_directory(path: &Path) -> Result {
    let parent = path.parent().unwrap_or(Path::new(""));
    if parent.as_os_str().is_empty() || parent.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(parent).map_err(|error| unreachable(path, &error))
}

fn open_for_writing(path: &Path) -> Result<Connection> {
    let was_there = is_file(path)?;
    let (mut connection, identified) = match open_and_create(path) {
        Ok(opened) => opened,
        Err(error) if is_refused(&error) && !was_there => return Err(unreachable(path, &error)),
        Err(error) => return Err(explain_opening(path, error)),
    };
    let format = accept(path, identified)?;
    if connection.is_readonly("main").map_err(|error| explain(path, error))? {
        return Err(MemoryError::ReadOnly {
            location: path.display().to_string(),
            detail: "the file may not be written".to_owned(),
        });
    }
    start_log(path, &connection)?;
    if format == Format::One {
        upgrade(path, &mut connection)?;
    }
    // A connection that never read the log would leave it behind when it is closed, empty.
    schema::identify(&connection).map_err(|error| explain(path, error))?;
    Ok(connection)
}

/// Upgrades a memory of format 1, unless another process was first. It is one transaction: a process killed at any instant
/// leaves the old format or the new.
fn upgrade(path: &Path, connection: &mut Connection) -> Result {
    let explained = |error| explain(path, error);
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(explained)?;
    match accept(path, schema::identify(&transaction).map_err(explained)?)? {
        Format::Two => return Ok(()),
        Format::One => {}
    }
    match format1::upgrade(&transaction, &default_label(path)) {
        Ok(()) => transaction.commit().map_err(explained)?,
        Err(UpgradeError::Sqlite(error)) => return Err(explain(path, error)),
        Err(UpgradeError::Damaged(number)) => {
            let detail = format!(
                "{number} of its records or names fail their checks, and it is not upgraded from format 1, which would \
                 lose them"
            );
            return Err(MemoryError::ReadOnly { location: path.display().to_string(), detail });
        }
    }
    // The old tables' room is given back; where others read meanwhile, it is left for new records.
    let _ = connection.execute_batch("VACUUM");
    Ok(())
}

/// The label of a new memory: its file's name without the ending; where that is the default one's, the user's name.
fn default_label(path: &Path) -> String {
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let user = || ["USER", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
    let label = if name == "memory" { user().unwrap_or(name) } else { name };
    if validate_label(&label).is_ok() { label } else { "memory".to_owned() }
}

/// Opens the file, and creates a memory in it if it has no bytes. SQLite also takes a file of a few bytes for empty and
/// would overwrite it; that may be a user's file.
fn open_and_create(path: &Path) -> rusqlite::Result<(Connection, Identified)> {
    let had_bytes = has_bytes(path);
    let mut connection = open(path, Mode::Write)?;
    let mut identity = schema::identify(&connection)?;
    if identity == Identified::Empty && had_bytes && has_bytes(path) {
        // Another process may have created a memory in it just now.
        identity = schema::identify(&connection)?;
    } else if identity == Identified::Empty && !connection.is_readonly("main")? {
        identity = create(&mut connection, &default_label(path))?;
    }
    Ok((connection, identity))
}

fn has_bytes(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.len() > 0)
}

/// Opens the file for reading while others may write; or, where no log can be created and there is none, as an immutable
/// file.
fn open_for_reading(path: &Path) -> Result<(Mode, Connection, Format)> {
    let identify = |mode| {
        let connection = open(path, mode)?;
        let identity = schema::identify(&connection)?;
        Ok((mode, connection, identity))
    };
    // A log that is there already stays: it may be of a process that was killed, and to delete it is to write it back.
    let mode = if has_log(path) || has_journal(path) { Mode::Read } else { Mode::TidyRead };
    let opened = match identify(mode) {
        Err(error) if is_refused(&error) && !has_log(path) => identify(Mode::Immutable),
        Err(error) if is_refused(&error) => {
            let detail = "it was not closed, and its log can only be read where files can be made: copy the memory \
                          and its -wal file to a directory that can be written";
            return Err(MemoryError::ReadOnly { location: path.display().to_string(), detail: detail.to_owned() });
        }
        opened => opened,
    };
    let (mode, connection, identified) = opened.map_err(|error| explain_opening(path, error))?;
    let format = accept(path, identified)?;
    Ok((mode, connection, format))
}

/// Whether there is a write-ahead log with contents. It is beside the file itself, not beside a symbolic link to it.
fn has_log(path: &Path) -> bool {
    has_bytes(&super::log_path(&fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())))
}

/// Whether there is a journal of a transaction that has not ended.
fn has_journal(path: &Path) -> bool {
    let mut journal = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()).into_os_string();
    journal.push("-journal");
    has_bytes(Path::new(&journal))
}

fn accept(path: &Path, identified: Identified) -> Result<Format> {
    let location = path.display().to_string();
    match identified {
        Identified::Memory(format) => Ok(format),
        Identified::Empty => Err(foreign(path, "there is nothing in it that mnemon wrote")),
        Identified::Foreign => Err(foreign(path, "another program's SQLite database")),
        Identified::Newer(found) => Err(MemoryError::Newer { location, found, newest: FORMAT }),
        Identified::Extended(object) => Err(MemoryError::Extended { location, object }),
        Identified::Altered(detail) => Err(MemoryError::Damaged { location, detail }),
    }
}

/// Creates a memory in an empty file, unless another process was first. One transaction with a rollback journal does it: a
/// process killed at any instant leaves the file empty or complete.
fn create(connection: &mut Connection, label: &str) -> rusqlite::Result<Identified> {
    connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    if schema::identify(&transaction)? == Identified::Empty {
        schema::create(&transaction, label)?;
    }
    let identity = schema::identify(&transaction)?;
    transaction.commit()?;
    Ok(identity)
}

/// Turns the write-ahead log on. The file's header keeps the setting.
fn start_log(path: &Path, connection: &Connection) -> Result {
    let mut tries = 0;
    let mode = loop {
        match switch_to_log(connection) {
            // SQLite does not always call the busy handler here.
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && wait(tries) => tries += 1,
            mode => break mode.map_err(|error| explain(path, error))?,
        }
    };
    if mode == "wal" {
        return Ok(());
    }
    let reason = "this file system cannot share a memory between processes; put the memory on a local disk";
    Err(MemoryError::Store { location: path.display().to_string(), detail: reason.to_owned() })
}

/// Asks for the write-ahead log; returns the mode that the file has then. The statement is run to its end: the header is
/// written after its only row, and an error there would be lost with a statement that is dropped before.
fn switch_to_log(connection: &Connection) -> rusqlite::Result<String> {
    let mut statement = connection.prepare("PRAGMA journal_mode = WAL")?;
    let mut rows = statement.query([])?;
    let mut mode = String::new();
    while let Some(row) = rows.next()? {
        mode = row.get(0)?;
    }
    Ok(mode)
}

pub(super) fn foreign(path: &Path, found: &str) -> MemoryError {
    MemoryError::Foreign { location: path.display().to_string(), found: found.to_owned() }
}

fn explain_opening(path: &Path, error: rusqlite::Error) -> MemoryError {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => foreign(path, "not an SQLite database, or one without its head"),
        _ => explain(path, error),
    }
}

fn unreachable(path: &Path, error: &dyn std::error::Error) -> MemoryError {
    MemoryError::Unreachable { location: path.display().to_string(), detail: error.to_string() }
}

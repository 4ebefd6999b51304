//! The file store: one SQLite database with a write-ahead log.
//!
//! Several processes may have it open: they read concurrently, and one at a time writes. Every commit is on the disk when it
//! returns. Every record has a checksum, which is verified before the record is returned.

mod annotations;
mod census;
mod connection;
mod create;
mod directory;
mod errors;
mod file_id;
mod filter;
mod format;
mod format1;
mod log;
mod meta;
mod names;
mod read;
mod restore;
mod row;
mod scan;
mod schema;
mod upkeep;
mod verify;
mod write;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use rusqlite::Connection;

use self::connection::{Reader, Readers};
use self::file_id::{FileId, file_id};
use self::filter::Filter;
use self::log::Admission;
use self::names::Names;
pub(crate) use self::restore::restore;
use self::schema::Format;
use super::contributor::validate_label;
use super::{Contributor, Identity, Item, Merged, Range, Statistics, Store, Upkeep};
use crate::{Annotation, Content, Key, MemoryError, MemoryId, Record, Result, Source};

/// A memory in a file.
#[derive(Debug)]
pub(crate) struct SqliteStore {
    path: PathBuf,
    /// The file that was opened.
    file: Option<FileId>,
    format: Format,
    /// The path of its log and the file there, which exists as long as the connection that writes.
    log: Option<(PathBuf, FileId)>,
    /// Dropped before the writer: the last connection to be closed checkpoints the log and deletes it.
    readers: Readers,
    /// `None` if the memory was opened for reading only.
    writer: Option<Mutex<Connection>>,
    names: RwLock<Arc<Names>>,
    /// The number of records that failed their checksum.
    damaged: AtomicU64,
    /// The largest difference between a scan and the file's counts.
    miscounted: AtomicU64,
    /// Whether a transaction waits for the lock.
    blocked: AtomicBool,
    filter: RwLock<Filter>,
    /// Dropped last, after all connections.
    _admission: Admission,
}

impl SqliteStore {
    /// The file's path as text.
    fn location(&self) -> String {
        self.path.display().to_string()
    }

    fn reader(&self) -> Result<Reader<'_>> {
        self.readers.take().map_err(|error| self.explain(error))
    }

    /// The connection that writes, for one thread at a time. A thread that panicked has left no open transaction.
    fn writer(&self) -> Result<MutexGuard<'_, Connection>> {
        let writer = self.writer.as_ref().ok_or_else(|| MemoryError::ReadOnly {
            location: self.location(),
            detail: "it was opened for reading only".to_owned(),
        })?;
        Ok(writer.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Refuses if the path, or that of the log, leads to another file than the one that is open, or to none: what is written
    /// to the open file would be lost with it, or its log would be taken for the other's.
    fn check_in_place(&self) -> Result {
        let has_log = self.log.as_ref().is_none_or(|(path, log)| file_id(path) == Some(*log));
        if has_log && file_id(&self.path) == self.file {
            return Ok(());
        }
        Err(MemoryError::Replaced { location: self.location() })
    }

    fn names(&self) -> Arc<Names> {
        Arc::clone(&self.names.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the names again, as the connection sees them.
    fn reload_names(&self, connection: &Connection) -> rusqlite::Result<Arc<Names>> {
        let names = Arc::new(Names::load(connection, self.format)?);
        self.cache_names(Arc::clone(&names));
        Ok(names)
    }

    /// Caches the names if there are more than before: a reader with an older snapshot sees fewer.
    fn cache_names(&self, names: Arc<Names>) {
        let mut cached = self.names.write().unwrap_or_else(PoisonError::into_inner);
        if names.len() > cached.len() {
            *cached = names;
        }
    }

    /// Of format 1 the identity is that of its file's name: it has none of its own.
    fn read_identity(&self) -> Result<Identity> {
        if self.format == Format::One {
            let label = self.path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            return Ok(Identity { id: MemoryId::of_text(&label), label });
        }
        let reader = self.reader()?;
        let identity = meta::read(&reader).map_err(|error| self.explain(error))?;
        identity.ok_or_else(|| self.damaged("its identity cannot be read"))
    }

    fn explain(&self, error: rusqlite::Error) -> MemoryError {
        errors::explain(&self.path, error)
    }

    fn damaged(&self, detail: impl Into<String>) -> MemoryError {
        MemoryError::Damaged { location: self.location(), detail: detail.into() }
    }

    fn count_damaged(&self, records: u64) {
        self.damaged.fetch_add(records, Ordering::Relaxed);
    }
}

impl Store for SqliteStore {
    fn get_many(&self, game: &str, positions: &[&[u8]], found: &mut dyn FnMut(usize, &Source, Record)) -> Result {
        self.look_up(game, positions, found)
    }

    fn merge_many(&self, items: &[Item]) -> Result<Merged> {
        self.join_items(items, crate::merge)
    }

    fn replace_many(&self, items: &[Item]) -> Result<Merged> {
        self.join_items(items, |_, new| *new)
    }

    fn replace_unchanged(&self, items: &[Item], seen: &[Option<Record>]) -> Result<Option<Merged>> {
        self.replace_unchanged(items, seen)
    }

    fn annotations(&self, game: &str, position: &[u8]) -> Result<Vec<(Source, Content)>> {
        self.read_annotations(game, position)
    }

    fn merge_annotations(&self, annotations: &[Annotation]) -> Result<Merged> {
        self.write_annotations(annotations)
    }

    fn merge_findings(&self, items: &[Item], annotations: &[Annotation]) -> Result<Merged> {
        self.merge_items_and_annotations(items, annotations)
    }

    fn scan_annotations(&self, range: &Range<'_>, visit: &mut dyn FnMut(Annotation) -> ControlFlow<()>) -> Result {
        self.visit_annotations(range, visit)
    }

    fn identity(&self) -> Result<Identity> {
        self.read_identity()
    }

    fn set_label(&self, label: &str) -> Result {
        validate_label(label)?;
        self.write_label(label)
    }

    fn contributors(&self) -> Result<Vec<Contributor>> {
        if self.format == Format::One {
            return Ok(Vec::new());
        }
        let reader = self.reader()?;
        let (contributors, damaged) = meta::contributors(&reader).map_err(|error| self.explain(error))?;
        self.count_damaged(damaged);
        Ok(contributors)
    }

    fn set_contributor(&self, contributor: &Contributor) -> Result {
        validate_label(&contributor.label)?;
        self.write_contributor(contributor)
    }

    fn delete_many(&self, keys: &[Key]) -> Result<u64> {
        self.delete_keys(keys)
    }

    fn scan(&self, range: &Range<'_>, visit: &mut dyn FnMut(Item) -> ControlFlow<()>) -> Result {
        let reader = self.reader()?;
        self.scan_range(&reader, range, visit).map_err(|error| self.explain(error))
    }

    /// Does nothing: every merge is on the disk before it returns.
    fn sync(&self) -> Result {
        Ok(())
    }

    fn statistics(&self) -> Result<Statistics> {
        let reader = self.reader()?;
        self.read_statistics(&reader).map_err(|error| self.explain(error))
    }

    fn size_hint(&self, game: &str) -> Result<Option<u64>> {
        let reader = self.reader()?;
        self.read_count(&reader, game).map(Some).map_err(|error| self.explain(error))
    }

    fn is_blocked(&self) -> bool {
        // What is learned is also read before it is written.
        self.blocked.load(Ordering::Relaxed) || connection::is_any_waiting()
    }

    fn upkeep(&self) -> Option<&dyn Upkeep> {
        Some(self)
    }
}

/// The path of a file's write-ahead log.
fn log_path(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

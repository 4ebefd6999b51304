//! Connections to the file: how they are opened, how they wait for one another, and the pool of those that read.
//!
//! The file must never be opened here by any other means than SQLite: closing a file takes away all locks that this
//! process holds on it (POSIX), and another process could then remove the log under our feet.

use std::cell::Cell;
use std::hash::{BuildHasher, RandomState};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, config::DbConfig};

/// How long a writer waits for its turn.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(600);

/// Two milliseconds at most between tries: a writer that writes without pause leaves a gap of about a tenth of that.
const MAX_BACKOFF: Duration = Duration::from_millis(2);

/// Page caches, in KiB: what a memory of any size costs in RAM. They hold a million records whole, or the inner pages of
/// forty million; leaves then come from the system's own cache.
const READER_CACHE: i64 = 64 << 10;
const WRITER_CACHE: i64 = 64 << 10;

/// The log is moved into the file when it has this many pages (128 MiB), and is cut back to as much. A page that was
/// written several times is moved once: 64 MiB was slower than this at random upserts, 256 faster.
const LOG_PAGES: i64 = 32_768;
const LOG_BYTES: i64 = 128 << 20;

/// How a connection may use the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Reads and writes, and makes the file if it is not there.
    Write,
    /// Reads, beside others that may write.
    Read,
    /// Reads a file that nobody can be writing: no locks, no log.
    Immutable,
}

/// Opens the file. What it is, is still to be found out.
pub(super) fn open(path: &Path, mode: Mode) -> rusqlite::Result<Connection> {
    // An absolute path is never taken for one of SQLite's special names.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let connection = match mode {
        Mode::Write => {
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
            Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?
        }
        Mode::Read => {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            Connection::open_with_flags(path, flags)?
        }
        Mode::Immutable => {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            Connection::open_with_flags(immutable_uri(&path), flags | OpenFlags::SQLITE_OPEN_URI)?
        }
    };
    configure(&connection, mode)?;
    Ok(connection)
}

/// The path as a URI that says that the file does not change.
fn immutable_uri(path: &Path) -> String {
    let mut uri = "file:".to_owned();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => uri.push(byte.into()),
            byte if byte.is_ascii_alphanumeric() => uri.push(byte.into()),
            byte => uri.push_str(&format!("%{byte:02x}")),
        }
    }
    uri + "?immutable=1"
}

fn configure(connection: &Connection, mode: Mode) -> rusqlite::Result<()> {
    connection.busy_handler(Some(wait))?;
    connection.set_prepared_statement_cache_capacity(32);
    // The file may have come from anywhere: nothing in it is run.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // A mapped file that somebody cuts short kills the process that reads it.
    connection.pragma_update(None, "mmap_size", 0)?;
    connection.pragma_update(None, "cache_size", -if mode == Mode::Write { WRITER_CACHE } else { READER_CACHE })?;
    if mode == Mode::Write {
        // Every commit is on the disk when it returns; on macOS that needs saying more loudly.
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "fullfsync", true)?;
        connection.pragma_update(None, "checkpoint_fullfsync", true)?;
        connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
        connection.pragma_update(None, "journal_size_limit", LOG_BYTES)?;
    }
    Ok(())
}

/// Sleeps before the next try for a lock; `false` when patience is at its end. Naps grow, and differ between processes
/// so that two do not keep meeting.
pub(super) fn wait(tries: i32) -> bool {
    thread_local! {
        static SINCE: Cell<Option<Instant>> = const { Cell::new(None) };
        static DICE: Cell<u64> = Cell::new(RandomState::new().hash_one(0));
    }
    let now = Instant::now();
    let since = if tries == 0 { now } else { SINCE.get().unwrap_or(now) };
    SINCE.set(Some(since));
    let dice = mnemon_search::random::mix(DICE.get().wrapping_add(1));
    DICE.set(dice);
    let longest = MAX_BACKOFF.min(Duration::from_micros(100 << tries.clamp(0, 10)));
    std::thread::sleep(longest.mul_f64(0.5 + (dice >> 40) as f64 / (1 << 25) as f64));
    now - since < BUSY_TIMEOUT
}

/// Connections that read, each for one reader at a time.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    mode: Mode,
    idle: Mutex<Vec<Connection>>,
}

/// More than these are closed after use.
const MOST_IDLE: usize = 4;

impl Readers {
    pub(super) fn new(path: &Path, mode: Mode) -> Self {
        Readers { path: path.to_owned(), mode, idle: Mutex::default() }
    }

    /// An idle connection, or a new one.
    pub(super) fn take(&self) -> rusqlite::Result<Reader<'_>> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = idle.map_or_else(|| open(&self.path, self.mode), Ok)?;
        Ok(Reader { readers: self, connection: Some(connection) })
    }

    pub(super) fn put(&self, connection: Connection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST_IDLE {
            idle.push(connection);
        }
    }
}

/// A connection on loan.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    readers: &'a Readers,
    /// There until the loan ends.
    connection: Option<Connection>,
}

impl Reader<'_> {
    /// From here to the end of the loan everything that is read is of one moment.
    pub(super) fn begin_snapshot(&self) -> rusqlite::Result<()> {
        self.prepare_cached("BEGIN")?.execute([]).map(drop)
    }
}

impl Deref for Reader<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("on loan until dropped")
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        let ended = connection.is_autocommit()
            || connection.prepare_cached("ROLLBACK").and_then(|mut end| end.execute([])).is_ok();
        // One that cannot end its transaction would hold the log for ever: it is closed instead.
        if ended {
            self.readers.put(connection);
        }
    }
}

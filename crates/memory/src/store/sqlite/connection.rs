//! Connections to the file: opening, waiting for locks, and the pool of readers.
//!
//! Only SQLite may open the file in this process: closing any descriptor of a file drops all POSIX locks that the process
//! holds on it, and another process could then remove the write-ahead log that is in use here.

use std::cell::Cell;
use std::hash::{BuildHasher, RandomState};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, Transaction, config::DbConfig, limits::Limit};

/// How long a writer waits for the lock.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(600);

/// The longest sleep between two tries for a lock: a process that writes without pause releases the lock for about a tenth
/// of that.
const MAX_BACKOFF: Duration = Duration::from_millis(2);

/// Page caches, in KiB: what a memory of any size costs in RAM. They hold a million records, or the inner pages of forty
/// million; leaf pages then come from the system's cache.
const READER_CACHE: i64 = 64 << 10;
const WRITER_CACHE: i64 = 64 << 10;

/// The write-ahead log is checkpointed when it has this many pages (128 MiB), and truncated to that size. A checkpoint
/// writes a page once that the log has several times: 64 MiB was slower at random upserts, 256 MiB faster.
const LOG_PAGES: i64 = 32_768;
const LOG_BYTES: i64 = 128 << 20;

/// The largest value or row that is read. The largest row of a memory has some 1,100 bytes; SQLite's own messages in a
/// verification are longer.
const MAX_VALUE_BYTES: i32 = 256 << 10;

/// How a connection may use the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Reads and writes, and creates the file if it is not there.
    Write,
    /// Reads, while other processes may write.
    Read,
    /// As [`Read`](Self::Read), by a connection that could write and is kept from it. SQLite makes a log and its index for
    /// every reader; only such a connection deletes them, if it is the last to be closed.
    TidyRead,
    /// Reads a file that no process can be writing: no locks, no log.
    Immutable,
}

/// Opens the file, which may not be a memory.
pub(super) fn open(path: &Path, mode: Mode) -> rusqlite::Result<Connection> {
    // SQLite has special names, such as `:memory:`; an absolute path is none of them.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let connection = match mode {
        Mode::Write => {
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
            Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?
        }
        Mode::TidyRead => {
            // A file that may not be written is opened for reading.
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            Connection::open_with_flags(path, flags)?
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

/// The path as an SQLite URI with `immutable=1`.
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
    // The file may come from an untrusted source: nothing larger than what mnemon writes is read, not even its schema, and
    // no code in it is run.
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // Reading a mapped file that was truncated kills the process.
    connection.pragma_update(None, "mmap_size", 0)?;
    connection.pragma_update(None, "cache_size", -if mode == Mode::Write { WRITER_CACHE } else { READER_CACHE })?;
    if mode == Mode::TidyRead {
        connection.pragma_update(None, "query_only", true)?;
    }
    if mode == Mode::Write {
        // Every commit is on the disk when it returns; macOS needs F_FULLFSYNC for that.
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "fullfsync", true)?;
        connection.pragma_update(None, "checkpoint_fullfsync", true)?;
        connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
        connection.pragma_update(None, "journal_size_limit", LOG_BYTES)?;
    }
    Ok(())
}

/// The threads of this process that sleep before the next try for a lock.
static WAITING: AtomicUsize = AtomicUsize::new(0);

/// Whether a thread of this process waits for a lock, for reading or for writing. Between two tries it does not for an
/// instant.
pub(super) fn is_any_waiting() -> bool {
    let is_stuck = |since: &Instant| since.elapsed() > LONGEST_COMMIT;
    WAITING.load(Ordering::Relaxed) > 0 || commits().iter().any(is_stuck)
}

/// A commit writes no more than a page cache and syncs the log; one that takes longer waits. SQLite does not tell: after a
/// lock could not be released, a commit tries to get another for ten seconds and more, without the busy handler.
const LONGEST_COMMIT: Duration = Duration::from_secs(5);

/// When the commits under way began.
static COMMITS: Mutex<Vec<Instant>> = Mutex::new(Vec::new());

fn commits() -> MutexGuard<'static, Vec<Instant>> {
    COMMITS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Commits the transaction.
pub(super) fn commit(transaction: Transaction<'_>) -> rusqlite::Result<()> {
    let begun = Instant::now();
    commits().push(begun);
    let committed = transaction.commit();
    let mut commits = commits();
    if let Some(place) = commits.iter().position(|&other| other == begun) {
        commits.swap_remove(place);
    }
    committed
}

/// The busy handler: sleeps before the next try for a lock; `false` after [`BUSY_TIMEOUT`]. The sleep grows with the tries,
/// and is random, so that two processes do not collide again and again.
pub(super) fn wait(tries: i32) -> bool {
    thread_local! {
        static SINCE: Cell<Option<Instant>> = const { Cell::new(None) };
        static RANDOM: Cell<u64> = Cell::new(RandomState::new().hash_one(0));
    }
    let now = Instant::now();
    let since = if tries == 0 { now } else { SINCE.get().unwrap_or(now) };
    SINCE.set(Some(since));
    let random = mnemon_search::random::mix(RANDOM.get().wrapping_add(1));
    RANDOM.set(random);
    let backoff = MAX_BACKOFF.min(Duration::from_micros(100 << tries.clamp(0, 10)));
    WAITING.fetch_add(1, Ordering::Relaxed);
    std::thread::sleep(backoff.mul_f64(0.5 + (random >> 40) as f64 / (1 << 25) as f64));
    WAITING.fetch_sub(1, Ordering::Relaxed);
    now - since < BUSY_TIMEOUT
}

/// The pool of connections that read.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    mode: Mode,
    idle: Mutex<Vec<Connection>>,
}

/// The most connections that stay open for the next reader.
const MAX_IDLE: usize = 4;

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
        if idle.len() < MAX_IDLE {
            idle.push(connection);
        }
    }
}

/// A connection of the pool, in use.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    readers: &'a Readers,
    /// `None` only while it is dropped.
    connection: Option<Connection>,
}

impl Reader<'_> {
    /// Begins a read transaction: until the reader is dropped, everything is read from one snapshot.
    pub(super) fn begin_snapshot(&self) -> rusqlite::Result<()> {
        self.prepare_cached("BEGIN")?.execute([]).map(drop)
    }
}

impl Deref for Reader<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("in use until dropped")
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        let ended = connection.is_autocommit()
            || connection.prepare_cached("ROLLBACK").and_then(|mut end| end.execute([])).is_ok();
        // A transaction that cannot be ended would keep the log from being checkpointed: the connection is closed instead.
        if ended {
            self.readers.put(connection);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_waits_for_a_lock_is_seen() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("m");
        let holder = Connection::open(&path).expect("a database");
        holder.execute_batch("CREATE TABLE t(x); BEGIN EXCLUSIVE").expect("the lock");
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let connection = open(&path, Mode::Read).expect("opened");
                connection.query_row("SELECT count(*) FROM t", [], |row| row.get::<_, u32>(0))
            });
            // Ends at once, or never.
            while !is_any_waiting() && !reader.is_finished() {
                std::thread::yield_now();
            }
            assert!(!reader.is_finished(), "it reads what is locked");
            holder.execute_batch("COMMIT").expect("the lock was held");
            assert_eq!(reader.join().expect("no panic"), Ok(0));
        });
    }
}

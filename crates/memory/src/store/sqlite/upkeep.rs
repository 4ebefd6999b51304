//! Upkeep of the file: verification, compaction, backup while it is in use.

use std::fs;
use std::io;
use std::path::Path;

use mnemon_table::file::PendingFile;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::SqliteStore;
use super::connection::Reader;
use super::read::{NameCache, bytes_on_disk};
use super::row::{self, RowKey, columns, integer};
use crate::store::{Compacted, Upkeep, Verified};
use crate::{MemoryError, Result};

/// How many records are read, or pages copied, between two reports of progress.
const STRIDE: u64 = 4096;

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
    fn verify_all(
        &self,
        reader: &Reader<'_>,
        verified: &mut Verified,
        progress: &mut dyn FnMut(u64, u64),
    ) -> rusqlite::Result<()> {
        reader.begin_snapshot()?;
        let names = self.reload_names(reader)?;
        if names.damaged > 0 {
            verified.report(format!("{} names of games or sources cannot be read", names.damaged));
        }
        let sql = "SELECT ifnull(sum(records), 0) FROM counts";
        let total = reader.query_row(sql, [], |row| Ok(integer(row, 0, 0).unwrap_or(0)))?;
        progress(0, total);
        self.verify_records(reader, verified, &mut |done| progress(done, total.max(done)))?;
        progress(total, total);
        let mut statement = reader.prepare("PRAGMA integrity_check")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let finding: String = row.get(0)?;
            if finding != "ok" {
                verified.report(finding);
            }
        }
        verify_counts(reader, verified)
    }

    fn verify_records(
        &self,
        reader: &Reader<'_>,
        verified: &mut Verified,
        progress: &mut dyn FnMut(u64),
    ) -> rusqlite::Result<()> {
        let mut names = NameCache::new(self, reader);
        let mut statement =
            reader.prepare(concat!("SELECT game, position, source, ", columns!(), " FROM records NOT INDEXED"))?;
        let mut rows = statement.query([])?;
        let mut done = 0;
        while let Some(row) = rows.next()? {
            let game = integer(row, 0, 0).unwrap_or(0);
            let source = integer(row, 2, 0).unwrap_or(0);
            let position = row.get_ref(1)?.as_blob().unwrap_or_default();
            let record = row::read(row, 3, &RowKey { game, position, source });
            if record.is_none() {
                verified.report(format!("a record fails its checksum: game {game}, position {}", hex(position)));
            } else if record.is_some_and(|record| !record.has_searchable_depths()) {
                verified.report(format!(
                    "a record has a depth that no search reaches: game {game}, position {}",
                    hex(position)
                ));
            } else if names.game(game)?.is_none() || names.source(source)?.is_none() {
                verified.report(format!("a record has a game or a source without a name: {game}, {source}"));
            } else {
                verified.records += 1;
            }
            done += 1;
            if done % STRIDE == 0 {
                progress(done);
            }
        }
        Ok(())
    }

    /// A full disk is the copy's; other errors are the memory's.
    fn explain_copy(&self, to: &Path, error: rusqlite::Error) -> MemoryError {
        match self.explain(error) {
            MemoryError::Full { .. } => MemoryError::Full { location: to.display().to_string() },
            error => error,
        }
    }
}

/// Compares the stored counts with the numbers of rows.
fn verify_counts(connection: &Connection, verified: &mut Verified) -> rusqlite::Result<()> {
    let sql = "SELECT game, source, sum(kept), sum(there) FROM ( \
                   SELECT game, source, records AS kept, 0 AS there FROM counts UNION ALL \
                   SELECT game, source, 0, count(*) FROM records GROUP BY game, source) \
               GROUP BY game, source HAVING sum(kept) <> sum(there)";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let [game, source, kept, there] = [row.get(0)?, row.get(1)?, row.get(2)?, row.get::<_, i64>(3)?];
        verified.report(format!("there are {there} records of game {game} and source {source}, not {kept}"));
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Copies every page of one snapshot.
fn copy(reader: &Reader<'_>, to: &Path, progress: &mut dyn FnMut(u64, u64)) -> rusqlite::Result<()> {
    reader.begin_snapshot()?;
    reader.query_row("SELECT count(*) FROM games", [], |_| Ok(()))?;
    let mut copy = Connection::open(to)?;
    // The finished copy is synced as a whole.
    copy.pragma_update(None, "synchronous", "OFF")?;
    let backup = Backup::new(reader, &mut copy)?;
    loop {
        let step = backup.step(STRIDE as i32)?;
        let pages = backup.progress();
        let total = u64::try_from(pages.pagecount).unwrap_or(0);
        progress(total - u64::try_from(pages.remaining).unwrap_or(0), total);
        if step == StepResult::Done {
            return Ok(());
        }
    }
}

/// The error of a copy that cannot be written.
fn refused(to: &Path, error: io::Error) -> MemoryError {
    let location = to.display().to_string();
    match error.kind() {
        io::ErrorKind::AlreadyExists => MemoryError::Exists { location },
        _ => MemoryError::Copy { location, source: error },
    }
}

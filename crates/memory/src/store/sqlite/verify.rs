//! Verification: everything in the file is read and checked.

use rusqlite::Connection;

use super::SqliteStore;
use super::connection::Reader;
use super::filter::Filter;
use super::meta;
use super::read::NameCache;
use super::row::{self, RowKey, integer};
use super::schema::Format;
use crate::Record;
use crate::store::{Range, Verified};

/// How many records are read between two reports of progress.
const STRIDE: u64 = 4096;

impl SqliteStore {
    pub(super) fn verify_all(
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
        let total = reader.query_row(sql, [], |row| Ok(integer(row, 0).unwrap_or(0)))?;
        progress(0, total);
        self.verify_records(reader, verified, &mut |done| progress(done, total.max(done)))?;
        progress(total, total);
        if self.format == Format::Two {
            self.verify_people(reader, verified)?;
        }
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
        let mut filter = Filter::default();
        if self.format == Format::Two {
            filter.update(reader)?;
            if filter.is_damaged() {
                verified.report("the filter of known positions cannot be read".to_owned());
            }
        }
        let root = if self.format == Format::One { "NULL" } else { "root" };
        let columns = self.format.columns();
        let sql = format!("SELECT game, position, source, {root}, {columns} FROM records NOT INDEXED");
        let mut statement = reader.prepare(&sql)?;
        let mut rows = statement.query([])?;
        let mut done = 0;
        while let Some(row) = rows.next()? {
            let game = integer(row, 0).unwrap_or(0);
            let source = integer(row, 2).unwrap_or(0);
            let position = row.get_ref(1)?.as_blob().unwrap_or_default();
            let record = self.format.read(row, 4, &RowKey { game, position, source });
            let is_indexed = |record: &Record| row::root(record) == integer(row, 3) && filter.may_have(game, position);
            let finding = match record {
                None => "a record fails its checksum",
                Some(record) if !record.has_searchable_depths() => "a record has a depth that no search reaches",
                Some(record) if self.format == Format::Two && !is_indexed(&record) => {
                    "a record is not found by its index or filter"
                }
                Some(_) if names.game(game)?.is_none() || names.source(source)?.is_none() => {
                    "a record has a game or a source without a name"
                }
                Some(_) => "",
            };
            if finding.is_empty() {
                verified.records += 1;
            } else {
                verified.report(format!("{finding}: game {game}, source {source}, position {}", hex(position)));
            }
            done += 1;
            if done % STRIDE == 0 {
                progress(done);
            }
        }
        Ok(())
    }

    /// The identity, the contributors and the annotations.
    fn verify_people(&self, reader: &Reader<'_>, verified: &mut Verified) -> rusqlite::Result<()> {
        if meta::read(reader)?.is_none() {
            verified.report("the memory's identity cannot be read".to_owned());
        }
        let (_, damaged) = meta::contributors(reader)?;
        if damaged > 0 {
            verified.report(format!("{damaged} contributors cannot be read"));
        }
        let damaged = self.count_damaged_annotations(reader, &Range::default())?;
        if damaged > 0 {
            verified.report(format!("{damaged} lines or notes fail their checksums"));
        }
        Ok(())
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

//! The filter: whether a position may be known, answered in RAM. A walk asks mostly for positions that are not there.
//!
//! The file keeps the 32-bit hash of every record that was added, in the order of the transactions that added them, so that
//! the filter is rebuilt by reading four bytes a record and kept current by reading what other processes have appended since.
//! Deleted records stay in it: a filter may err in that direction only. Compaction writes it anew.

use rusqlite::Connection;

use super::row::{RowKey, integer};

/// How many hashes a row has at most.
const ROW_HASHES: usize = 50_000;

/// Bits of the filter for each record: one in eight lookups of an absent position passes when it is full, one in sixteen
/// when it has just doubled.
const BITS_PER_HASH: usize = 8;

/// The hash of a position: a CRC-32 over the game's id and the packed position.
fn hash(game: u32, position: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&game.to_le_bytes());
    hasher.update(position);
    hasher.finalize()
}

/// The hashes of the records that one transaction adds.
#[derive(Debug, Default)]
pub(super) struct FilterWriter(Vec<u8>);

impl FilterWriter {
    pub(super) fn add(&mut self, connection: &Connection, row_key: &RowKey<'_>) -> rusqlite::Result<()> {
        self.0.extend_from_slice(&hash(row_key.game, row_key.position).to_le_bytes());
        if self.0.len() >= ROW_HASHES * 4 { self.write(connection) } else { Ok(()) }
    }

    fn write(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let mut statement =
            connection.prepare_cached("INSERT INTO filter SELECT ifnull(max(id), 0) + 1, ?1, ?2 FROM filter")?;
        statement.execute((&self.0[..], crc32fast::hash(&self.0) as i32))?;
        self.0.clear();
        Ok(())
    }

    pub(super) fn finish(mut self, connection: &Connection) -> rusqlite::Result<()> {
        if self.0.is_empty() { Ok(()) } else { self.write(connection) }
    }
}

/// Writes the filter anew from the records, inside the caller's transaction. New rows have greater ids than the old ones,
/// so that other processes read them, too.
pub(super) fn rewrite(connection: &Connection) -> rusqlite::Result<()> {
    let last: i64 = connection.query_row("SELECT ifnull(max(id), 0) FROM filter", [], |row| row.get(0))?;
    let mut writer = FilterWriter::default();
    let mut select = connection.prepare("SELECT game, position FROM records")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let position = row.get_ref(1)?.as_blob().unwrap_or_default();
        writer.add(connection, &RowKey { game: integer(row, 0).unwrap_or(0), position, source: 0 })?;
    }
    writer.finish(connection)?;
    connection.execute("DELETE FROM filter WHERE id <= ?1", [last]).map(drop)
}

/// A filter in RAM.
#[derive(Debug, Default)]
pub(super) struct Filter {
    /// The last row that was read.
    seen: i64,
    hashes: usize,
    /// A power of two of bits, of which each hash sets one.
    bits: Vec<u64>,
    /// A row could not be read: nothing can be excluded any more.
    is_damaged: bool,
}

impl Filter {
    /// Whether everything in the connection's snapshot was read, or nothing more can be.
    pub(super) fn is_current(&self, connection: &Connection) -> rusqlite::Result<bool> {
        let mut last = connection.prepare_cached("SELECT ifnull(max(id), 0) FROM filter")?;
        Ok(self.is_damaged || last.query_row([], |row| row.get::<_, i64>(0))? <= self.seen)
    }

    /// Reads what was added since; afterwards no record of the connection's snapshot is excluded.
    pub(super) fn update(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        if self.is_current(connection)? {
            return Ok(());
        }
        let sql = "SELECT ifnull(sum(length(hashes)), 0) / 4 FROM filter WHERE id > ?1";
        let new: i64 = connection.prepare_cached(sql)?.query_row([self.seen], |row| row.get(0))?;
        let hashes = self.hashes + usize::try_from(new).unwrap_or(0);
        if hashes * BITS_PER_HASH > self.bits.len() * 64 {
            let words = (hashes * 2 * BITS_PER_HASH / 64).next_power_of_two().max(64);
            *self = Filter { bits: vec![0; words], ..Filter::default() };
        }
        self.read(connection)?;
        self.check_count(connection)
    }

    /// Reads the rows that are not read yet.
    fn read(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let mut statement =
            connection.prepare_cached(r#"SELECT id, hashes, "check" FROM filter WHERE id > ?1 ORDER BY id"#)?;
        let mut rows = statement.query([self.seen])?;
        while let Some(row) = rows.next()? {
            let (Some(id), Ok(hashes), Some(check)) =
                (integer(row, 0), row.get_ref(1)?.as_blob(), integer::<i32>(row, 2))
            else {
                self.is_damaged = true;
                return Ok(());
            };
            self.is_damaged |= crc32fast::hash(hashes) as i32 != check || hashes.len() % 4 != 0;
            for hash in hashes.chunks_exact(4) {
                self.insert(u32::from_le_bytes([hash[0], hash[1], hash[2], hash[3]]));
            }
            self.seen = id;
        }
        Ok(())
    }

    /// There are at least as many hashes as records, unless a damaged page hides some.
    fn check_count(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let sql = "SELECT ifnull(sum(records), 0) FROM counts";
        let records: i64 = connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
        self.is_damaged |= usize::try_from(records).map_or(true, |records| records > self.hashes);
        Ok(())
    }

    fn insert(&mut self, hash: u32) {
        self.hashes += 1;
        let bit = self.bit(hash);
        self.bits[bit / 64] |= 1 << (bit % 64);
    }

    fn bit(&self, hash: u32) -> usize {
        hash as usize & (self.bits.len() * 64 - 1)
    }

    /// Whether there may be a record of the position.
    pub(super) fn may_have(&self, game: u32, position: &[u8]) -> bool {
        if self.is_damaged || self.bits.is_empty() {
            return self.is_damaged;
        }
        let bit = self.bit(hash(game, position));
        self.bits[bit / 64] & 1 << (bit % 64) != 0
    }

    /// Whether it can exclude nothing, since a part of it cannot be read.
    pub(super) fn is_damaged(&self) -> bool {
        self.is_damaged
    }
}

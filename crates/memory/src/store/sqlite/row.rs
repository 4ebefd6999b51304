//! A record as a row: its key, whether it is a root, and its bytes with their checksum.

use rusqlite::types::ValueRef;
use rusqlite::{Row, Statement};

use crate::{Record, codec};

/// Inserts a row; [`bind`] binds its parameters.
pub(super) const INSERT: &str = "INSERT INTO records VALUES(?1, ?2, ?3, ?4, ?5)";

/// Replaces what a row holds.
pub(super) const UPDATE: &str =
    "UPDATE records SET root = ?4, data = ?5 WHERE game = ?1 AND position = ?2 AND source = ?3";

/// The primary key of a row: a [`Key`](crate::Key) with the ids of its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowKey<'a> {
    pub(super) game: u32,
    pub(super) position: &'a [u8],
    pub(super) source: u32,
}

impl RowKey<'_> {
    /// The bytes without the checksum behind them; `None` if it does not fit them and this key. `kind` is 0 for a record.
    pub(super) fn verified<'d>(&self, kind: u8, data: &'d [u8]) -> Option<&'d [u8]> {
        let (bytes, checksum) = data.split_last_chunk()?;
        (*checksum == self.checksum(kind, bytes)).then_some(bytes)
    }

    /// Appends the checksum of the bytes.
    pub(super) fn seal(&self, kind: u8, bytes: &mut Vec<u8>) {
        let checksum = self.checksum(kind, bytes);
        bytes.extend_from_slice(&checksum);
    }

    fn checksum(&self, kind: u8, bytes: &[u8]) -> [u8; 4] {
        codec::checksum(self.game, self.source, kind, self.position, bytes).to_le_bytes()
    }
}

/// The record in the row's column; `None` if its checksum does not fit it and its key.
pub(super) fn read(row: &Row<'_>, column: usize, row_key: &RowKey<'_>) -> Option<Record> {
    let data = row.get_ref(column).ok()?.as_blob().ok()?;
    codec::decode(row_key.verified(0, data)?)
}

/// What the column `root` has for a record: the time of a root or of advice, by which they are indexed.
pub(super) fn root(record: &Record) -> Option<u32> {
    record.is_indexed().then_some(record.time)
}

/// Binds the key to the parameters 1 to 3, and the record to 4 and 5.
pub(super) fn bind(statement: &mut Statement<'_>, row_key: &RowKey<'_>, record: &Record) -> rusqlite::Result<()> {
    bind_key(statement, row_key)?;
    statement.raw_bind_parameter(4, root(record))?;
    let mut data = Vec::with_capacity(32);
    codec::encode(record, &mut data);
    row_key.seal(0, &mut data);
    statement.raw_bind_parameter(5, &data[..])
}

/// Binds the key to the parameters 1 to 3.
pub(super) fn bind_key(statement: &mut Statement<'_>, row_key: &RowKey<'_>) -> rusqlite::Result<()> {
    statement.raw_bind_parameter(1, row_key.game)?;
    statement.raw_bind_parameter(2, row_key.position)?;
    statement.raw_bind_parameter(3, row_key.source)
}

/// The integer in a column; `None` for any other value, and for one out of range.
pub(super) fn integer<T: TryFrom<i64>>(row: &Row<'_>, column: usize) -> Option<T> {
    match row.get_ref(column) {
        Ok(ValueRef::Integer(value)) => T::try_from(value).ok(),
        _ => None,
    }
}

/// The integer in a column, or `absent` for NULL; `None` for any other value, and for one out of range.
pub(super) fn integer_or<T: TryFrom<i64>>(row: &Row<'_>, column: usize, absent: T) -> Option<T> {
    match row.get_ref(column) {
        Ok(ValueRef::Null) => Some(absent),
        _ => integer(row, column),
    }
}

//! A record as the columns of a row.

use mnemon_table::Window;
use rusqlite::types::{Null, ValueRef};
use rusqlite::{Row, Statement, ToSql};

use crate::{Claim, Flags, Origins, Record, codec};

/// The columns of a record, in the order in which they are read and written.
macro_rules! columns {
    () => {
        r#"lower, lower_depth, upper, upper_depth, best, origins, flags, game_ply, root_ply, nodes, time, "check""#
    };
}
pub(super) use columns;

/// The primary key of a row: a [`Key`](crate::Key) with the ids of its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowKey<'a> {
    pub(super) game: u32,
    pub(super) position: &'a [u8],
    pub(super) source: u32,
}

impl RowKey<'_> {
    fn checksum(&self, record: &Record) -> i32 {
        codec::checksum(self.game, self.position, self.source, record) as i32
    }
}

/// The record in the row's columns from `first` on; `None` if its checksum does not fit it and its key, or a column has a
/// value that is never written.
pub(super) fn read(row: &Row<'_>, first: usize, row_key: &RowKey<'_>) -> Option<Record> {
    let record = Record {
        lower: Claim::new(integer(row, first, Window::NO_LOWER)?, integer(row, first + 1, 0)?),
        upper: Claim::new(integer(row, first + 2, Window::NO_UPPER)?, integer(row, first + 3, 0)?),
        best: integer(row, first + 4, 0)?,
        origins: Origins::from_bits(integer(row, first + 5, 0)?)?,
        flags: Flags::from_bits(integer(row, first + 6, 0)?)?,
        game_ply: integer(row, first + 7, Record::NO_PLY)?,
        root_ply: integer(row, first + 8, Record::NO_PLY)?,
        nodes: integer::<i64>(row, first + 9, 0)? as u64,
        time: integer(row, first + 10, 0)?,
    };
    let checksum: i32 = integer(row, first + 11, 0)?;
    (checksum == row_key.checksum(&record) && record.normalized() == record).then_some(record)
}

/// The integer in a column, or `absent` for NULL; `None` for any other value, and for one out of range.
pub(super) fn integer<T: TryFrom<i64>>(row: &Row<'_>, column: usize, absent: T) -> Option<T> {
    match row.get_ref(column) {
        Ok(ValueRef::Integer(value)) => T::try_from(value).ok(),
        Ok(ValueRef::Null) => Some(absent),
        _ => None,
    }
}

/// Binds the key to the parameters 1 to 3, and the record to those from 4 on.
pub(super) fn bind(statement: &mut Statement<'_>, row_key: &RowKey<'_>, record: &Record) -> rusqlite::Result<()> {
    bind_key(statement, row_key)?;
    let Record { lower, upper, best, origins, flags, game_ply, root_ply, nodes, time } = *record;
    let known = |claim: Claim, value: i64| claim.is_known().then_some(value);
    statement.raw_bind_parameter(4, known(lower, lower.score.into()))?;
    statement.raw_bind_parameter(5, known(lower, lower.depth.into()))?;
    statement.raw_bind_parameter(6, known(upper, upper.score.into()))?;
    statement.raw_bind_parameter(7, known(upper, upper.depth.into()))?;
    bind_unless(statement, 8, best, 0)?;
    statement.raw_bind_parameter(9, origins.bits())?;
    statement.raw_bind_parameter(10, flags.bits())?;
    bind_unless(statement, 11, game_ply, Record::NO_PLY)?;
    bind_unless(statement, 12, root_ply, Record::NO_PLY)?;
    statement.raw_bind_parameter(13, nodes as i64)?;
    statement.raw_bind_parameter(14, time)?;
    statement.raw_bind_parameter(15, row_key.checksum(record))
}

/// Binds the key to the parameters 1 to 3.
pub(super) fn bind_key(statement: &mut Statement<'_>, row_key: &RowKey<'_>) -> rusqlite::Result<()> {
    statement.raw_bind_parameter(1, row_key.game)?;
    statement.raw_bind_parameter(2, row_key.position)?;
    statement.raw_bind_parameter(3, row_key.source)
}

fn bind_unless<T: ToSql + PartialEq>(
    statement: &mut Statement<'_>,
    parameter: usize,
    value: T,
    absent: T,
) -> rusqlite::Result<()> {
    if value == absent {
        statement.raw_bind_parameter(parameter, Null)
    } else {
        statement.raw_bind_parameter(parameter, value)
    }
}

//! Format 1, of mnemon 0.1: how it is read, and how it becomes format 2.
//!
//! Each field of a record was a column of its own; there were no contributors, lines or notes, and a record had one time.

use mnemon_table::Window;
use rusqlite::{Connection, Row};

use super::filter::FilterWriter;
use super::row::{self, RowKey, integer};
use super::schema::{self, Object};
use super::write::Counts;
use super::{names, row::integer_or};
use crate::{Claim, Flags, Origins, Record};

/// The tables, index and view of the format.
pub(super) const OBJECTS: [Object; 6] = [
    (
        "table",
        "games",
        "games",
        r#"CREATE TABLE games(
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    "check" INTEGER NOT NULL
) STRICT"#,
    ),
    (
        "table",
        "sources",
        "sources",
        r#"CREATE TABLE sources(
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    "check" INTEGER NOT NULL,
    UNIQUE(kind, name, version)
) STRICT"#,
    ),
    (
        "table",
        "records",
        "records",
        r#"CREATE TABLE records(
    game INTEGER NOT NULL,
    position BLOB NOT NULL,
    source INTEGER NOT NULL,
    lower INTEGER,
    lower_depth INTEGER,
    upper INTEGER,
    upper_depth INTEGER,
    best INTEGER,
    origins INTEGER NOT NULL,
    flags INTEGER NOT NULL,
    game_ply INTEGER,
    root_ply INTEGER,
    nodes INTEGER NOT NULL,
    time INTEGER NOT NULL,
    "check" INTEGER NOT NULL,
    PRIMARY KEY(game, position, source)
) STRICT, WITHOUT ROWID"#,
    ),
    ("index", "roots", "records", "CREATE INDEX roots ON records(game, time) WHERE flags & 1"),
    (
        "table",
        "counts",
        "counts",
        "CREATE TABLE counts(
    game INTEGER NOT NULL,
    source INTEGER NOT NULL,
    records INTEGER NOT NULL,
    PRIMARY KEY(game, source)
) STRICT, WITHOUT ROWID",
    ),
    (
        "view",
        "readable",
        "readable",
        "CREATE VIEW readable AS SELECT
    games.name AS game,
    hex(position) AS position,
    trim(sources.name || ' ' || sources.version) AS source,
    lower, lower_depth, upper, upper_depth, best,
    rtrim(iif(origins & 1, 'search ', '') || iif(origins & 2, 'drop ', '') || iif(origins & 4, 'pv ', '')
        || iif(origins & 8, 'advice ', '') || iif(origins & 16, 'import ', '') || iif(origins & 32, 'result', ''))
        AS origins,
    iif(flags & 1, 'root', '') AS flags,
    game_ply, root_ply, nodes, datetime(time, 'unixepoch') AS time
FROM records LEFT JOIN games ON games.id = records.game LEFT JOIN sources ON sources.id = records.source",
    ),
];

/// The columns of a record, in the order in which they are read.
macro_rules! columns {
    () => {
        r#"lower, lower_depth, upper, upper_depth, best, origins, flags, game_ply, root_ply, nodes, time, "check""#
    };
}
pub(super) use columns;

/// The record in the row's columns from `first` on; `None` if its checksum does not fit it and its key, or a column has a
/// value that is never written. Both bounds have the record's time.
pub(super) fn read(row: &Row<'_>, first: usize, row_key: &RowKey<'_>) -> Option<Record> {
    let at = |column: usize| first + column;
    let record = Record {
        lower: Claim::new(integer_or(row, at(0), Window::NO_LOWER)?, integer_or(row, at(1), 0)?),
        upper: Claim::new(integer_or(row, at(2), Window::NO_UPPER)?, integer_or(row, at(3), 0)?),
        best: integer_or(row, at(4), 0)?,
        origins: Origins::from_bits(integer(row, at(5))?),
        flags: Flags::from_bits(integer(row, at(6))?)?,
        game_ply: integer_or(row, at(7), Record::NO_PLY)?,
        root_ply: integer_or(row, at(8), Record::NO_PLY)?,
        nodes: integer::<i64>(row, at(9))? as u64,
        time: integer(row, at(10))?,
    };
    let checksum: i32 = integer(row, at(11))?;
    let is_sound = checksum == self::checksum(row_key, &record) && record.normalized() == record;
    is_sound.then(|| record.found_at(record.time))
}

/// The checksum of format 1: over the ids, the position, and 28 bytes of fixed places.
fn checksum(row_key: &RowKey<'_>, record: &Record) -> i32 {
    let Record { lower, upper, best, origins, flags, game_ply, root_ply, nodes, time } = *record;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&row_key.game.to_le_bytes());
    hasher.update(&row_key.source.to_le_bytes());
    hasher.update(row_key.position);
    for word in [lower.score as u16, upper.score as u16, best] {
        hasher.update(&word.to_le_bytes());
    }
    hasher.update(&[lower.depth, upper.depth]);
    hasher.update(&game_ply.to_le_bytes());
    hasher.update(&root_ply.to_le_bytes());
    hasher.update(&time.to_le_bytes());
    hasher.update(&[origins.bits(), flags.bits(), 0, 0]);
    hasher.update(&nodes.to_le_bytes());
    hasher.finalize() as i32
}

/// Why a memory of format 1 is not upgraded.
#[derive(Debug)]
pub(super) enum UpgradeError {
    /// The number of records or names that fail their checksums: an upgrade would lose them.
    Damaged(u64),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for UpgradeError {
    fn from(error: rusqlite::Error) -> Self {
        UpgradeError::Sqlite(error)
    }
}

/// Turns a memory of format 1 into one of format 2, inside the caller's transaction. Everything in it is its own.
pub(super) fn upgrade(connection: &Connection, label: &str) -> Result<(), UpgradeError> {
    let names = names::Names::load(connection, schema::Format::One)?;
    if names.damaged > 0 {
        return Err(UpgradeError::Damaged(names.damaged));
    }
    connection.execute_batch(
        "DROP VIEW readable;
         DROP INDEX roots;
         ALTER TABLE games RENAME TO old_games;
         ALTER TABLE sources RENAME TO old_sources;
         ALTER TABLE records RENAME TO old_records;
         DROP TABLE counts;",
    )?;
    schema::create(connection, label)?;
    names.write_all(connection)?;
    let damaged = copy_records(connection)?;
    if damaged > 0 {
        return Err(UpgradeError::Damaged(damaged));
    }
    connection.execute_batch("DROP TABLE old_records; DROP TABLE old_sources; DROP TABLE old_games;")?;
    Ok(())
}

/// Copies the records, which keep the ids of their names; returns how many are damaged, after which nothing counts.
fn copy_records(connection: &Connection) -> rusqlite::Result<u64> {
    let mut select = connection.prepare(concat!("SELECT game, position, source, ", columns!(), " FROM old_records"))?;
    let mut insert = connection.prepare(row::INSERT)?;
    let (mut counts, mut filter, mut damaged) = (Counts::default(), FilterWriter::default(), 0);
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (Some(game), Ok(position), Some(source)) = (integer(row, 0), row.get_ref(1)?.as_blob(), integer(row, 2))
        else {
            damaged += 1;
            continue;
        };
        let row_key = RowKey { game, position, source };
        let Some(record) = read(row, 3, &row_key) else {
            damaged += 1;
            continue;
        };
        row::bind(&mut insert, &row_key, &record)?;
        insert.raw_execute()?;
        counts.add(&row_key, 1);
        filter.add(connection, &row_key)?;
    }
    counts.write(connection)?;
    filter.finish(connection)?;
    Ok(damaged)
}

//! The schema of a memory file, and how a file is identified. docs/format.md is normative; this is its SQL.

use rusqlite::Connection;

use super::{format1, meta};

/// SQLite's application id in the file's header: "mnem".
pub(super) const APPLICATION: i32 = 0x6d6e_656d;

/// The version of the format that is written, and the newest that is read.
pub(super) const FORMAT: u32 = 2;

/// A table, index or view: its type, its name, its table, its SQL.
pub(super) type Object = (&'static str, &'static str, &'static str, &'static str);

/// A format that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Of mnemon 0.1, which is only read.
    One = 1,
    /// The one that is written.
    Two = 2,
}

impl Format {
    fn objects(self) -> &'static [Object] {
        match self {
            Format::One => &format1::OBJECTS,
            Format::Two => &OBJECTS,
        }
    }
}

/// The file's `user_version`: its format, and from format 2 on its incarnation, a random number that a backup does not
/// share with the memory that it is a copy of. Every transaction writes it, so that every log says whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Version(pub(super) i32);

impl Version {
    const INCARNATIONS: u32 = (1 << 23) - 1;

    /// A new incarnation of the present format.
    pub(super) fn random(connection: &Connection) -> rusqlite::Result<Self> {
        let random: i64 = connection.query_row("SELECT random()", [], |row| row.get(0))?;
        let incarnation = 1 + random.unsigned_abs() % u64::from(Self::INCARNATIONS);
        Ok(Version((incarnation << 8) as i32 | FORMAT as i32))
    }

    pub(super) fn read(connection: &Connection) -> rusqlite::Result<Self> {
        connection.pragma_query_value(None, "user_version", |row| row.get(0)).map(Version)
    }

    pub(super) fn write(self, connection: &Connection) -> rusqlite::Result<()> {
        connection.pragma_update(None, "user_version", self.0)
    }

    /// The format; `None` if it is none that a program of this or a later version writes.
    fn format(self) -> Option<u32> {
        match self.0 {
            1 => Some(1),
            version if version > 0xff && version as u32 & 0xff == FORMAT => Some(FORMAT),
            version if version > 0 && version as u32 & 0xff > FORMAT => Some(version as u32 & 0xff),
            _ => None,
        }
    }

    /// Whether the file is of the present format, so that its logs say whose they are.
    pub(super) fn has_incarnation(self) -> bool {
        self.format() == Some(FORMAT)
    }
}

/// Every table, index and view: its type, its name, its table, its SQL. A file whose schema differs was changed by another
/// program.
///
/// A record is a row of the primary key's B-tree (WITHOUT ROWID): one descent finds it, and the sources of a position are
/// neighbours. Its contents are one value: SQLite reads few columns several times as fast as many.
pub(super) const OBJECTS: [Object; 10] = [
    (
        "table",
        "memory",
        "memory",
        r#"CREATE TABLE memory(
    id INTEGER PRIMARY KEY,
    identity BLOB NOT NULL,
    label TEXT NOT NULL,
    "check" INTEGER NOT NULL
) STRICT"#,
    ),
    (
        "table",
        "contributors",
        "contributors",
        r#"CREATE TABLE contributors(
    identity BLOB NOT NULL PRIMARY KEY,
    label TEXT NOT NULL,
    trusted INTEGER NOT NULL,
    since INTEGER NOT NULL,
    "check" INTEGER NOT NULL
) STRICT, WITHOUT ROWID"#,
    ),
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
    contributor BLOB NOT NULL,
    believing BLOB NOT NULL,
    "check" INTEGER NOT NULL,
    UNIQUE(kind, name, version, contributor, believing)
) STRICT"#,
    ),
    (
        "table",
        "records",
        "records",
        "CREATE TABLE records(
    game INTEGER NOT NULL,
    position BLOB NOT NULL,
    source INTEGER NOT NULL,
    root INTEGER,
    data BLOB NOT NULL,
    PRIMARY KEY(game, position, source)
) STRICT, WITHOUT ROWID",
    ),
    ("index", "roots", "records", "CREATE INDEX roots ON records(game, root) WHERE root IS NOT NULL"),
    (
        "table",
        "annotations",
        "annotations",
        "CREATE TABLE annotations(
    game INTEGER NOT NULL,
    position BLOB NOT NULL,
    source INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY(game, position, source, kind)
) STRICT, WITHOUT ROWID",
    ),
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
        "table",
        "filter",
        "filter",
        r#"CREATE TABLE filter(
    id INTEGER PRIMARY KEY,
    hashes BLOB NOT NULL,
    "check" INTEGER NOT NULL
) STRICT"#,
    ),
    ("view", "readable", "readable", READABLE),
];

/// For people: the bytes of a record as columns. SQLite has no function from a byte to its number; a byte's place in the
/// blob of all bytes is its number.
const READABLE: &str = concat!(
    "CREATE VIEW readable AS
WITH bytes(b) AS (VALUES(x'",
    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f",
    "303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f",
    "606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f",
    "909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf",
    "c0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeef",
    "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
    "')),
shaped AS (
    SELECT *, instr(b, substr(data, 1, 1)) - 1 AS shape, instr(b, substr(data, 2, 1)) - 1 AS origin,
        instr(b, substr(data, 3, 1)) - 1 + 256 * (instr(b, substr(data, 4, 1)) - 1) AS move,
        instr(b, substr(data, 5, 1)) - 1 + 256 * (instr(b, substr(data, 6, 1)) - 1)
            + 65536 * (instr(b, substr(data, 7, 1)) - 1) + 16777216 * (instr(b, substr(data, 8, 1)) - 1) AS time,
        instr(b, substr(data, 9, 1)) - 1 + 256 * ((instr(b, substr(data, 10, 1)) - 1 + 128) % 256 - 128) AS score1,
        instr(b, substr(data, 11, 1)) - 1 AS depth1,
        instr(b, substr(data, 12, 1)) - 1 + 256 * ((instr(b, substr(data, 13, 1)) - 1 + 128) % 256 - 128) AS score2,
        instr(b, substr(data, 14, 1)) - 1 AS depth2
    FROM records, bytes)
SELECT games.name AS game, hex(position) AS position,
    iif(shape & 1, score1, NULL) AS lower, iif(shape & 1, depth1, NULL) AS lower_depth,
    CASE shape & 7 WHEN 2 THEN score1 WHEN 3 THEN score2 WHEN 7 THEN score1 END AS upper,
    CASE shape & 7 WHEN 2 THEN depth1 WHEN 3 THEN depth2 WHEN 7 THEN depth1 END AS upper_depth,
    nullif(move, 0) AS best,
    trim(sources.name || ' ' || sources.version) AS source,
    iif(contributor = x'', 'own', ifnull(contributors.label, hex(contributor))) AS contributor,
    rtrim(iif(origin & 1, 'search ', '') || iif(origin & 2, 'drop ', '') || iif(origin & 4, 'pv ', '')
        || iif(origin & 8, 'advice ', '') || iif(origin & 16, 'import ', '') || iif(origin & 32, 'result ', '')
        || iif(origin & 64, 'game ', '') || iif(origin & 128, 'limited', ''))
        AS origins,
    iif(shape & 8, 'root', '') AS flags, datetime(time, 'unixepoch') AS time
FROM shaped LEFT JOIN games ON games.id = game LEFT JOIN sources ON sources.id = source
    LEFT JOIN contributors ON contributors.identity = sources.contributor"
);

/// What a file is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Identified {
    /// A database without tables.
    Empty,
    /// A memory of a format that is read.
    Memory(Format),
    /// A memory of a newer format.
    Newer(u32),
    /// Another program's database.
    Foreign,
    /// A memory with another schema than its format has.
    Altered(String),
    /// A memory with a table, index, view or trigger that is not mnemon's: its type and name.
    Extended(String),
}

/// Identifies the file by its header and schema. Nothing is written.
pub(super) fn identify(connection: &Connection) -> rusqlite::Result<Identified> {
    // Header and schema are read in one snapshot: of a memory that another process creates meanwhile, an old header with a
    // new schema would look like another program's database.
    let _snapshot = if connection.is_autocommit() { Some(connection.unchecked_transaction()?) } else { None };
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version = Version::read(connection)?;
    let objects: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let memory = |format| Ok(difference(connection, format)?.unwrap_or(Identified::Memory(format)));
    match (application, version.format()) {
        (0, _) if version.0 == 0 && objects == 0 => Ok(Identified::Empty),
        (APPLICATION, Some(1)) => memory(Format::One),
        (APPLICATION, Some(FORMAT)) => memory(Format::Two),
        (APPLICATION, Some(newer)) => Ok(Identified::Newer(newer)),
        (APPLICATION, None) => Ok(Identified::Altered(format!("its format is said to be {}", version.0))),
        _ => Ok(Identified::Foreign),
    }
}

/// What differs from the format's objects first; `None` if nothing does. Every row of the schema must be one of them: a trigger
/// would run with each write, and another index or table decides how SQLite answers.
fn difference(connection: &Connection, format: Format) -> rusqlite::Result<Option<Identified>> {
    let objects = format.objects();
    let mut missing = objects.to_vec();
    let mut unknown = None;
    let mut statement = connection.prepare(
        "SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB) FROM sqlite_schema",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let column = |index| -> rusqlite::Result<&[u8]> { Ok(row.get_ref(index)?.as_blob().unwrap_or_default()) };
        let found = (column(0)?, column(1)?, column(2)?, column(3)?);
        let is_found = |&(kind, name, table, sql): &Object| {
            found == (kind.as_bytes(), name.as_bytes(), table.as_bytes(), sql.as_bytes())
        };
        if let Some(index) = missing.iter().position(is_found) {
            missing.swap_remove(index);
        } else if !is_automatic(found, objects) && unknown.is_none() {
            unknown = Some([found.0, found.1].map(|text| String::from_utf8_lossy(text).into_owned()));
        }
    }
    // In the order of the schema, and before an object with the same name and other SQL.
    let first = objects.iter().find(|object| missing.contains(object));
    Ok(match (first, unknown) {
        (Some((_, name, ..)), _) => {
            Some(Identified::Altered(format!("'{name}' is not as format {} has it", format as u8)))
        }
        (None, Some([kind, name])) => Some(Identified::Extended(format!("{kind} '{name}'"))),
        (None, None) => None,
    })
}

/// Whether the row of the schema is an index that SQLite makes for a UNIQUE or a primary key. No statement can create
/// another of this name, and one in a forged file has no SQL, so it can be nothing but an index of these tables.
fn is_automatic((kind, name, table, sql): (&[u8], &[u8], &[u8], &[u8]), objects: &[Object]) -> bool {
    let is_ours = |&(_, _, ours, _): &Object| ours.as_bytes() == table;
    kind == b"index" && sql.is_empty() && name.starts_with(b"sqlite_autoindex_") && objects.iter().any(is_ours)
}

/// Creates the schema in a database without these objects, inside the caller's transaction: a new memory.
pub(super) fn create(connection: &Connection, label: &str) -> rusqlite::Result<()> {
    for (.., text) in OBJECTS {
        connection.execute_batch(text)?;
    }
    meta::create(connection, label)?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    Version::random(connection)?.write(connection)
}

//! The schema of a memory file, and how a file is identified. docs/format.md is normative; this is its SQL.

use rusqlite::Connection;

/// SQLite's application id in the file's header: "mnem".
pub(super) const APPLICATION: i32 = 0x6d6e_656d;

/// The version of the format that is written, and the newest that is read.
pub(super) const FORMAT: u32 = 1;

/// Every table, index and view, by name. A file whose schema differs was changed by another program.
///
/// Rows are small because unknown values are NULL and small integers take one byte or none. The table is the primary key's
/// B-tree (WITHOUT ROWID): one descent finds a record, and the sources of a position are neighbours.
const OBJECTS: [(&str, &str); 6] = [
    (
        "games",
        r#"CREATE TABLE games(
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    "check" INTEGER NOT NULL
) STRICT"#,
    ),
    (
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
    ("roots", "CREATE INDEX roots ON records(game, time) WHERE flags & 1"),
    (
        "counts",
        "CREATE TABLE counts(
    game INTEGER NOT NULL,
    source INTEGER NOT NULL,
    records INTEGER NOT NULL,
    PRIMARY KEY(game, source)
) STRICT, WITHOUT ROWID",
    ),
    (
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

/// What a file is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Identity {
    /// A database without tables.
    Empty,
    /// A memory of this format.
    Memory,
    /// A memory of a newer format.
    Newer(u32),
    /// Another program's database.
    Foreign,
    /// A memory with another schema than its format has.
    Altered(String),
}

/// Identifies the file by its header and schema. Nothing is written.
pub(super) fn identify(connection: &Connection) -> rusqlite::Result<Identity> {
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let objects: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(match (application, version) {
        (0, 0) if objects == 0 => Identity::Empty,
        (APPLICATION, 1) => altered(connection)?.map_or(Identity::Memory, Identity::Altered),
        (APPLICATION, 2..) => Identity::Newer(u32::try_from(version).unwrap_or(u32::MAX)),
        (APPLICATION, _) => Identity::Altered(format!("its format is said to be {version}")),
        _ => Identity::Foreign,
    })
}

/// What differs from [`OBJECTS`] first; `None` if nothing does.
fn altered(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let mut statement = connection.prepare("SELECT CAST(sql AS BLOB) FROM sqlite_schema WHERE name = ?1")?;
    for (name, text) in OBJECTS {
        let mut rows = statement.query([name])?;
        let same = match rows.next()? {
            Some(row) => row.get_ref(0)?.as_blob().is_ok_and(|sql| sql == text.as_bytes()),
            None => false,
        };
        if !same {
            return Ok(Some(format!("'{name}' is not as format {FORMAT} has it")));
        }
    }
    Ok(None)
}

/// Creates the schema in an empty database, inside the caller's transaction.
pub(super) fn create(connection: &Connection) -> rusqlite::Result<()> {
    for (_, text) in OBJECTS {
        connection.execute_batch(text)?;
    }
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", FORMAT)
}

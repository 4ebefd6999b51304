//! The schema of a memory file, and how a file is identified. docs/format.md is normative; this is its SQL.

use rusqlite::Connection;

/// SQLite's application id in the file's header: "mnem".
pub(super) const APPLICATION: i32 = 0x6d6e_656d;

/// The version of the format that is written, and the newest that is read.
pub(super) const FORMAT: u32 = 1;

/// Every table, index and view: its type, its name, its table, its SQL. A file whose schema differs was changed by another
/// program.
///
/// Rows are small because unknown values are NULL and small integers take one byte or none. The table is the primary key's
/// B-tree (WITHOUT ROWID): one descent finds a record, and the sources of a position are neighbours.
const OBJECTS: [(&str, &str, &str, &str); 6] = [
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
    /// A memory with a table, index, view or trigger that is not mnemon's: its type and name.
    Extended(String),
}

/// Identifies the file by its header and schema. Nothing is written.
pub(super) fn identify(connection: &Connection) -> rusqlite::Result<Identity> {
    // Header and schema are read in one snapshot: of a memory that another process creates meanwhile, an old header with a
    // new schema would look like another program's database.
    let _snapshot = if connection.is_autocommit() { Some(connection.unchecked_transaction()?) } else { None };
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let objects: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(match (application, version) {
        (0, 0) if objects == 0 => Identity::Empty,
        (APPLICATION, 1) => difference(connection)?.unwrap_or(Identity::Memory),
        (APPLICATION, 2..) => Identity::Newer(u32::try_from(version).unwrap_or(u32::MAX)),
        (APPLICATION, _) => Identity::Altered(format!("its format is said to be {version}")),
        _ => Identity::Foreign,
    })
}

/// What differs from [`OBJECTS`] first; `None` if nothing does. Every row of the schema must be one of them: a trigger
/// would run with each write, and another index or table decides how SQLite answers.
fn difference(connection: &Connection) -> rusqlite::Result<Option<Identity>> {
    let mut missing = OBJECTS.to_vec();
    let mut unknown = None;
    let mut statement = connection.prepare(
        "SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB) FROM sqlite_schema",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let column = |index| -> rusqlite::Result<&[u8]> { Ok(row.get_ref(index)?.as_blob().unwrap_or_default()) };
        let found = (column(0)?, column(1)?, column(2)?, column(3)?);
        let is_found = |&(kind, name, table, sql): &(&str, &str, &str, &str)| {
            found == (kind.as_bytes(), name.as_bytes(), table.as_bytes(), sql.as_bytes())
        };
        if let Some(index) = missing.iter().position(is_found) {
            missing.swap_remove(index);
        } else if !is_automatic(found) && unknown.is_none() {
            unknown = Some([found.0, found.1].map(|text| String::from_utf8_lossy(text).into_owned()));
        }
    }
    // In the order of the schema, and before an object with the same name and other SQL.
    let first = OBJECTS.iter().find(|object| missing.contains(object));
    Ok(match (first, unknown) {
        (Some((_, name, ..)), _) => Some(Identity::Altered(format!("'{name}' is not as format {FORMAT} has it"))),
        (None, Some([kind, name])) => Some(Identity::Extended(format!("{kind} '{name}'"))),
        (None, None) => None,
    })
}

/// Whether the row of the schema is an index that SQLite makes for a UNIQUE or a primary key. No statement can create
/// another of this name, and one in a forged file has no SQL, so it can be nothing but an index of these tables.
fn is_automatic((kind, name, table, sql): (&[u8], &[u8], &[u8], &[u8])) -> bool {
    let is_ours = |&(_, _, ours, _): &(&str, &str, &str, &str)| ours.as_bytes() == table;
    kind == b"index" && sql.is_empty() && name.starts_with(b"sqlite_autoindex_") && OBJECTS.iter().any(is_ours)
}

/// Creates the schema in an empty database, inside the caller's transaction.
pub(super) fn create(connection: &Connection) -> rusqlite::Result<()> {
    for (.., text) in OBJECTS {
        connection.execute_batch(text)?;
    }
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", FORMAT)
}

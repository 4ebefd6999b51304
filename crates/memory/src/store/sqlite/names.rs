//! The names of games and sources. Rows refer to them by ids, which are the file's own.
//!
//! Names are only ever added, so a cached name stays valid; an id that is not cached was added by another process since.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::{Connection, Row};

use super::row::integer;
use super::schema::Format;
use crate::{MemoryId, Source, SourceKind};

/// All names of a file, in RAM.
#[derive(Debug, Default)]
pub(super) struct Names {
    games: Vec<(u32, Arc<str>)>,
    sources: Vec<(u32, Source)>,
    game_ids: HashMap<Arc<str>, u32>,
    source_ids: HashMap<Source, u32>,
    /// The number of names that failed their checksum: the game or source of their records is unknown.
    pub(super) damaged: u64,
}

impl Names {
    /// Reads all names.
    pub(super) fn load(connection: &Connection, format: Format) -> rusqlite::Result<Self> {
        let mut names = Names::default();
        let mut games = connection.prepare_cached(r#"SELECT id, "check", name FROM games ORDER BY id"#)?;
        let mut rows = games.query([])?;
        while let Some(row) = rows.next()? {
            match read_game(row) {
                Some((id, game)) => names.add_game(id, game),
                None => names.damaged += 1,
            }
        }
        let mut sources = connection.prepare_cached(match format {
            Format::One => r#"SELECT id, "check", kind, name, version, x'', x'' FROM sources ORDER BY id"#,
            Format::Two => {
                r#"SELECT id, "check", kind, name, version, contributor, believing FROM sources ORDER BY id"#
            }
        })?;
        let mut rows = sources.query([])?;
        while let Some(row) = rows.next()? {
            match read_source(row) {
                Some((id, source)) => names.add_source(id, source),
                None => names.damaged += 1,
            }
        }
        Ok(names)
    }

    /// Writes all names into a file that has none, with the same ids.
    pub(super) fn write_all(&self, connection: &Connection) -> rusqlite::Result<()> {
        self.games.iter().try_for_each(|(id, game)| insert_game(connection, *id, game))?;
        self.sources.iter().try_for_each(|(id, source)| insert_source(connection, *id, source))
    }

    /// The number of names.
    pub(super) fn len(&self) -> usize {
        self.games.len() + self.sources.len()
    }

    fn add_game(&mut self, id: u32, game: Arc<str>) {
        self.game_ids.insert(Arc::clone(&game), id);
        self.games.push((id, game));
    }

    fn add_source(&mut self, id: u32, source: Source) {
        self.source_ids.insert(source.clone(), id);
        self.sources.push((id, source));
    }

    /// The game with this id.
    pub(super) fn game(&self, id: u32) -> Option<&Arc<str>> {
        by_id(&self.games, id)
    }

    /// The source with this id.
    pub(super) fn source(&self, id: u32) -> Option<&Source> {
        by_id(&self.sources, id)
    }

    /// The game's id.
    pub(super) fn game_id(&self, game: &str) -> Option<u32> {
        self.game_ids.get(game).copied()
    }

    /// The source's id.
    pub(super) fn source_id(&self, source: &Source) -> Option<u32> {
        self.source_ids.get(source).copied()
    }
}

fn by_id<T>(named: &[(u32, T)], id: u32) -> Option<&T> {
    named.binary_search_by_key(&id, |&(id, _)| id).ok().map(|index| &named[index].1)
}

/// Writes a game's name into the file, inside the caller's transaction.
pub(super) fn write_game(connection: &Connection, name: &str) -> rusqlite::Result<()> {
    insert_game(connection, next_id(connection, "SELECT ifnull(max(id), 0) + 1 FROM games")?, name)
}

/// Writes a source's name into the file, inside the caller's transaction.
pub(super) fn write_source(connection: &Connection, source: &Source) -> rusqlite::Result<()> {
    insert_source(connection, next_id(connection, "SELECT ifnull(max(id), 0) + 1 FROM sources")?, source)
}

fn next_id(connection: &Connection, sql: &str) -> rusqlite::Result<u32> {
    connection.query_row(sql, [], |row| row.get(0))
}

fn insert_game(connection: &Connection, id: u32, name: &str) -> rusqlite::Result<()> {
    connection.execute("INSERT INTO games VALUES(?1, ?2, ?3)", (id, name, game_checksum(id, name))).map(drop)
}

fn insert_source(connection: &Connection, id: u32, source: &Source) -> rusqlite::Result<()> {
    let contributor: Vec<u8> = source.contributor().iter().flat_map(|id| *id.bytes()).collect();
    let believing: Vec<u8> = source.believed().iter().flat_map(|id| *id.bytes()).collect();
    let row = (
        id,
        source.kind().name(),
        source.name(),
        source.version(),
        contributor,
        believing,
        source_checksum(id, source),
    );
    connection.execute("INSERT INTO sources VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)", row).map(drop)
}

fn game_checksum(id: u32, name: &str) -> i32 {
    checksum(id, 2, [name.as_bytes(), b""])
}

fn source_checksum(id: u32, source: &Source) -> i32 {
    let kind = match source.kind() {
        SourceKind::Engine => 0,
        SourceKind::Person => 1,
        SourceKind::File => 3,
        SourceKind::Player => 4,
    };
    let ids: Vec<u8> = source.foundations().flat_map(|id| *id.bytes()).collect();
    let (name, version) = (source.name().as_bytes(), source.version().as_bytes());
    if ids.is_empty() {
        return checksum(id, kind, [name, version]);
    }
    let is_contributed = [u8::from(source.contributor().is_some())];
    checksum(id, kind, [name, version, &is_contributed, &ids])
}

/// The checksum of a name: a CRC-32 over its id, its kind, and its parts with their lengths.
fn checksum<const N: usize>(id: u32, kind: u8, parts: [&[u8]; N]) -> i32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&id.to_le_bytes());
    hasher.update(&[kind]);
    for part in parts {
        hasher.update(&(part.len() as u32).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize() as i32
}

fn read_game(row: &Row<'_>) -> Option<(u32, Arc<str>)> {
    let id = integer(row, 0)?;
    let name = text(row, 2)?;
    (integer(row, 1) == Some(game_checksum(id, name))).then(|| (id, name.into()))
}

fn read_source(row: &Row<'_>) -> Option<(u32, Source)> {
    let id = integer(row, 0)?;
    let mut source = Source::new(SourceKind::named(text(row, 2)?)?, text(row, 3)?, text(row, 4)?);
    match *memory_ids(row, 5)? {
        [] => {}
        [contributor] => source = source.contributed_by(contributor),
        _ => return None,
    }
    source = source.believing(memory_ids(row, 6)?);
    (integer(row, 1) == Some(source_checksum(id, &source))).then_some((id, source))
}

/// The identities in a column, one behind the other.
fn memory_ids(row: &Row<'_>, column: usize) -> Option<Vec<MemoryId>> {
    let (ids, rest) = row.get_ref(column).ok()?.as_blob().ok()?.as_chunks::<16>();
    rest.is_empty().then(|| ids.iter().map(|&id| MemoryId::from(id)).collect())
}

fn text<'row>(row: &'row Row<'_>, column: usize) -> Option<&'row str> {
    row.get_ref(column).ok()?.as_str().ok()
}

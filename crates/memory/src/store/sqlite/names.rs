//! The names of games and sources. Rows refer to them by ids, which are the file's own.
//!
//! Names are only ever added, so a cached name stays valid; an id that is not cached was added by another process since.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::{Connection, Row};

use super::row::integer;
use crate::Source;

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
    pub(super) fn load(connection: &Connection) -> rusqlite::Result<Self> {
        let mut names = Names::default();
        let mut games = connection.prepare_cached(r#"SELECT id, "check", name FROM games ORDER BY id"#)?;
        let mut rows = games.query([])?;
        while let Some(row) = rows.next()? {
            match read_game(row) {
                Some((id, game)) => names.add_game(id, game),
                None => names.damaged += 1,
            }
        }
        let mut sources =
            connection.prepare_cached(r#"SELECT id, "check", kind, name, version FROM sources ORDER BY id"#)?;
        let mut rows = sources.query([])?;
        while let Some(row) = rows.next()? {
            match read_source(row) {
                Some((id, source)) => names.add_source(id, source),
                None => names.damaged += 1,
            }
        }
        Ok(names)
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
    let id = next_id(connection, "SELECT ifnull(max(id), 0) + 1 FROM games")?;
    let checksum = checksum(Kind::Game, id, name, "");
    connection.execute("INSERT INTO games VALUES(?1, ?2, ?3)", (id, name, checksum)).map(drop)
}

/// Writes a source's name into the file, inside the caller's transaction.
pub(super) fn write_source(connection: &Connection, source: &Source) -> rusqlite::Result<()> {
    let id = next_id(connection, "SELECT ifnull(max(id), 0) + 1 FROM sources")?;
    let kind = if source.is_person() { Kind::Person } else { Kind::Engine };
    let checksum = checksum(kind, id, source.name(), source.version());
    let row = (id, kind.word(), source.name(), source.version(), checksum);
    connection.execute("INSERT INTO sources VALUES(?1, ?2, ?3, ?4, ?5)", row).map(drop)
}

fn next_id(connection: &Connection, sql: &str) -> rusqlite::Result<u32> {
    connection.query_row(sql, [], |row| row.get(0))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Engine = 0,
    Person = 1,
    Game = 2,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Engine => "engine",
            Kind::Person => "person",
            Kind::Game => "game",
        }
    }
}

/// The checksum of a name: a CRC-32 over its id, its kind, and its parts with their lengths.
fn checksum(kind: Kind, id: u32, name: &str, version: &str) -> i32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&id.to_le_bytes());
    hasher.update(&[kind as u8]);
    for part in [name, version] {
        hasher.update(&(part.len() as u32).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize() as i32
}

fn read_game(row: &Row<'_>) -> Option<(u32, Arc<str>)> {
    let id = integer(row, 0, 0)?;
    let name = text(row, 2)?;
    (integer(row, 1, 0) == Some(checksum(Kind::Game, id, name, ""))).then(|| (id, name.into()))
}

fn read_source(row: &Row<'_>) -> Option<(u32, Source)> {
    let id = integer(row, 0, 0)?;
    let (name, version) = (text(row, 3)?, text(row, 4)?);
    let (kind, source) = match text(row, 2)? {
        "person" if version.is_empty() => (Kind::Person, Source::person(name)),
        "engine" => (Kind::Engine, Source::engine(name, version)),
        _ => return None,
    };
    (integer(row, 1, 0) == Some(checksum(kind, id, name, version))).then_some((id, source))
}

fn text<'row>(row: &'row Row<'_>, column: usize) -> Option<&'row str> {
    row.get_ref(column).ok()?.as_str().ok()
}

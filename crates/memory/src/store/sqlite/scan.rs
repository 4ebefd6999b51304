//! Scans of a range.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rusqlite::{Connection, Row, Statement};

use super::SqliteStore;
use super::census::{self, Census};
use super::connection::Reader;
use super::read::NameCache;
use super::row::{RowKey, integer};
use super::schema::Format;
use crate::Key;
use crate::store::{Age, Item, Range};

type Visit<'a> = &'a mut dyn FnMut(Item) -> ControlFlow<()>;

impl SqliteStore {
    /// Visits the range in one snapshot.
    pub(super) fn scan_range(&self, reader: &Reader<'_>, range: &Range<'_>, visit: Visit<'_>) -> rusqlite::Result<()> {
        reader.begin_snapshot()?;
        let mut names = NameCache::new(self, reader);
        let Some(query) = ScanQuery::new(range, &mut names)? else {
            // The name that was asked for may be one that a damaged page hides.
            self.miscounted.fetch_max(census::unnamed(reader, &mut names)?, Ordering::Relaxed);
            return Ok(());
        };
        let mut scan = Scan { store: self, names, group: Vec::new(), visit, census: Census::default() };
        let ended = scan.run_all(reader, &query)?;
        // Only a scan of everything can be compared with the counts.
        if ended.is_continue() && query.prefix.is_empty() && query.roots.is_none() {
            let difference = scan.census.difference(reader, query.game, query.source)?;
            self.miscounted.fetch_max(difference, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// A range with the ids of its names.
#[derive(Clone, Copy)]
struct ScanQuery<'a> {
    game: Option<u32>,
    prefix: &'a [u8],
    source: Option<u32>,
    roots: Option<Age>,
    until: Option<u32>,
}

impl<'a> ScanQuery<'a> {
    /// `None` if the file has no such game or source.
    fn new(range: &Range<'a>, names: &mut NameCache<'_>) -> rusqlite::Result<Option<Self>> {
        let game = range.game.map(|game| names.game_id(game)).transpose()?;
        let source = range.source.map(|source| names.source_id(source)).transpose()?;
        if game == Some(None) || source == Some(None) {
            return Ok(None);
        }
        let (game, source) = (game.flatten(), source.flatten());
        Ok(Some(ScanQuery { game, prefix: range.prefix, source, roots: range.roots, until: range.until }))
    }

    fn sql(&self, format: Format) -> String {
        let mut sql = format!("SELECT game, position, source, {} FROM records", format.columns());
        // Conditions that do not apply are left out, not made true: SQLite plans a query before it has the values.
        let mut conditions = Vec::new();
        if self.roots.is_some() {
            sql += " INDEXED BY roots";
            conditions.push(format.is_root());
        }
        let until = format!("{} <= ?5", format.root_time());
        if self.roots.is_some() && self.until.is_some() {
            conditions.push(&until);
        }
        if self.game.is_some() {
            conditions.push("game = ?1");
        }
        if !self.prefix.is_empty() {
            conditions.push("position >= ?2");
        }
        if self.end().is_some() {
            conditions.push("position < ?3");
        }
        if self.source.is_some() {
            conditions.push("source = ?4");
        }
        if !conditions.is_empty() {
            sql = sql + " WHERE " + &conditions.join(" AND ");
        }
        sql += " ORDER BY ";
        if let Some(age) = self.roots {
            // One direction for all columns, so that the index has the order.
            let direction = if age == Age::NewestFirst { " DESC" } else { "" };
            sql += &format!("{}{direction}, ", format.root_time());
            if self.game.is_none() {
                sql += &format!("(SELECT name FROM games WHERE id = game){direction}, ");
            }
            return sql + "position" + direction;
        }
        sql + "position"
    }

    /// The smallest bytes after all that have the prefix; `None` if there are none, for a prefix of bytes 255.
    fn end(&self) -> Option<Vec<u8>> {
        let last = self.prefix.iter().rposition(|&byte| byte != u8::MAX)?;
        let mut end = self.prefix[..=last].to_vec();
        end[last] += 1;
        Some(end)
    }

    fn bind(&self, statement: &mut Statement<'_>) -> rusqlite::Result<()> {
        // The parameter count is the largest number that occurs in the statement.
        let count = statement.parameter_count();
        if count >= 1 {
            statement.raw_bind_parameter(1, self.game)?;
        }
        if count >= 2 {
            statement.raw_bind_parameter(2, self.prefix)?;
        }
        if count >= 3 {
            statement.raw_bind_parameter(3, self.end())?;
        }
        if count >= 4 {
            statement.raw_bind_parameter(4, self.source)?;
        }
        if count >= 5 {
            statement.raw_bind_parameter(5, self.until)?;
        }
        Ok(())
    }
}

struct Scan<'a> {
    store: &'a SqliteStore,
    names: NameCache<'a>,
    /// Items of one position, sorted by their sources' names before they are visited: ids differ from file to file.
    group: Vec<Item>,
    visit: Visit<'a>,
    census: Census,
}

impl Scan<'_> {
    fn run_all(&mut self, connection: &Connection, query: &ScanQuery<'_>) -> rusqlite::Result<ControlFlow<()>> {
        if query.roots.is_some() || query.game.is_some() {
            return self.run(connection, query);
        }
        for game in self.games(connection)? {
            if self.run(connection, &ScanQuery { game: Some(game), ..*query })?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn count_damaged(&mut self, records: u64) {
        self.store.count_damaged(records);
        self.census.count_damaged(records);
    }

    /// The ids of all games that have records, in the order of their names.
    fn games(&mut self, connection: &Connection) -> rusqlite::Result<Vec<u32>> {
        let mut next = connection.prepare_cached("SELECT min(game) FROM records WHERE game > ?1")?;
        let mut games: Vec<(Arc<str>, u32)> = Vec::new();
        let mut last = i64::MIN;
        while let Some(id) = next.query_row([last], |row| row.get::<_, Option<i64>>(0))? {
            last = id;
            let id = u32::try_from(id).unwrap_or(0);
            match self.names.game(id)? {
                Some(name) => games.push((name, id)),
                None => self.skip_game(connection, last)?,
            }
        }
        games.sort();
        Ok(games.into_iter().map(|(_, id)| id).collect())
    }

    /// Counts the records of a game without a readable name as damaged.
    fn skip_game(&mut self, connection: &Connection, game: i64) -> rusqlite::Result<()> {
        let sql = "SELECT count(*) FROM records WHERE game = ?1";
        let records = connection.prepare_cached(sql)?.query_row([game], |row| row.get::<_, i64>(0))?;
        self.count_damaged(records.unsigned_abs());
        Ok(())
    }

    fn run(&mut self, connection: &Connection, query: &ScanQuery<'_>) -> rusqlite::Result<ControlFlow<()>> {
        let mut statement = connection.prepare_cached(&query.sql(self.store.format))?;
        query.bind(&mut statement)?;
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next()? {
            // A damaged index may lead to a record that is no root.
            let is_in_range = |item: &Item| query.roots.is_none() || item.record.is_indexed();
            let Some(item) = self.item(row)?.filter(is_in_range) else {
                self.count_damaged(1);
                continue;
            };
            if self.group.first().is_some_and(|first| !is_same_group(query, first, &item)) && self.flush().is_break() {
                return Ok(ControlFlow::Break(()));
            }
            self.group.push(item);
        }
        Ok(self.flush())
    }

    fn item(&mut self, row: &Row<'_>) -> rusqlite::Result<Option<Item>> {
        let (Some(game), Ok(position), Some(source)) = (integer(row, 0), row.get_ref(1)?.as_blob(), integer(row, 2))
        else {
            return Ok(None);
        };
        let Some(record) = self.store.format.read(row, 3, &RowKey { game, position, source }) else { return Ok(None) };
        let ids = (game, source);
        let (Some(game), Some(source)) = (self.names.game(game)?, self.names.source(source)?) else { return Ok(None) };
        self.census.count(ids);
        Ok(Some(Item { key: Key { game, position: position.into(), source: source.clone() }, record }))
    }

    /// Visits the items of the group, and empties it.
    fn flush(&mut self) -> ControlFlow<()> {
        self.group.sort_by(|a, b| a.key.source.cmp(&b.key.source));
        self.group.drain(..).try_for_each(&mut self.visit)
    }
}

/// Whether two neighbouring items are ordered by nothing but their sources' ids.
fn is_same_group(query: &ScanQuery<'_>, a: &Item, b: &Item) -> bool {
    let is_as_old = query.roots.is_none() || a.record.time == b.record.time;
    a.key.position == b.key.position && a.key.game == b.key.game && is_as_old
}

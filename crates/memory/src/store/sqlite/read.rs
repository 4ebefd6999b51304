//! Lookups and counts.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, RwLockReadGuard};

use rusqlite::Connection;

use super::connection::Reader;
use super::filter::Filter;
use super::names::Names;
use super::row::{RowKey, integer};
use super::schema::Format;
use super::{SqliteStore, log_path};
use crate::store::{Count, Statistics};
use crate::{Record, Result, Source};

/// The size of a batch from which a second thread makes it faster.
const MIN_SPLIT: usize = 256;

/// The size of a batch from which the filter is used: to read it costs as much as some lookups.
const MIN_FILTERED: usize = 16;

impl SqliteStore {
    /// Large batches are split between two threads with a connection each: most of a lookup's time are cache misses.
    pub(super) fn look_up(
        &self,
        game: &str,
        positions: &[&[u8]],
        found: &mut dyn FnMut(usize, &Source, Record),
    ) -> Result {
        let order = file_order(positions);
        if order.len() < MIN_SPLIT || std::thread::available_parallelism().map_or(1, usize::from) == 1 {
            return self.look_up_some(game, positions, &order, found);
        }
        let (ours, theirs) = order.split_at(order.len() / 2);
        std::thread::scope(|scope| {
            let helper = std::thread::Builder::new().spawn_scoped(scope, || {
                let mut list = Vec::with_capacity(theirs.len());
                let keep = &mut |index, source: &Source, record| list.push((index, source.clone(), record));
                self.look_up_some(game, positions, theirs, keep).map(|()| list)
            });
            self.look_up_some(game, positions, ours, found)?;
            // Without a second thread this one looks up the rest: slower, with the same result.
            let Ok(helper) = helper else { return self.look_up_some(game, positions, theirs, found) };
            let list = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            list.iter().for_each(|(index, source, record)| found(*index, source, *record));
            Ok(())
        })
    }

    /// Looks up the positions with these indices, in one snapshot.
    fn look_up_some(
        &self,
        game: &str,
        positions: &[&[u8]],
        order: &[usize],
        found: &mut dyn FnMut(usize, &Source, Record),
    ) -> Result {
        let reader = self.reader()?;
        self.read_rows(&reader, game, positions, order, found).map_err(|error| self.explain(error))
    }

    fn read_rows(
        &self,
        reader: &Reader<'_>,
        game: &str,
        positions: &[&[u8]],
        order: &[usize],
        found: &mut dyn FnMut(usize, &Source, Record),
    ) -> rusqlite::Result<()> {
        if order.len() > 1 {
            reader.begin_snapshot()?;
        }
        let mut names = NameCache::new(self, reader);
        let Some(game) = names.game_id(game)? else { return Ok(()) };
        let filter = if order.len() < MIN_FILTERED { None } else { self.current_filter(reader)? };
        let mut statement = reader.prepare_cached(self.format.select_position())?;
        statement.raw_bind_parameter(1, game)?;
        for &index in order {
            let position = positions[index];
            if filter.as_ref().is_some_and(|filter| !filter.may_have(game, position)) {
                continue;
            }
            statement.raw_bind_parameter(2, position)?;
            let mut rows = statement.raw_query();
            while let Some(row) = rows.next()? {
                let row_key = RowKey { game, position, source: integer(row, 0).unwrap_or(0) };
                match (self.format.read(row, 1, &row_key), names.source(row_key.source)?) {
                    (Some(record), Some(source)) => found(index, source, record),
                    _ => self.count_damaged(1),
                }
            }
        }
        Ok(())
    }

    /// The filter with everything that the reader's snapshot has; `None` for format 1, which has none.
    fn current_filter(&self, reader: &Reader<'_>) -> rusqlite::Result<Option<RwLockReadGuard<'_, Filter>>> {
        if self.format == Format::One {
            return Ok(None);
        }
        let read = || self.filter.read().unwrap_or_else(PoisonError::into_inner);
        let filter = read();
        if filter.is_current(reader)? {
            return Ok(Some(filter));
        }
        drop(filter);
        let mut filter = self.filter.write().unwrap_or_else(PoisonError::into_inner);
        filter.update(reader)?;
        if filter.is_damaged() {
            self.count_damaged(1);
        }
        drop(filter);
        // Another thread may have read more into it since, which excludes less.
        Ok(Some(read()))
    }

    /// The number of records of a game, from the counts that each transaction updates.
    pub(super) fn read_count(&self, reader: &Reader<'_>, game: &str) -> rusqlite::Result<u64> {
        let Some(game) = NameCache::new(self, reader).game_id(game)? else { return Ok(0) };
        let mut statement = reader.prepare_cached("SELECT records FROM counts WHERE game = ?1 AND records > 0")?;
        let mut rows = statement.query([game])?;
        let mut records = 0_u64;
        while let Some(row) = rows.next()? {
            records = records.saturating_add(integer(row, 0).unwrap_or(0));
        }
        Ok(records)
    }

    pub(super) fn read_statistics(&self, reader: &Reader<'_>) -> rusqlite::Result<Statistics> {
        reader.begin_snapshot()?;
        let mut names = NameCache::new(self, reader);
        let mut counts = Vec::new();
        let mut statement = reader.prepare_cached("SELECT game, source, records FROM counts WHERE records > 0")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let [game, source] = [0, 1].map(|column| integer(row, column).unwrap_or(0));
            let named = (names.game(game)?, names.source(source)?.cloned(), integer(row, 2));
            if let (Some(game), Some(source), Some(records)) = named {
                counts.push(Count { game, source, records });
            }
        }
        counts.sort_by(|a, b| (&a.game, &a.source).cmp(&(&b.game, &b.source)));
        Ok(Statistics {
            location: Some(self.location()),
            format: self.format as u32,
            bytes: bytes_on_disk(&self.path),
            counts,
            damaged: self.damaged.load(Ordering::Relaxed) + names.names.damaged,
            miscounted: self.miscounted.load(Ordering::Relaxed),
        })
    }
}

/// The size of the file and its log.
pub(super) fn bytes_on_disk(path: &Path) -> u64 {
    let bytes = |path: PathBuf| fs::metadata(path).map_or(0, |file| file.len());
    bytes(path.to_owned()) + bytes(log_path(path))
}

/// The positions' indices in the order of the file, so that neighbouring lookups share pages.
fn file_order(positions: &[&[u8]]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_unstable_by_key(|&index| positions[index]);
    order
}

/// The names for one reader: the cached ones, read again at most once, when an id or a name is not among them.
pub(super) struct NameCache<'a> {
    store: &'a SqliteStore,
    connection: &'a Connection,
    pub(super) names: Arc<Names>,
    is_fresh: bool,
}

impl<'a> NameCache<'a> {
    pub(super) fn new(store: &'a SqliteStore, connection: &'a Connection) -> Self {
        NameCache { store, connection, names: store.names(), is_fresh: false }
    }

    fn refresh(&mut self) -> rusqlite::Result<()> {
        if !self.is_fresh {
            self.names = self.store.reload_names(self.connection)?;
            self.is_fresh = true;
        }
        Ok(())
    }

    /// The game's id.
    pub(super) fn game_id(&mut self, game: &str) -> rusqlite::Result<Option<u32>> {
        if self.names.game_id(game).is_none() {
            self.refresh()?;
        }
        Ok(self.names.game_id(game))
    }

    /// The source's id.
    pub(super) fn source_id(&mut self, source: &Source) -> rusqlite::Result<Option<u32>> {
        if self.names.source_id(source).is_none() {
            self.refresh()?;
        }
        Ok(self.names.source_id(source))
    }

    /// The game with this id.
    pub(super) fn game(&mut self, id: u32) -> rusqlite::Result<Option<Arc<str>>> {
        if self.names.game(id).is_none() {
            self.refresh()?;
        }
        Ok(self.names.game(id).cloned())
    }

    /// The source with this id.
    pub(super) fn source(&mut self, id: u32) -> rusqlite::Result<Option<&Source>> {
        if self.names.source(id).is_none() {
            self.refresh()?;
        }
        Ok(self.names.source(id))
    }
}

//! Merges, replacements and deletions: one transaction for each batch, in the order of the file.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use rusqlite::{CachedStatement, Connection, TransactionBehavior};

use super::SqliteStore;
use super::connection;
use super::filter::FilterWriter;
use super::names::{self, Names};
use super::row::{self, RowKey};
use super::schema::{Format, Version};
use crate::store::{Item, Merged};
use crate::{Annotation, Key, Record, Result};

/// What one transaction joins with what is stored.
struct Joined<'a> {
    items: &'a [Item],
    annotations: &'a [Annotation],
    /// Nothing is written unless the records are these.
    seen: Option<&'a [Option<Record>]>,
    join: Join,
}

impl SqliteStore {
    /// Joins the items with what is stored under their keys.
    pub(super) fn join_items(&self, items: &[Item], join: Join) -> Result<Merged> {
        Ok(self.join(Joined { items, annotations: &[], seen: None, join })?.unwrap_or_default())
    }

    /// Merges the items and the annotations in one transaction.
    pub(super) fn merge_items_and_annotations(&self, items: &[Item], annotations: &[Annotation]) -> Result<Merged> {
        Ok(self.join(Joined { items, annotations, seen: None, join: crate::merge })?.unwrap_or_default())
    }

    /// Replaces the records if they are those that were `seen`; `None` if one of them is another.
    pub(super) fn replace_unchanged(&self, items: &[Item], seen: &[Option<Record>]) -> Result<Option<Merged>> {
        self.join(Joined { items, annotations: &[], seen: Some(seen), join: |_, new| *new })
    }

    fn join(&self, joined: Joined<'_>) -> Result<Option<Merged>> {
        let Joined { items, annotations, seen, join } = joined;
        items.iter().try_for_each(Item::validate)?;
        annotations.iter().try_for_each(Annotation::validate)?;
        let keys: Vec<&Key> = items.iter().map(|item| &item.key).collect();
        let annotated: Vec<&Key> = annotations.iter().map(|annotation| &annotation.key).collect();
        self.add_names(&keys)?;
        self.add_names(&annotated)?;
        // Sorted before the lock is taken, for which other processes may wait.
        let rows = sorted_rows(&self.names(), keys);
        let annotated = sorted_rows(&self.names(), annotated);
        self.transact(|connection| {
            let mut batch = Batch::new(connection)?;
            if let Some(seen) = seen
                && !batch.are_unchanged(&rows, seen)?
            {
                return Ok(None);
            }
            self.merge_rows(connection, &annotated, annotations)?;
            for group in rows.chunk_by(|a, b| a.row_key == b.row_key) {
                let records = group.iter().map(|row| &items[row.index].record);
                batch.join(connection, &group[0].row_key, records, join)?;
            }
            self.count_damaged(batch.damaged);
            batch.finish(connection).map(Some)
        })
    }

    pub(super) fn delete_keys(&self, keys: &[Key]) -> Result<u64> {
        let reader = self.reader()?;
        let names = self.reload_names(&reader).map_err(|error| self.explain(error))?;
        drop(reader);
        let rows = sorted_rows(&names, keys);
        self.transact(|connection| {
            let sql = "DELETE FROM records WHERE game = ?1 AND position = ?2 AND source = ?3";
            let mut delete = connection.prepare_cached(sql)?;
            let sql = "DELETE FROM annotations WHERE game = ?1 AND position = ?2 AND source = ?3";
            let mut delete_annotations = connection.prepare_cached(sql)?;
            let mut counts = Counts::default();
            for BatchRow { row_key, .. } in &rows {
                row::bind_key(&mut delete, row_key)?;
                counts.add(row_key, -(delete.raw_execute()? as i64));
                row::bind_key(&mut delete_annotations, row_key)?;
                delete_annotations.raw_execute()?;
            }
            counts.write(connection)?;
            Ok(counts.0.values().sum::<i64>().unsigned_abs())
        })
    }

    /// Runs `work` in one transaction, which is on the disk when this returns; after an error the file is as it was, or is
    /// no longer at its path.
    pub(super) fn transact<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        let mut writer = self.writer()?;
        self.check_in_place()?;
        let work = || {
            self.blocked.store(true, Ordering::Relaxed);
            let begun = writer.transaction_with_behavior(TransactionBehavior::Immediate);
            self.blocked.store(false, Ordering::Relaxed);
            let transaction = begun?;
            // The log is to say whose it is.
            Version::read(&transaction)?.write(&transaction)?;
            let result = work(&transaction)?;
            connection::commit(transaction)?;
            Ok(result)
        };
        let result = work().map_err(|error| self.explain(error))?;
        self.check_in_place()?;
        Ok(result)
    }

    /// Gives an id to every name in the keys. It is a transaction of its own, so that a cached name is always in the file; a
    /// name without records does no harm.
    pub(super) fn add_names(&self, keys: &[&Key]) -> Result {
        if unnamed(&self.names(), keys).next().is_none() {
            return Ok(());
        }
        let names = self.transact(|connection| {
            let mut names = Names::load(connection, Format::Two)?;
            while names.damaged == 0 {
                let Some(key) = unnamed(&names, keys).next() else { break };
                if names.game_id(&key.game).is_none() {
                    names::write_game(connection, &key.game)?;
                }
                if names.source_id(&key.source).is_none() {
                    names::write_source(connection, &key.source)?;
                }
                names = Names::load(connection, Format::Two)?;
            }
            Ok(names)
        })?;
        // A damaged name may be one of these.
        if unnamed(&names, keys).next().is_some() {
            return Err(self.damaged("the name of a game or of a source cannot be read"));
        }
        self.cache_names(names.into());
        Ok(())
    }
}

/// What becomes of a stored record and a new one.
pub(super) type Join = fn(&Record, &Record) -> Record;

/// The keys with a name that has no id.
fn unnamed<'a>(names: &Names, keys: &[&'a Key]) -> impl Iterator<Item = &'a Key> {
    keys.iter().copied().filter(|key| names.game_id(&key.game).is_none() || names.source_id(&key.source).is_none())
}

/// A row of a batch: its key, and its index in the batch.
pub(super) struct BatchRow<'a> {
    pub(super) row_key: RowKey<'a>,
    pub(super) index: usize,
}

/// The rows of the keys in the order of the file, equal keys in the order of the batch. Keys with a name that has no id are
/// left out.
pub(super) fn sorted_rows<'a>(names: &Names, keys: impl IntoIterator<Item = &'a Key>) -> Vec<BatchRow<'a>> {
    let row_key = |key: &'a Key| {
        let (game, source) = (names.game_id(&key.game)?, names.source_id(&key.source)?);
        Some(RowKey { game, position: &key.position, source })
    };
    let keys = keys.into_iter().enumerate();
    let mut rows: Vec<_> = keys.filter_map(|(index, key)| Some(BatchRow { row_key: row_key(key)?, index })).collect();
    rows.sort_unstable_by_key(|&BatchRow { row_key, index }| (row_key.game, row_key.position, row_key.source, index));
    rows
}

/// The statements of a merge, and what it has done so far.
struct Batch<'c> {
    find: CachedStatement<'c>,
    insert: CachedStatement<'c>,
    update: CachedStatement<'c>,
    counts: Counts,
    filter: FilterWriter,
    merged: Merged,
    damaged: u64,
}

/// What is stored under a key.
enum Stored {
    Nothing,
    Damaged,
    Record(Record),
}

impl<'c> Batch<'c> {
    fn new(connection: &'c Connection) -> rusqlite::Result<Self> {
        Ok(Batch {
            find: connection
                .prepare_cached("SELECT data FROM records WHERE game = ?1 AND position = ?2 AND source = ?3")?,
            insert: connection.prepare_cached(row::INSERT)?,
            update: connection.prepare_cached(row::UPDATE)?,
            filter: FilterWriter::default(),
            counts: Counts::default(),
            merged: Merged::default(),
            damaged: 0,
        })
    }

    /// Joins records with one row, which is written only if it changes. A damaged row counts as an empty record.
    fn join<'r>(
        &mut self,
        connection: &Connection,
        row_key: &RowKey<'_>,
        records: impl Iterator<Item = &'r Record>,
        join: Join,
    ) -> rusqlite::Result<()> {
        let stored = self.find(row_key)?;
        let before = if let Stored::Record(record) = stored { Some(record) } else { None };
        let mut now = before;
        for record in records {
            let joined = now.map_or(*record, |now| join(&now, record));
            match now {
                None => self.merged.added += 1,
                Some(now) if now == joined => self.merged.known += 1,
                Some(_) => self.merged.changed += 1,
            }
            now = Some(joined);
        }
        let Some(record) = now.filter(|_| now != before) else { return Ok(()) };
        if let Stored::Nothing = stored {
            self.counts.add(row_key, 1);
            self.filter.add(connection, row_key)?;
            row::bind(&mut self.insert, row_key, &record)?;
            self.insert.raw_execute().map(drop)
        } else {
            row::bind(&mut self.update, row_key, &record)?;
            self.update.raw_execute().map(drop)
        }
    }

    /// Whether each row has the record that was seen under its key.
    fn are_unchanged(&mut self, rows: &[BatchRow<'_>], seen: &[Option<Record>]) -> rusqlite::Result<bool> {
        for BatchRow { row_key, index } in rows {
            let stored = if let Stored::Record(record) = self.find(row_key)? { Some(record) } else { None };
            if stored != seen.get(*index).copied().flatten() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn find(&mut self, row_key: &RowKey<'_>) -> rusqlite::Result<Stored> {
        row::bind_key(&mut self.find, row_key)?;
        let mut rows = self.find.raw_query();
        Ok(match rows.next()? {
            None => Stored::Nothing,
            Some(row) => match row::read(row, 0, row_key) {
                Some(record) => Stored::Record(record),
                None => {
                    self.damaged += 1;
                    Stored::Damaged
                }
            },
        })
    }

    fn finish(self, connection: &Connection) -> rusqlite::Result<Merged> {
        self.counts.write(connection)?;
        self.filter.finish(connection)?;
        Ok(self.merged)
    }
}

/// The changes of the numbers of records, by game and source.
#[derive(Default)]
pub(super) struct Counts(BTreeMap<(u32, u32), i64>);

impl Counts {
    pub(super) fn add(&mut self, row_key: &RowKey<'_>, records: i64) {
        *self.0.entry((row_key.game, row_key.source)).or_default() += records;
    }

    pub(super) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let sql = "INSERT INTO counts VALUES(?1, ?2, ?3) \
                   ON CONFLICT(game, source) DO UPDATE SET records = records + excluded.records";
        let mut statement = connection.prepare_cached(sql)?;
        let changes = self.0.iter().filter(|&(_, &records)| records != 0);
        changes
            .into_iter()
            .try_for_each(|(&(game, source), &records)| statement.execute((game, source, records)).map(drop))
    }
}

#[cfg(test)]
mod tests {
    use crate::store::Store;
    use crate::store::sqlite::SqliteStore;
    use crate::{Access, Item, Key, MemoryError, Record, Source, Upkeep as _};

    /// SQLite itself refuses to grow the file; in `tests/refusals.rs` the system does.
    #[test]
    fn a_batch_that_does_not_fit_leaves_everything_as_it_was() {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&directory.path().join("m"), Access::Create).unwrap();
        let engine = Source::engine("mnemon", "0.1.0");
        let batch = |numbers: std::ops::Range<u64>| {
            let key = |number: u64| Key::new(&"chess".into(), number.to_le_bytes(), &engine);
            numbers.map(|number| Item { key: key(number), record: Record::exact(1, 1) }).collect::<Vec<_>>()
        };
        store.merge_many(&batch(0..500)).unwrap();
        store.writer().unwrap().pragma_update(None, "max_page_count", 40).unwrap();
        let full = store.merge_many(&batch(250..10_000));
        assert!(matches!(full, Err(MemoryError::Full { .. })), "{full:?}");
        assert_eq!(store.statistics().unwrap().records(), 500);
        assert_eq!(store.merge_many(&batch(0..500)).unwrap().known, 500);
        assert!(store.verify(&mut |_, _| ()).unwrap().is_sound());
    }
}

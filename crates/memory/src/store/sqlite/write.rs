//! Merging and forgetting: one transaction a batch, in the order of the file.

use std::collections::BTreeMap;

use rusqlite::{CachedStatement, Connection, TransactionBehavior};

use super::SqliteStore;
use super::names::{self, Names};
use super::row::{self, RowKey, columns};
use crate::store::{Item, Merged};
use crate::{Key, Record, Result, merge};

impl SqliteStore {
    pub(super) fn merge_items(&self, items: &[Item]) -> Result<Merged> {
        items.iter().try_for_each(Item::validate)?;
        self.make_names(items)?;
        // Everything that can be done before the lock is done before it: others are waiting.
        let filed = file(&self.names(), items.iter().map(|item| &item.key));
        self.transact(|connection| {
            let mut batch = Batch::new(connection)?;
            for group in filed.chunk_by(|a, b| a.row_key == b.row_key) {
                batch.merge(&group[0].row_key, group.iter().map(|filed| &items[filed.index].record))?;
            }
            self.count_damaged(batch.damaged);
            batch.finish(connection)
        })
    }

    pub(super) fn forget_keys(&self, keys: &[Key]) -> Result<u64> {
        let reader = self.reader()?;
        let names = self.reload_names(&reader).map_err(|error| self.explain(error))?;
        drop(reader);
        let filed = file(&names, keys);
        self.transact(|connection| {
            let sql = "DELETE FROM records WHERE game = ?1 AND position = ?2 AND source = ?3";
            let mut delete = connection.prepare_cached(sql)?;
            let mut counts = Counts::default();
            for Filed { row_key, .. } in &filed {
                row::bind_key(&mut delete, row_key)?;
                counts.add(row_key, -(delete.raw_execute()? as i64));
            }
            counts.write(connection)?;
            Ok(counts.0.values().sum::<i64>().unsigned_abs())
        })
    }

    /// Does the work in one transaction, which is on the disk when this returns, or leaves everything as it was.
    fn transact<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        let mut writer = self.writer()?;
        let work = || {
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        };
        work().map_err(|error| self.explain(error))
    }

    /// Sees to it that every name in the items has a number. In a transaction of its own, since a name without records
    /// does no harm: what is remembered here is then always in the file.
    fn make_names(&self, items: &[Item]) -> Result {
        if lacks(&self.names(), items).next().is_none() {
            return Ok(());
        }
        let names = self.transact(|connection| {
            let mut names = Names::load(connection)?;
            while names.damaged == 0 {
                let Some(key) = lacks(&names, items).next() else { break };
                if names.game_number(&key.game).is_none() {
                    names::write_game(connection, &key.game)?;
                }
                if names.source_number(&key.source).is_none() {
                    names::write_source(connection, &key.source)?;
                }
                names = Names::load(connection)?;
            }
            Ok(names)
        })?;
        // A name that cannot be read may be the very one that is wanted.
        if lacks(&names, items).next().is_some() {
            return Err(self.damaged("the name of a game or of a source cannot be read"));
        }
        self.remember_names(names.into());
        Ok(())
    }
}

/// The keys that have a name without a number.
fn lacks<'a>(names: &Names, items: &'a [Item]) -> impl Iterator<Item = &'a Key> {
    let keys = items.iter().map(|item| &item.key);
    keys.filter(|key| names.game_number(&key.game).is_none() || names.source_number(&key.source).is_none())
}

/// A key in the file's own numbers, and which of the batch it was.
struct Filed<'a> {
    row_key: RowKey<'a>,
    index: usize,
}

/// The keys in the order of the file, equal ones in the order in which they came. Those with an unknown name are left
/// out: nothing can be filed there.
fn file<'a>(names: &Names, keys: impl IntoIterator<Item = &'a Key>) -> Vec<Filed<'a>> {
    let row_key = |key: &'a Key| {
        let (game, source) = (names.game_number(&key.game)?, names.source_number(&key.source)?);
        Some(RowKey { game, position: &key.position, source })
    };
    let keys = keys.into_iter().enumerate();
    let mut filed: Vec<_> = keys.filter_map(|(index, key)| Some(Filed { row_key: row_key(key)?, index })).collect();
    filed.sort_unstable_by_key(|&Filed { row_key, index }| (row_key.game, row_key.position, row_key.source, index));
    filed
}

/// The statements of a merge, and what it did so far.
struct Batch<'c> {
    find: CachedStatement<'c>,
    insert: CachedStatement<'c>,
    update: CachedStatement<'c>,
    counts: Counts,
    merged: Merged,
    damaged: u64,
}

/// What a row turned out to hold.
enum Found {
    Nothing,
    Damage,
    Known(Record),
}

impl<'c> Batch<'c> {
    fn new(connection: &'c Connection) -> rusqlite::Result<Self> {
        Ok(Batch {
            find: connection.prepare_cached(concat!(
                "SELECT ",
                columns!(),
                " FROM records WHERE game = ?1 AND position = ?2 AND source = ?3"
            ))?,
            insert: connection.prepare_cached(concat!(
                "INSERT INTO records(game, position, source, ",
                columns!(),
                ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)"
            ))?,
            update: connection.prepare_cached(concat!(
                "UPDATE records SET (",
                columns!(),
                ") = (?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) \
                 WHERE game = ?1 AND position = ?2 AND source = ?3"
            ))?,
            counts: Counts::default(),
            merged: Merged::default(),
            damaged: 0,
        })
    }

    /// Merges records into one row, which is written only if that changes it. A damaged row knows nothing.
    fn merge<'r>(&mut self, row_key: &RowKey<'_>, records: impl Iterator<Item = &'r Record>) -> rusqlite::Result<()> {
        let found = self.find(row_key)?;
        let before = if let Found::Known(record) = found { Some(record) } else { None };
        let mut now = before;
        for record in records {
            let joined = now.map_or(*record, |now| merge(&now, record));
            match now {
                None => self.merged.added += 1,
                Some(now) if now == joined => self.merged.known += 1,
                Some(_) => self.merged.changed += 1,
            }
            now = Some(joined);
        }
        let Some(record) = now.filter(|_| now != before) else { return Ok(()) };
        if let Found::Nothing = found {
            self.counts.add(row_key, 1);
            row::bind(&mut self.insert, row_key, &record)?;
            self.insert.raw_execute().map(drop)
        } else {
            row::bind(&mut self.update, row_key, &record)?;
            self.update.raw_execute().map(drop)
        }
    }

    fn find(&mut self, row_key: &RowKey<'_>) -> rusqlite::Result<Found> {
        row::bind_key(&mut self.find, row_key)?;
        let mut rows = self.find.raw_query();
        Ok(match rows.next()? {
            None => Found::Nothing,
            Some(row) => match row::read(row, 0, row_key) {
                Some(record) => Found::Known(record),
                None => {
                    self.damaged += 1;
                    Found::Damage
                }
            },
        })
    }

    fn finish(self, connection: &Connection) -> rusqlite::Result<Merged> {
        self.counts.write(connection)?;
        Ok(self.merged)
    }
}

/// By how much the numbers of records change, by game and source.
#[derive(Default)]
struct Counts(BTreeMap<(u32, u32), i64>);

impl Counts {
    fn add(&mut self, row_key: &RowKey<'_>, records: i64) {
        *self.0.entry((row_key.game, row_key.source)).or_default() += records;
    }

    fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
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

    /// SQLite's own word for it; `tests/refusals.rs` has the system's.
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

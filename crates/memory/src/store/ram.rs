//! A store in RAM: simple and slow, the reference that the tests compare other stores with.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Count, Item, Merged, Range, Statistics, Store};
use crate::{Key, Record, Result, Source, merge};

/// A store that is gone when its process ends.
#[derive(Debug, Default)]
pub struct RamStore(Mutex<BTreeMap<Key, Record>>);

impl RamStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// The records. They are consistent even if a thread panicked, since every change is one insertion or removal.
    fn records(&self) -> MutexGuard<'_, BTreeMap<Key, Record>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for RamStore {
    fn get_many(&self, game: &str, positions: &[&[u8]], found: &mut dyn FnMut(usize, &Source, Record)) -> Result {
        let records = self.records();
        for (number, &position) in positions.iter().enumerate() {
            // Keys are ordered by game, position, source, and this source is the first of all.
            let first = Key { game: game.into(), position: position.into(), source: Source::engine("", "") };
            let of_position =
                records.range(first..).take_while(|(key, _)| *key.game == *game && *key.position == *position);
            for (key, &record) in of_position {
                found(number, &key.source, record);
            }
        }
        Ok(())
    }

    fn merge_many(&self, items: &[Item]) -> Result<Merged> {
        items.iter().try_for_each(Item::validate)?;
        let mut records = self.records();
        let mut merged = Merged::default();
        for Item { key, record } in items {
            let known = records.get(key).copied();
            let joined = known.map_or(*record, |known| merge(&known, record));
            match known {
                None => merged.added += 1,
                Some(known) if known == joined => merged.known += 1,
                Some(_) => merged.changed += 1,
            }
            records.insert(key.clone(), joined);
        }
        Ok(merged)
    }

    fn delete_many(&self, keys: &[Key]) -> Result<u64> {
        let mut records = self.records();
        Ok(keys.iter().filter(|key| records.remove(key).is_some()).count() as u64)
    }

    fn scan(&self, range: &Range<'_>, visit: &mut dyn FnMut(Item) -> ControlFlow<()>) -> Result {
        let all = self.records().clone();
        let items = all.into_iter().map(|(key, record)| Item { key, record });
        let mut items: Vec<Item> = items.filter(|item| range.contains(item)).collect();
        if range.roots {
            items.sort_by_key(|item| item.record.time);
        }
        // A visitor that breaks is no error.
        let _ = items.into_iter().try_for_each(visit);
        Ok(())
    }

    fn sync(&self) -> Result {
        Ok(())
    }

    fn statistics(&self) -> Result<Statistics> {
        let mut counts: BTreeMap<_, u64> = BTreeMap::new();
        for Key { game, source, .. } in self.records().keys() {
            *counts.entry((game.clone(), source.clone())).or_default() += 1;
        }
        let counts = counts.into_iter().map(|((game, source), records)| Count { game, source, records }).collect();
        Ok(Statistics { counts, ..Statistics::default() })
    }

    fn size_hint(&self, game: &str) -> Result<Option<u64>> {
        Ok(Some(self.records().keys().filter(|key| *key.game == *game).count() as u64))
    }
}

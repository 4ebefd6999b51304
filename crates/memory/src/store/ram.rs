//! A store in RAM: simple and slow, the reference that the tests compare other stores with.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::contributor::validate_label;
use super::{Age, Contributor, Count, Identity, Item, Merged, Range, Statistics, Store};
use crate::codec::ContentKind;
use crate::{Annotation, Content, Key, MemoryId, Record, Result, Source, merge};

/// A store that is gone when its process ends.
#[derive(Debug)]
pub struct RamStore(Mutex<Contents>);

#[derive(Debug)]
struct Contents {
    identity: Identity,
    contributors: BTreeMap<MemoryId, Contributor>,
    /// Shared with the scans that read it: a change that comes meanwhile is made in a copy.
    records: Arc<BTreeMap<Key, Record>>,
    /// The number of records of each game and source that had any.
    counts: BTreeMap<(Arc<str>, Source), u64>,
    /// Lines, then notes.
    annotations: [BTreeMap<Key, Content>; 2],
}

impl Default for RamStore {
    fn default() -> Self {
        let random = RandomState::new();
        let bytes = (u128::from(random.hash_one(0)) << 64 | u128::from(random.hash_one(1))).to_le_bytes();
        let identity = Identity { id: MemoryId::from(bytes), label: "RAM".to_owned() };
        RamStore(Mutex::new(Contents {
            identity,
            contributors: BTreeMap::new(),
            records: Arc::default(),
            counts: BTreeMap::new(),
            annotations: Default::default(),
        }))
    }
}

impl RamStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Joins the items with the records of their keys.
    fn join_many(&self, items: &[Item], join: fn(&Record, &Record) -> Record) -> Result<Merged> {
        items.iter().try_for_each(Item::validate)?;
        let (mut contents, mut merged) = (self.contents(), Merged::default());
        for Item { key, record } in items {
            let before = merged.added;
            self::join(Arc::make_mut(&mut contents.records), key, record, join, &mut merged);
            let count = contents.counts.entry((key.game.clone(), key.source.clone())).or_default();
            *count += merged.added - before;
        }
        Ok(merged)
    }

    /// The contents. They are consistent even if a thread panicked, since every change is one insertion or removal.
    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The values of a position with their sources. Keys are ordered by game, position, source, and this source is the first.
fn of_position<'m, V>(map: &'m BTreeMap<Key, V>, game: &str, position: &[u8]) -> Vec<(&'m Source, &'m V)> {
    let first = Key { game: game.into(), position: position.into(), source: Source::engine("", "") };
    let (game, position) = (first.game.clone(), first.position.clone());
    let range = map.range(first..).take_while(|(key, _)| key.game == game && key.position == position);
    range.map(|(key, value)| (&key.source, value)).collect()
}

/// Joins a value with that of its key, and counts what it did.
fn join<V: Clone + PartialEq>(
    map: &mut BTreeMap<Key, V>,
    key: &Key,
    value: &V,
    merge: impl Fn(&V, &V) -> V,
    merged: &mut Merged,
) {
    let known = map.get(key);
    let joined = known.map_or_else(|| value.clone(), |known| merge(known, value));
    match known {
        None => merged.added += 1,
        Some(known) if *known == joined => merged.known += 1,
        Some(_) => merged.changed += 1,
    }
    map.insert(key.clone(), joined);
}

/// Turns the order around, but for the sources of one position of one time.
fn newest_first(roots: &mut [(&Key, &Record)]) {
    roots.reverse();
    let is_same = |a: &(&Key, &Record), b: &(&Key, &Record)| {
        (a.1.time, &a.0.game, &a.0.position) == (b.1.time, &b.0.game, &b.0.position)
    };
    roots.chunk_by_mut(is_same).for_each(<[_]>::reverse);
}

impl Store for RamStore {
    fn get_many(&self, game: &str, positions: &[&[u8]], found: &mut dyn FnMut(usize, &Source, Record)) -> Result {
        let contents = self.contents();
        for (number, position) in positions.iter().enumerate() {
            for (source, &record) in of_position(&contents.records, game, position) {
                found(number, source, record);
            }
        }
        Ok(())
    }

    fn merge_many(&self, items: &[Item]) -> Result<Merged> {
        self.join_many(items, merge)
    }

    fn replace_many(&self, items: &[Item]) -> Result<Merged> {
        self.join_many(items, |_, new| *new)
    }

    fn annotations(&self, game: &str, position: &[u8]) -> Result<Vec<(Source, Content)>> {
        let contents = self.contents();
        let all = contents.annotations.iter().flat_map(|kind| of_position(kind, game, position));
        Ok(all.map(|(source, content)| (source.clone(), content.clone())).collect())
    }

    fn merge_annotations(&self, annotations: &[Annotation]) -> Result<Merged> {
        annotations.iter().try_for_each(Annotation::validate)?;
        let (mut contents, mut merged) = (self.contents(), Merged::default());
        for Annotation { key, content } in annotations {
            let map = &mut contents.annotations[ContentKind::of(content) as usize - 1];
            join(map, key, content, Content::merge, &mut merged);
        }
        Ok(merged)
    }

    fn scan_annotations(&self, range: &Range<'_>, visit: &mut dyn FnMut(Annotation) -> ControlFlow<()>) -> Result {
        let mut all: Vec<Annotation> = Vec::new();
        for kind in &self.contents().annotations {
            let annotations = kind.iter().filter(|(key, _)| range.contains_key(key));
            all.extend(annotations.map(|(key, content)| Annotation { key: key.clone(), content: content.clone() }));
        }
        all.sort_by(|a, b| a.key.cmp(&b.key));
        // A visitor that breaks is no error.
        let _ = all.into_iter().try_for_each(visit);
        Ok(())
    }

    fn identity(&self) -> Result<Identity> {
        Ok(self.contents().identity.clone())
    }

    fn set_label(&self, label: &str) -> Result {
        validate_label(label)?;
        label.clone_into(&mut self.contents().identity.label);
        Ok(())
    }

    fn contributors(&self) -> Result<Vec<Contributor>> {
        Ok(self.contents().contributors.values().cloned().collect())
    }

    fn set_contributor(&self, contributor: &Contributor) -> Result {
        validate_label(&contributor.label)?;
        let mut contents = self.contents();
        let since = contents.contributors.get(&contributor.id).map_or(contributor.since, |known| known.since);
        contents.contributors.insert(contributor.id, Contributor { since, ..contributor.clone() });
        Ok(())
    }

    fn delete_many(&self, keys: &[Key]) -> Result<u64> {
        let mut contents = self.contents();
        for key in keys {
            contents.annotations.iter_mut().for_each(|kind| drop(kind.remove(key)));
        }
        let mut deleted = 0;
        for key in keys {
            if Arc::make_mut(&mut contents.records).remove(key).is_some() {
                deleted += 1;
                *contents.counts.entry((key.game.clone(), key.source.clone())).or_default() -= 1;
            }
        }
        Ok(deleted)
    }

    fn scan(&self, range: &Range<'_>, visit: &mut dyn FnMut(Item) -> ControlFlow<()>) -> Result {
        let records = Arc::clone(&self.contents().records);
        let item = |(key, &record): (&Key, &Record)| Item { key: key.clone(), record };
        let records = records.iter().filter(|(key, record)| range.contains_record(key, record));
        // A visitor that breaks is no error.
        let _ = match range.roots {
            None => records.map(item).try_for_each(visit),
            Some(age) => {
                let mut roots: Vec<_> = records.collect();
                roots.sort_by_key(|(_, record)| record.time);
                if age == Age::NewestFirst {
                    newest_first(&mut roots);
                }
                roots.into_iter().map(item).try_for_each(visit)
            }
        };
        Ok(())
    }

    fn sync(&self) -> Result {
        Ok(())
    }

    fn statistics(&self) -> Result<Statistics> {
        let contents = self.contents();
        let counts = contents.counts.iter().filter(|&(_, &records)| records > 0);
        let count = |((game, source), &records): (&(Arc<str>, Source), &u64)| Count {
            game: game.clone(),
            source: source.clone(),
            records,
        };
        let counts = counts.map(count).collect();
        Ok(Statistics { counts, ..Statistics::default() })
    }

    fn size_hint(&self, game: &str) -> Result<Option<u64>> {
        let contents = self.contents();
        Ok(Some(contents.counts.iter().filter(|((known, _), _)| **known == *game).map(|(_, records)| records).sum()))
    }
}

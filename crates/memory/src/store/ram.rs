//! A store in RAM: simple and slow, the reference that the tests compare other stores with.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
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
    records: Arc<KeyMap<Record>>,
    /// The keys of roots and advice by their time, shared likewise.
    roots: Arc<BTreeSet<RootKey>>,
    /// The number of records of each game and source that had any.
    counts: BTreeMap<(Arc<str>, Source), u64>,
    /// Lines, then notes.
    annotations: [KeyMap<Content>; 2],
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
            roots: Arc::default(),
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
        Ok(self.contents().join(items, join))
    }

    /// The contents. They are consistent even if a thread panicked, since every change is one insertion or removal.
    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Contents {
    /// Joins valid items with the records of their keys.
    fn join(&mut self, items: &[Item], join: fn(&Record, &Record) -> Record) -> Merged {
        let mut merged = Merged::default();
        for Item { key, record } in items {
            let before = merged.added;
            let was = self.record(key);
            self::join(Arc::make_mut(&mut self.records), key, record, join, &mut merged);
            self.index(key, was, self.record(key));
            let count = self.counts.entry((key.game.clone(), key.source.clone())).or_default();
            *count += merged.added - before;
        }
        merged
    }

    /// Keeps the roots in order of time: a record was one thing and is another.
    fn index(&mut self, key: &Key, was: Option<Record>, is: Option<Record>) {
        let [was, is] =
            [was, is].map(|record| record.filter(Record::is_indexed).map(|record| root_key(record.time, key)));
        if was != is {
            let roots = Arc::make_mut(&mut self.roots);
            was.iter().for_each(|root| _ = roots.remove(root));
            roots.extend(is);
        }
    }

    fn record(&self, key: &Key) -> Option<Record> {
        let mut records = of_position(&self.records, &key.game, &key.position);
        records.find(|(source, _)| **source == key.source).map(|(_, record)| *record)
    }
}

/// A root by its time. Of one time the newest come in the order of the keys turned around, but for the sources of one position.
type RootKey = (u32, Arc<str>, Box<[u8]>, Reverse<Source>);

fn root_key(time: u32, key: &Key) -> RootKey {
    (time, key.game.clone(), key.position.clone(), Reverse(key.source.clone()))
}

/// Values by game, position and source.
type KeyMap<V> = BTreeMap<Arc<str>, BTreeMap<Box<[u8]>, BTreeMap<Source, V>>>;

/// The values of a position with their sources.
fn of_position<'m, V>(map: &'m KeyMap<V>, game: &str, position: &[u8]) -> impl Iterator<Item = (&'m Source, &'m V)> {
    map.get(game).and_then(|positions| positions.get(position)).into_iter().flatten()
}

/// All values with their keys, in the order of the keys.
fn items<V>(map: &KeyMap<V>) -> impl Iterator<Item = (&Arc<str>, &[u8], &Source, &V)> {
    map.iter().flat_map(|(game, positions)| {
        let of_game = positions
            .iter()
            .flat_map(|(position, sources)| sources.iter().map(move |(source, value)| (&**position, source, value)));
        of_game.map(move |(position, source, value)| (game, position, source, value))
    })
}

/// Removes the value of a key; returns whether there was one.
fn remove<V>(map: &mut KeyMap<V>, key: &Key) -> bool {
    let positions = map.get_mut(&key.game);
    let sources = positions.and_then(|positions| positions.get_mut(&key.position));
    sources.is_some_and(|sources| sources.remove(&key.source).is_some())
}

/// Joins a value with that of its key, and counts what it did.
fn join<V: Clone + PartialEq>(
    map: &mut KeyMap<V>,
    key: &Key,
    value: &V,
    merge: impl Fn(&V, &V) -> V,
    merged: &mut Merged,
) {
    let sources = map.entry(key.game.clone()).or_default().entry(key.position.clone()).or_default();
    let known = sources.get(&key.source);
    let joined = known.map_or_else(|| value.clone(), |known| merge(known, value));
    match known {
        None => merged.added += 1,
        Some(known) if *known == joined => merged.known += 1,
        Some(_) => merged.changed += 1,
    }
    sources.insert(key.source.clone(), joined);
}

/// A record with its key, in the map.
type Entry<'m> = (&'m Arc<str>, &'m [u8], &'m Source, &'m Record);

/// The records, the oldest first.
fn oldest_first<'m>(records: impl Iterator<Item = Entry<'m>>) -> impl Iterator<Item = Entry<'m>> {
    let mut records: Vec<Entry<'m>> = records.collect();
    records.sort_by_key(|entry| entry.3.time);
    records.into_iter()
}

/// The records of these roots, the newest first, read one by one: most scans end after a few.
fn newest_first<'m>(roots: &'m BTreeSet<RootKey>, records: &'m KeyMap<Record>) -> impl Iterator<Item = Entry<'m>> {
    roots.iter().rev().filter_map(|(_, game, position, Reverse(source))| {
        let (source, record) = records.get(game)?.get(position)?.get_key_value(source)?;
        Some((game, &**position, source, record))
    })
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

    fn replace_unchanged(&self, items: &[Item], seen: &[Option<Record>]) -> Result<Option<Merged>> {
        items.iter().try_for_each(Item::validate)?;
        let mut contents = self.contents();
        let is_unchanged = items.iter().zip(seen).all(|(item, seen)| contents.record(&item.key) == *seen);
        Ok(is_unchanged.then(|| contents.join(items, |_, new| *new)))
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
            let annotations = items(kind).map(|(game, position, source, content)| Annotation {
                key: Key::new(game, position, source),
                content: content.clone(),
            });
            all.extend(annotations.filter(|annotation| range.contains_key(&annotation.key)));
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
            contents.annotations.iter_mut().for_each(|kind| _ = remove(kind, key));
        }
        let mut deleted = 0;
        for key in keys {
            let was = contents.record(key);
            contents.index(key, was, None);
            if remove(Arc::make_mut(&mut contents.records), key) {
                deleted += 1;
                *contents.counts.entry((key.game.clone(), key.source.clone())).or_default() -= 1;
            }
        }
        Ok(deleted)
    }

    fn scan(&self, range: &Range<'_>, visit: &mut dyn FnMut(Item) -> ControlFlow<()>) -> Result {
        let contents = self.contents();
        let (records, roots) = (Arc::clone(&contents.records), Arc::clone(&contents.roots));
        drop(contents);
        let is_in_range = |(game, position, source, record): &Entry<'_>| range.has(game, position, source, record);
        let item = |(game, position, source, &record): (&Arc<str>, &[u8], &Source, &Record)| Item {
            key: Key::new(game, position, source),
            record,
        };
        // A visitor that breaks is no error.
        let _ = match range.roots {
            None => items(&records).filter(is_in_range).map(item).try_for_each(visit),
            Some(Age::OldestFirst) => oldest_first(items(&records).filter(is_in_range)).map(item).try_for_each(visit),
            Some(Age::NewestFirst) => newest_first(&roots, &records).filter(is_in_range).map(item).try_for_each(visit),
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

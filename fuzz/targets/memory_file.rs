//! A damaged memory: every record is returned as it was, or left out, or there is an error; a verification finds what is left
//! out, and nothing panics or hangs.
//!
//! The first byte chooses what is damaged: a sound file, the log beside it, or nothing, where the bytes are the whole file.

#![no_main]

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mnemon_fuzz::{Patches, clear, scratch};
use mnemon_memory::{
    Access, Age, Flags, Item, Key, MemoryError, Origins, Range, Record, Result, Source, Store, merge, open, restore,
};
use mnemon_table::Window;

type Contents = BTreeMap<Key, Record>;

/// A sound memory.
struct Sound {
    /// The bytes of the file after it was closed, and its records.
    file: Vec<u8>,
    contents: Contents,
    /// The file and its log while it was open, and the records after each batch.
    open_file: Vec<u8>,
    log: Vec<u8>,
    batches: Vec<Contents>,
}

static SOUND: LazyLock<Sound> = LazyLock::new(|| {
    clear();
    let store = open(path("sound"), Access::Create).expect("a new memory");
    let mut batches = vec![Contents::new()];
    for batch in 0..4 {
        let items: Vec<Item> = (25 * batch..25 * (batch + 1)).map(item).collect();
        store.merge_many(&items).expect("a sound memory");
        batches.push(scanned(&*store, &Range::default()).expect("a sound memory").0);
    }
    let (open_file, log) = (fs::read(path("sound")).expect("a file"), fs::read(path("sound-wal")).expect("a log"));
    let contents = batches[4].clone();
    drop(store);
    Sound { file: fs::read(path("sound")).expect("a file"), contents, open_file, log, batches }
});

fn path(name: &str) -> PathBuf {
    scratch().join(name)
}

fn item(number: u32) -> Item {
    let game = ["chess", "connect4-7x6"][number as usize % 2];
    let score = (number * 7) as i16;
    let (source, record) = match number % 4 {
        0 => (Source::person("Ada"), Record { origins: Origins::ADVICE, ..Record::exact(score, 3) }),
        1 => (Source::engine("mnemon", "0.2.0"), Record::between(Window::at_least(score), number as u8 % 100)),
        _ => (Source::engine("mnemon", "0.1.0"), Record::exact(-score, number as u8 % 100)),
    };
    let flags = if number.is_multiple_of(5) { Flags::ROOT } else { Flags::NONE };
    let record = Record { best: 1 + number as u16, flags, nodes: number.into(), ..record };
    Item { key: Key::new(&game.into(), [&[9, 200][..], &number.to_be_bytes()].concat(), &source), record }
}

fuzz_target!(|data: &[u8]| {
    let sound = &*SOUND;
    clear();
    let Some((&mode, data)) = data.split_first() else { return };
    match mode % 4 {
        0 => {
            fs::write(path("fuzzed"), data).expect("a writable folder");
            examine(&Contents::new());
        }
        1 => {
            let log = Patches::of(data).apply(&sound.log);
            let is_sound = log == sound.log;
            fs::write(path("fuzzed"), &sound.open_file).expect("a writable folder");
            fs::write(path("fuzzed-wal"), log).expect("a writable folder");
            let store = open(path("fuzzed"), Access::Existing).expect("a log ends before its damage");
            let (read, _) = scanned(&*store, &Range::default()).expect("a log ends before its damage");
            assert!(sound.batches.contains(&read), "half a batch");
            assert!(!is_sound || read == sound.contents);
        }
        _ => {
            let file = Patches::of(data).apply(&sound.file);
            let is_sound = file == sound.file;
            fs::write(path("fuzzed"), file).expect("a writable folder");
            let is_whole = examine(&sound.contents);
            assert!(is_whole || !is_sound, "a sound file is not read");
            if mode & 4 != 0 {
                maintain(&sound.contents);
            }
        }
    }
});

/// Reads everything, then merges an item and deletes another; returns whether all records were there. The file may also be refused.
fn examine(truth: &Contents) -> bool {
    let mut is_whole = false;
    if let Ok(store) = open(path("fuzzed"), Access::ReadOnly) {
        is_whole = read_all(&*store, truth);
        let verified = store.upkeep().expect("a file store").verify(&mut |_, _| ());
        let is_sound = verified.is_ok_and(|verified| verified.is_sound());
        assert!(is_whole || !is_sound, "a verification that misses damage");
    }
    if let Ok(store) = open(path("fuzzed"), Access::Existing) {
        let new = Item { record: Record { best: 99, ..Record::exact(1, 101) }, ..item(2) };
        let joined = truth.get(&new.key).map_or(new.record, |known| merge(known, &new.record));
        if store.merge_many(std::slice::from_ref(&new)).is_ok()
            && let Ok((read, _)) = scanned(&*store, &Range::default())
        {
            for (key, record) in &read {
                // A damaged record is replaced by the new one.
                let is_new = *key == new.key && [joined, new.record].contains(record);
                assert!(is_new || truth.get(key) == Some(record), "a record that was never written: {key:?}");
            }
        }
        let _ = store.delete_many(&[item(3).key]);
    }
    is_whole
}

/// Compacts, copies and restores: what was read before is read after, or there is an error.
fn maintain(truth: &Contents) {
    let Ok(store) = open(path("fuzzed"), Access::Existing) else { return };
    let upkeep = store.upkeep().expect("a file store");
    let copied = upkeep.backup(&path("copy"), &mut |_, _| ());
    let before = scanned(&*store, &Range::default());
    if upkeep.compact().is_ok()
        && let (Ok((before, _)), Ok((after, _))) = (before, scanned(&*store, &Range::default()))
    {
        assert!(before.iter().all(|(key, record)| after.get(key) == Some(record)), "records lost by a compaction");
    }
    drop(store);
    if copied.is_ok() && restore(path("restored"), &path("copy"), &mut |_, _| ()).is_ok() {
        let store = open(path("restored"), Access::ReadOnly).expect("a restored memory");
        let (read, _) = scanned(&*store, &Range::default()).expect("a restored memory");
        let is_known = |key: &Key| truth.contains_key(key) || *key == item(2).key;
        assert!(read.keys().all(is_known), "a record that was never written");
    }
}

/// Reads everything from an opened memory; returns whether all records were there. A wrong record is a failure.
fn read_all(store: &dyn Store, truth: &Contents) -> bool {
    let engine = Source::engine("mnemon", "0.1.0");
    let ranges = [
        Range::default(),
        Range { roots: Some(Age::OldestFirst), ..Range::default() },
        Range { game: Some("chess"), prefix: &[9, 200, 0, 0], source: Some(&engine), ..Range::default() },
    ];
    let mut is_whole = true;
    for (number, range) in ranges.iter().enumerate() {
        let part: Contents = truth
            .iter()
            .map(|(key, record)| Item { key: key.clone(), record: *record })
            .filter(|item| range.contains(item))
            .map(|item| (item.key, item.record))
            .collect();
        let read = scanned(store, range);
        if let (0, Ok((read, visits)), Ok(statistics)) = (number, &read, store.statistics()) {
            let is_said = statistics.damaged + statistics.miscounted > 0;
            assert!(*visits == part.len() || is_said, "{visits} of {} records, in silence", part.len());
            is_whole &= read.len() == *visits;
        }
        is_whole &= is_part(read.map(|(read, _)| read), &part);
    }
    is_whole & is_part(found(store, truth), truth)
}

/// Whether what was read is everything. It may be a part, or nothing for damage.
fn is_part(read: Result<Contents>, truth: &Contents) -> bool {
    match read {
        Ok(read) => {
            assert!(
                read.iter().all(|(key, record)| truth.get(key) == Some(record)),
                "a record that was never written: {read:?}"
            );
            read.len() == truth.len()
        }
        Err(error) => {
            assert!(matches!(error, MemoryError::Damaged { .. }), "{error:?}");
            false
        }
    }
}

/// What a scan visits, and the number of its visits.
fn scanned(store: &dyn Store, range: &Range<'_>) -> Result<(Contents, usize)> {
    let (mut items, mut visits) = (Contents::new(), 0);
    store.scan(range, &mut |Item { key, record }| {
        visits += 1;
        // In a damaged tree a merge may not find the record that is there, and adds another.
        let is_merged = key == item(2).key;
        if let Some(other) = items.insert(key, record) {
            assert!(other == record || is_merged, "two records for one key: {other:?}, {record:?}");
        }
        ControlFlow::Continue(())
    })?;
    Ok((items, visits))
}

fn found(store: &dyn Store, truth: &Contents) -> Result<Contents> {
    let mut items = Contents::new();
    for game in ["chess", "connect4-7x6"] {
        let keys: Vec<&Key> = truth.keys().filter(|key| *key.game == *game).collect();
        let positions: Vec<&[u8]> = keys.iter().map(|key| &*key.position).collect();
        store.get_many(game, &positions, &mut |number, source, record| {
            items.insert(Key::new(&keys[number].game, positions[number], source), record);
        })?;
    }
    Ok(items)
}

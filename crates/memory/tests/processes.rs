//! Several processes on one memory: none is refused, no record is lost, and no reader sees a part of a batch.

#[path = "common/child.rs"]
mod child;
mod common;

use std::process::Child;
use std::sync::Arc;

use mnemon_memory::{Access, Item, Key, RamStore, Range, Record, Source, Store, open};
use mnemon_search::random::Random;
use mnemon_table::Window;

const WRITERS: u64 = 4;
const BATCHES: usize = 250;
const GROUPS: usize = 8;
const GROUP: u8 = 30;

fn position(group: usize, which: u8) -> Vec<u8> {
    vec![which.wrapping_mul(37), group as u8, which]
}

/// A batch gives one group of positions the same record, so records of a group that differ are a part of a batch. One
/// further item is the writer's own.
fn batch(writer: u64, random: &mut Random) -> Vec<Item> {
    let game: Arc<str> = "chess".into();
    let shared = Source::engine("mnemon", "0.1.0");
    let (group, score) = (random.below(GROUPS), random.below(100) as i16);
    let window = if random.below(2) == 0 { Window::at_least(score) } else { Window::at_most(score) };
    let record = Record { nodes: random.below(1000) as u64, ..Record::between(window, random.below(20) as u8) };
    let mut items: Vec<_> =
        (0..GROUP).map(|which| Item { key: Key::new(&game, position(group, which), &shared), record }).collect();
    let own = Source::engine("writer", &writer.to_string());
    items.push(Item { key: Key::new(&game, random.bits().to_le_bytes(), &own), record });
    items
}

fn batches(writer: u64) -> impl Iterator<Item = Vec<Item>> {
    let mut random = Random::new(writer);
    (0..BATCHES).map(move |_| batch(writer, &mut random))
}

#[test]
#[ignore = "one of the writing processes"]
fn writer() {
    let Some((path, number)) = child::task() else { return };
    let store = open(&path, Access::Create).unwrap();
    for batch in batches(number) {
        store.merge_many(&batch).unwrap();
    }
}

#[test]
#[ignore = "one of the reading processes"]
fn reader() {
    let Some((path, number)) = child::task() else { return };
    // The reader may start before the first writer has created the file.
    let mut waited = 0..10_000;
    while !path.exists() && waited.next().is_some() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let store = if number == 0 { open(&path, Access::Create) } else { open_when_created(&path) }.unwrap();
    for round in 0..2_000 {
        assert_whole(&*store, round % GROUPS);
        if round % 500 == 100 {
            assert_copies_whole(&*store, &path.with_extension(format!("copy-{number}-{round}")));
        }
    }
}

/// A backup that is made while others write has no part of a batch, either.
fn assert_copies_whole(store: &dyn Store, to: &std::path::Path) {
    store.upkeep().expect("a file store").backup(to, &mut |_, _| ()).expect("copying is not refused");
    let copy = open(to, Access::ReadOnly).expect("the copy is a memory of its own");
    (0..GROUPS).for_each(|group| assert_whole(&*copy, group));
    assert!(copy.upkeep().expect("a file store").verify(&mut |_, _| ()).expect("the copy can be read").is_sound());
}

/// A read-only reader does not create the memory: until a writer has, the file is empty.
fn open_when_created(path: &std::path::Path) -> mnemon_memory::Result<Arc<dyn Store>> {
    let mut tries = 0;
    loop {
        match open(path, Access::ReadOnly) {
            Err(mnemon_memory::MemoryError::Foreign { .. }) if tries < 10_000 => tries += 1,
            opened => return opened,
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

fn assert_whole(store: &dyn Store, group: usize) {
    let positions: Vec<_> = (0..GROUP).map(|which| position(group, which)).collect();
    let positions: Vec<&[u8]> = positions.iter().map(Vec::as_slice).collect();
    let mut records = Vec::new();
    store.get_many("chess", &positions, &mut |_, _, record| records.push(record)).expect("readers are never refused");
    assert!(records.is_empty() || records.len() == positions.len(), "{} of a batch", records.len());
    assert!(records.iter().all(|record| *record == records[0]), "{records:?}");
}

fn succeed(children: Vec<Child>) {
    for child in children {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

fn everything(store: &dyn Store) -> Vec<Item> {
    common::scanned(store, &Range::default())
}

#[test]
fn processes_take_turns() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("shared.mnemon");
    let start = |name: &str, number| child::command(&child::program(), name, &path, number).spawn().unwrap();
    let mut children: Vec<_> = (0..WRITERS).map(|number| start("writer", number)).collect();
    children.extend((0..2).map(|number| start("reader", number)));
    succeed(children);

    let model = RamStore::new();
    for batch in (0..WRITERS).flat_map(batches) {
        model.merge_many(&batch).unwrap();
    }
    let store = open(&path, Access::Existing).unwrap();
    assert_eq!(everything(&*store), everything(&model));
    assert_eq!(store.statistics().unwrap().counts, model.statistics().unwrap().counts);
    assert!(store.upkeep().expect("a file store").verify(&mut |_, _| ()).unwrap().is_sound());
}

#[test]
fn threads_take_turns() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path().join("shared.mnemon"), Access::Create).unwrap();
    let model = RamStore::new();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (store, model) = (&*store, &model);
            scope.spawn(move || batches(writer).for_each(|batch| merge_into([store, model], &batch)));
        }
        for group in 0..2 {
            let store = &*store;
            scope.spawn(move || (0..2_000).for_each(|_| assert_whole(store, group)));
        }
    });
    assert_eq!(everything(&*store), everything(&model));
}

fn merge_into(stores: [&dyn Store; 2], batch: &[Item]) {
    for store in stores {
        store.merge_many(batch).expect("writers are never refused");
    }
}

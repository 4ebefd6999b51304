//! A memory of format 1, which mnemon 0.1.0 wrote, is read, and upgraded when it is written.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::scanned;
use mnemon_memory::{Access, Age, Item, Key, MemoryError, Range, Record, Source, Store, open};

/// 37 records: two analyses and two pieces of advice.
const FORMAT_1: &[u8] = include_bytes!("data/format1.mnemon");

fn written(directory: &Path, bytes: &[u8]) -> PathBuf {
    let path = directory.join("old.mnemon");
    fs::write(&path, bytes).expect("a file in a private folder");
    path
}

fn everything(store: &dyn Store) -> Vec<Item> {
    scanned(store, &Range::default())
}

#[test]
fn it_is_read_without_being_changed() {
    let directory = tempfile::tempdir().unwrap();
    let path = written(directory.path(), FORMAT_1);
    let store = open(&path, Access::ReadOnly).unwrap();
    let items = everything(&*store);
    assert_eq!((items.len(), store.statistics().unwrap().format), (37, 1));
    assert!(items.iter().all(|item| item.key.source.contributor().is_none()));
    assert!(items.iter().all(|Item { record, .. }| !record.lower.is_known() || record.lower.time == record.time));
    let roots = scanned(&*store, &Range { roots: Some(Age::OldestFirst), game: Some("chess"), ..Range::default() });
    assert_eq!(roots.len(), 2);
    for Item { key, record } in &items {
        let mut found = Vec::new();
        store
            .get_many(&key.game, &[&key.position], &mut |_, source, record| found.push((source.clone(), record)))
            .unwrap();
        assert!(found.contains(&(key.source.clone(), *record)));
    }
    assert!(store.upkeep().expect("a file store").verify(&mut |_, _| ()).unwrap().is_sound());
    assert_eq!(store.identity().unwrap().label, "old");
    assert!(store.contributors().unwrap().is_empty());
    drop(store);
    assert_eq!(fs::read(&path).unwrap(), FORMAT_1);
}

#[test]
fn it_is_upgraded_with_everything_in_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = written(directory.path(), FORMAT_1);
    let before = everything(&*open(&path, Access::ReadOnly).unwrap());
    let store = open(&path, Access::Existing).unwrap();
    assert_eq!(store.statistics().unwrap().format, 2);
    assert_eq!(everything(&*store), before);
    let verified = store.upkeep().expect("a file store").verify(&mut |_, _| ()).unwrap();
    assert!(verified.is_sound() && verified.records == 37, "{verified:?}");
    let key = Key::new(&"chess".into(), *b"new", &Source::engine("mnemon", "0.2.0"));
    store.merge_many(&[Item { key, record: Record::exact(1, 1) }]).unwrap();
    let identity = store.identity().unwrap();
    drop(store);
    let again = open(&path, Access::Existing).unwrap();
    assert_eq!((again.identity().unwrap(), everything(&*again).len()), (identity, 38));
}

/// Killed at any page that the upgrade writes: here the log is cut off, which is what a kill leaves of it.
#[test]
fn an_upgrade_that_is_cut_off_leaves_the_old_format_or_the_new() {
    let directory = tempfile::tempdir().unwrap();
    let path = written(directory.path(), FORMAT_1);
    let before = everything(&*open(&path, Access::ReadOnly).unwrap());
    let reader = open(&path, Access::ReadOnly).unwrap();
    // A reader in the middle of a scan keeps the log from being written back.
    let mut log = Vec::new();
    reader
        .scan(&Range::default(), &mut |_| {
            drop(open(&path, Access::Existing).unwrap());
            log = fs::read(path.with_extension("mnemon-wal")).unwrap_or_default();
            std::ops::ControlFlow::Break(())
        })
        .unwrap();
    drop(reader);
    assert!(log.len() > 4 * 4096, "the upgrade was in the log");
    let mut formats = [0, 0];
    for end in (0..=log.len()).step_by(1024).chain([log.len()]) {
        let cut = tempfile::tempdir().unwrap();
        let path = written(cut.path(), FORMAT_1);
        fs::write(path.with_extension("mnemon-wal"), &log[..end]).unwrap();
        let store = open(&path, Access::ReadOnly).unwrap();
        formats[store.statistics().unwrap().format as usize - 1] += 1;
        assert_eq!(everything(&*store), before, "cut at {end}");
        drop(store);
        let store = open(&path, Access::Existing).unwrap();
        assert_eq!((everything(&*store), store.statistics().unwrap().format), (before.clone(), 2), "cut at {end}");
    }
    assert!(formats[0] > 0 && formats[1] > 0, "{formats:?}");
}

#[test]
fn a_damaged_one_is_read_and_not_upgraded() {
    let directory = tempfile::tempdir().unwrap();
    let mut bytes = FORMAT_1.to_vec();
    let at = FORMAT_1.windows(8).position(|bytes| *bytes == [0xbd, 0xef, 0x24, 0x10, 0x10, 0x24, 0xef, 0xbd]);
    bytes[at.expect("a position of an analysis") + 4] ^= 1;
    let path = written(directory.path(), &bytes);
    let error = open(&path, Access::Existing).expect_err("records would be lost");
    assert!(matches!(error, MemoryError::ReadOnly { .. }) && error.to_string().contains("format 1"), "{error}");
    let store = open(&path, Access::ReadOnly).unwrap();
    assert_eq!((everything(&*store).len(), store.statistics().unwrap().damaged), (36, 1));
}

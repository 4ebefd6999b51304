//! A log that belongs to another file is never replayed over a memory.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::scanned;
use mnemon_memory::{Access, Item, Key, MemoryError, Range, Record, Source, open, restore};

fn batch(numbers: std::ops::Range<u32>) -> Vec<Item> {
    let engine = Source::engine("mnemon", "0.2.0");
    let key = |number: u32| Key::new(&"chess".into(), number.to_be_bytes(), &engine);
    numbers.map(|number| Item { key: key(number), record: Record::exact(1, 1) }).collect()
}

fn everything(path: &Path) -> Vec<Item> {
    scanned(&*open(path, Access::ReadOnly).expect("a memory in a private folder"), &Range::default())
}

fn log(path: &Path) -> PathBuf {
    path.with_extension("mnemon-wal")
}

/// A memory with 1,000 records and a log, as after a kill, and a backup of its first 500.
fn killed_with_backup(directory: &Path) -> (PathBuf, PathBuf) {
    let (live, path, backup) = (directory.join("live.mnemon"), directory.join("m.mnemon"), directory.join("b.mnemon"));
    let store = open(&live, Access::Create).expect("a memory in a private folder");
    store.merge_many(&batch(0..500)).expect("a memory in a private folder");
    store.upkeep().expect("a file store").backup(&backup, &mut |_, _| ()).expect("a memory in a private folder");
    for start in (500..1000).step_by(50) {
        store.merge_many(&batch(start..start + 50)).expect("a memory in a private folder");
    }
    // What a kill leaves: the file and its log as they are on the disk.
    fs::copy(&live, &path).expect("a memory in a private folder");
    fs::copy(log(&live), log(&path)).expect("a memory in a private folder");
    (path, backup)
}

#[test]
fn the_memorys_own_log_is_replayed() {
    let directory = tempfile::tempdir().unwrap();
    let (path, _) = killed_with_backup(directory.path());
    assert_eq!(everything(&path).len(), 1000);
}

#[test]
fn a_backup_put_in_place_by_hand_is_not_destroyed_by_the_old_log() {
    let directory = tempfile::tempdir().unwrap();
    let (path, backup) = killed_with_backup(directory.path());
    fs::copy(&backup, &path).unwrap();
    let old_log = fs::read(log(&path)).unwrap();
    for access in [Access::Create, Access::Existing, Access::ReadOnly] {
        let error = open(&path, access).expect_err("another file's log");
        assert!(matches!(error, MemoryError::ForeignLog { .. }), "{error:?}");
        assert!(error.to_string().contains("m.mnemon-wal") && error.to_string().contains("restore"), "{error}");
    }
    assert_eq!(fs::read(&path).unwrap(), fs::read(&backup).unwrap());
    assert_eq!(fs::read(log(&path)).unwrap(), old_log, "the log stays for whoever wants it");
    // As the message says.
    fs::rename(log(&path), directory.path().join("old-log")).unwrap();
    assert_eq!(everything(&path), everything(&backup));
}

#[test]
fn a_restore_needs_no_such_care_and_can_be_repeated() {
    let directory = tempfile::tempdir().unwrap();
    let (path, backup) = killed_with_backup(directory.path());
    fs::copy(&backup, &path).unwrap();
    for _ in 0..2 {
        assert_eq!(restore(&path, &backup, &mut |_, _| ()).unwrap(), 500);
        assert_eq!(everything(&path), everything(&backup));
    }
    // What is learned after it has a log that is not the backup's.
    let store = open(&path, Access::Existing).unwrap();
    store.merge_many(&batch(500..600)).unwrap();
    let (bytes, newer_log) = (fs::read(&path).unwrap(), fs::read(log(&path)).unwrap());
    drop(store);
    let other = directory.path().join("other.mnemon");
    fs::write(&other, bytes).unwrap();
    fs::write(log(&other), &newer_log).unwrap();
    assert_eq!(everything(&other).len(), 600);
    fs::copy(&backup, &other).unwrap();
    fs::write(log(&other), &newer_log).unwrap();
    assert!(matches!(open(&other, Access::Existing), Err(MemoryError::ForeignLog { .. })));
}

#[test]
fn a_file_that_is_open_here_is_not_examined_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("m.mnemon");
    let first = open(&path, Access::Create).unwrap();
    first.merge_many(&batch(0..100)).unwrap();
    for _ in 0..3 {
        let second = open(&path, Access::Existing).unwrap();
        second.merge_many(&batch(100..200)).unwrap();
    }
    // The first one still has its locks: the second's closing has not taken the log away.
    first.merge_many(&batch(200..300)).unwrap();
    assert_eq!(scanned(&*first, &Range::default()).len(), 300);
}

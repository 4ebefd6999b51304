//! Backups that are put in a memory's place, and memories whose file is replaced while they are open.

#[path = "common/child.rs"]
mod child;
mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use common::{item, scanned};
use mnemon_memory::{Access, Item, MemoryError, Range, Result, open, restore};
use mnemon_search::random::Random;

fn random_items(seed: u64, number: usize) -> Vec<Item> {
    let mut random = Random::new(seed);
    (0..number).map(|_| item(&mut random, 100_000)).collect()
}

/// A closed memory with random contents.
fn memory(path: &Path, seed: u64, number: usize) -> Vec<Item> {
    open(path, Access::Create).expect("a memory").merge_many(&random_items(seed, number)).expect("a memory");
    contents(path)
}

/// Everything in the memory, which must be sound.
fn contents(path: &Path) -> Vec<Item> {
    let store = open(path, Access::ReadOnly).expect("a memory");
    let verified = store.upkeep().expect("a file store").verify(&mut |_, _| ()).expect("a memory");
    assert!(verified.is_sound(), "{verified:?}");
    scanned(&*store, &Range::default())
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// A memory as a killed process leaves it: most of it is in its log.
fn killed(path: &Path) {
    let scratch = beside(path, "-living");
    let _ = fs::remove_file(&scratch);
    let store = open(&scratch, Access::Create).expect("a memory");
    for seed in 100..110 {
        store.merge_many(&random_items(seed, 300)).expect("a memory");
    }
    for end in ["", "-wal"] {
        fs::copy(beside(&scratch, end), beside(path, end)).expect("a memory");
    }
    assert!(fs::metadata(beside(path, "-wal")).expect("a memory").len() > 100_000);
}

fn restored(path: &Path, backup: &Path) -> Result<u64> {
    restore(path, backup, &mut |_, _| ())
}

#[test]
fn a_log_that_a_killed_process_left_is_not_replayed_over_a_restored_backup() {
    let directory = tempfile::tempdir().unwrap();
    let (path, backup) = (directory.path().join("m"), directory.path().join("backup"));
    let saved = memory(&backup, 1, 2_000);
    killed(&path);
    assert_eq!(restored(&path, &backup).unwrap(), saved.len() as u64);
    assert!(!beside(&path, "-wal").exists());
    assert_eq!(contents(&path), saved);
    // And a log without its file.
    killed(&path);
    fs::remove_file(&path).unwrap();
    restored(&path, &backup).unwrap();
    assert_eq!(contents(&path), saved);
    assert_eq!(contents(&backup), saved);
}

#[test]
fn a_damaged_memory_is_restored() {
    let directory = tempfile::tempdir().unwrap();
    let (path, backup) = (directory.path().join("m"), directory.path().join("backup"));
    let saved = memory(&backup, 1, 500);
    for damage in [4096..40_960, 100..4096, 110..9_000] {
        let _ = fs::remove_file(&path);
        memory(&path, 2, 3_000);
        let mut bytes = fs::read(&path).unwrap();
        bytes[damage].fill(0xa5);
        fs::write(&path, bytes).unwrap();
        restored(&path, &backup).unwrap();
        assert_eq!(contents(&path), saved);
    }
}

#[test]
fn what_cannot_be_restored_is_left_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let (path, backup) = (directory.path().join("m"), directory.path().join("backup"));
    let before = memory(&path, 1, 500);
    memory(&backup, 2, 500);
    let store = open(&path, Access::ReadOnly).unwrap();
    let error = restored(&path, &backup).unwrap_err();
    assert!(matches!(error, MemoryError::InUse { .. }), "{error:?}");
    drop(store);
    assert_eq!(contents(&path), before);

    let mut bytes = fs::read(&backup).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 600].fill(0xa5);
    fs::write(&backup, bytes).unwrap();
    let error = restored(&path, &backup).unwrap_err();
    assert!(matches!(&error, MemoryError::Damaged { location, .. } if location.ends_with("backup")), "{error:?}");
    assert_eq!(contents(&path), before);

    let text = directory.path().join("games.pgn");
    fs::write(&text, "1. e4 e5 ".repeat(1000)).unwrap();
    let other = directory.path().join("other.db");
    rusqlite::Connection::open(&other).unwrap().execute_batch("CREATE TABLE a(b)").unwrap();
    for foreign in [&text, &other] {
        let bytes = fs::read(foreign).unwrap();
        let error = restored(foreign, &path).unwrap_err();
        assert!(matches!(error, MemoryError::Foreign { .. }), "{error:?}");
        assert_eq!(fs::read(foreign).unwrap(), bytes);
    }
}

#[test]
#[ignore = "the process that is killed"]
fn restorer() {
    let Some((path, first)) = child::task() else { return };
    for number in first.. {
        restored(&path, &beside(&path, ["-a", "-b"][number as usize % 2])).unwrap();
        child::say("restored");
    }
}

#[test]
fn a_restore_that_is_killed_leaves_the_old_memory_or_the_new() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("m");
    let expected = [memory(&beside(&path, "-a"), 1, 3_000), memory(&beside(&path, "-b"), 2, 1_000)];
    restored(&path, &beside(&path, "-a")).unwrap();
    let mut random = Random::new(7);
    let mut seen = [0, 0];
    for round in 0..40 {
        let mut process = child::command(&child::program(), "restorer", &path, round).spawn().expect("a process");
        std::thread::sleep(Duration::from_micros(random.below(60_000) as u64));
        process.kill().expect("it can be killed");
        process.wait().expect("it is dead");
        let now = contents(&path);
        let which = expected.iter().position(|expected| *expected == now);
        seen[which.unwrap_or_else(|| panic!("round {round}: {} records", now.len()))] += 1;
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

/// An open file cannot be replaced on Windows.
#[cfg(unix)]
#[test]
fn nothing_is_acknowledged_after_the_file_is_gone() {
    type Change = fn(&Path, &Path);
    let changes: [Change; 4] = [
        |path, _| fs::remove_file(path).unwrap(),
        |path, other| fs::rename(other, path).unwrap(),
        |path, _| fs::remove_file(beside(path, "-wal")).unwrap(),
        |path, other| fs::rename(other, beside(path, "-wal")).unwrap(),
    ];
    for change in changes {
        let directory = tempfile::tempdir().unwrap();
        let (real, path) = (directory.path().join("real"), directory.path().join("link"));
        let other = directory.path().join("other");
        memory(&other, 2, 500);
        memory(&real, 4, 500);
        std::os::unix::fs::symlink(&real, &path).unwrap();
        let store = open(&path, Access::Create).unwrap();
        let items = random_items(1, 100);
        store.merge_many(&items).unwrap();
        store.upkeep().expect("a file store").compact().unwrap();
        store.merge_many(&random_items(5, 100)).unwrap();
        change(&real, &other);
        let keys: Vec<_> = items.iter().map(|item| item.key.clone()).collect();
        for refused in [
            store.merge_many(&random_items(3, 100)).map(drop),
            store.upkeep().expect("a file store").compact().map(drop),
            store.delete_many(&keys).map(drop),
        ] {
            assert!(matches!(refused, Err(MemoryError::Replaced { .. })), "{refused:?}");
        }
    }
}

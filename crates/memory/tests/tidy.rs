//! Reading, and opening for writing without a write, leave nothing behind: no log and no index of one where there was none.

#![cfg(feature = "sqlite")]

use std::path::{Path, PathBuf};

use mnemon_memory::{Access, Item, Key, Record, Source, Store, open};

fn item(number: u64) -> Item {
    let key = Key::new(&"chess".into(), number.to_le_bytes(), &Source::engine("mnemon", "0.1.0"));
    Item { key, record: Record::exact(1, 1) }
}

fn write(path: &Path, numbers: std::ops::Range<u64>) {
    let store = open(path, Access::Create).expect("a memory");
    store.merge_many(&numbers.map(item).collect::<Vec<_>>()).expect("merged");
}

fn records(store: &dyn Store) -> u64 {
    store.statistics().expect("readable").records()
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn memory() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m");
    write(&path, 0..100);
    assert_eq!(names(folder.path()), ["m"]);
    (folder, path)
}

#[test]
fn one_reader_after_the_other_and_several_at_once() {
    let (folder, path) = memory();
    let before = std::fs::read(&path).expect("a file");
    for _ in 0..2 {
        let stores = [(); 3].map(|()| open(&path, Access::ReadOnly).expect("readable"));
        std::thread::scope(|scope| {
            for store in &stores {
                scope.spawn(|| assert_eq!(records(&**store), 100));
            }
        });
        drop(stores);
        assert_eq!(names(folder.path()), ["m"]);
    }
    assert_eq!(std::fs::read(&path).expect("a file"), before);
    assert!(open(&path, Access::ReadOnly).expect("readable").merge_many(&[item(1000)]).is_err());
}

/// A command that fails before its first write.
#[test]
fn a_writer_that_writes_nothing() {
    let (folder, path) = memory();
    drop(open(&path, Access::Existing).expect("writable"));
    assert_eq!(names(folder.path()), ["m"]);
    drop(open(folder.path().join("new"), Access::Create).expect("writable"));
    assert_eq!(names(folder.path()), ["m", "new"]);
}

/// Whoever is the last to close it: what was written meanwhile is seen, kept, and nothing else is left.
#[test]
fn a_writer_that_comes_and_goes_meanwhile() {
    for is_reader_last in [false, true] {
        let (folder, path) = memory();
        let reader = open(&path, Access::ReadOnly).expect("readable");
        assert_eq!(records(&*reader), 100);
        let writer = open(&path, Access::Existing).expect("writable");
        writer.merge_many(&(100..300).map(item).collect::<Vec<_>>()).expect("merged");
        assert_eq!(records(&*reader), 300);
        if is_reader_last {
            drop(writer);
            assert_eq!(records(&*reader), 300);
            drop(reader);
        } else {
            drop(reader);
            drop(writer);
        }
        assert_eq!(names(folder.path()), ["m"], "{is_reader_last}");
        assert_eq!(records(&*open(&path, Access::ReadOnly).expect("readable")), 300);
    }
}

/// The log of a process that was killed is read, and is left as it is: reading writes nothing back.
#[test]
fn the_log_of_a_killed_process_stays() {
    let (folder, path) = memory();
    let writer = open(&path, Access::Existing).expect("writable");
    writer.merge_many(&(100..300).map(item).collect::<Vec<_>>()).expect("merged");
    let crashed = folder.path().join("crashed");
    let log = |path: &Path| PathBuf::from(format!("{}-wal", path.display()));
    std::fs::copy(&path, &crashed).expect("copied");
    std::fs::copy(log(&path), log(&crashed)).expect("copied");
    let before = [&crashed, &log(&crashed)].map(|file| std::fs::read(file).expect("a file"));
    let mut names = vec![crashed.clone()];
    #[cfg(unix)]
    {
        names.push(tempfile::TempDir::keep(tempfile::tempdir_in(folder.path()).expect("a folder")).join("link"));
        std::os::unix::fs::symlink(&crashed, &names[1]).expect("a link");
    }
    for name in names {
        assert_eq!(records(&*open(&name, Access::ReadOnly).expect("readable")), 300);
    }
    assert_eq!([&crashed, &log(&crashed)].map(|file| std::fs::read(file).expect("a file")), before);
}

//! Files that are no memory, directories that cannot be written, disks that are full: one clear error, and no loss.

#[path = "common/child.rs"]
mod child;
mod common;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use common::item;
use mnemon_memory::{Access, Item, MemoryError, Range, Result, Store, open};
use mnemon_search::random::Random;

fn random_items(seed: u64, number: usize) -> Vec<Item> {
    let mut random = Random::new(seed);
    (0..number).map(|_| item(&mut random, 100_000)).collect()
}

fn everything(store: &dyn Store) -> Vec<Item> {
    common::scanned(store, &Range::default())
}

/// Opens the path with every access.
fn open_all(path: &Path) -> [Result<Arc<dyn Store>>; 3] {
    [open(path, Access::Create), open(path, Access::Existing), open(path, Access::ReadOnly)]
}

/// With every access, opening fails with an error that names the file, and leaves it as it was.
fn assert_refused(path: &Path, is_expected: impl Fn(&MemoryError) -> bool, words: &str) {
    let before = fs::read(path).ok();
    for opened in open_all(path) {
        let error = opened.expect_err("this is no memory");
        let text = error.to_string();
        assert!(is_expected(&error), "{error:?}");
        assert!(text.contains(&*path.to_string_lossy()) && text.contains(words), "{text}");
    }
    assert_eq!(fs::read(path).ok(), before);
}

#[test]
fn foreign_files_are_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let is_foreign = |error: &MemoryError| matches!(error, MemoryError::Foreign { .. });
    let text = directory.path().join("text");
    fs::write(&text, "1. e4 e5 2. Nf3 Nc6 ".repeat(500)).unwrap();
    assert_refused(&text, is_foreign, "not an SQLite database");
    let short = directory.path().join("short");
    fs::write(&short, "x").unwrap();
    assert_refused(&short, is_foreign, "no mnemon memory");
    assert_refused(directory.path(), is_foreign, "a directory");
    #[cfg(unix)]
    assert_refused(Path::new("/dev/null"), is_foreign, "a device");

    for (number, setup) in
        ["CREATE TABLE games(id)", "PRAGMA application_id = 7", "PRAGMA user_version = 1"].iter().enumerate()
    {
        for mode in ["DELETE", "WAL"] {
            let other = directory.path().join(format!("other-{number}-{mode}.db"));
            let connection = rusqlite::Connection::open(&other).unwrap();
            connection.pragma_update(None, "journal_mode", mode).unwrap();
            connection.execute_batch(setup).unwrap();
            drop(connection);
            assert_refused(&other, is_foreign, "another program's SQLite database");
        }
    }
}

#[test]
fn altered_and_newer_memories_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let changed = |name: &str, sql: &str| {
        let path = directory.path().join(name);
        open(&path, Access::Create).unwrap().merge_many(&random_items(1, 100)).unwrap();
        rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        path
    };
    let is_newer = |error: &MemoryError| matches!(error, MemoryError::Newer { found: 3, newest: 2, .. });
    assert_refused(&changed("newer", "PRAGMA user_version = 259"), is_newer, "reads formats up to 2");
    let is_damaged = |error: &MemoryError| matches!(error, MemoryError::Damaged { .. });
    let altered = "ALTER TABLE records RENAME COLUMN data TO bytes";
    assert_refused(&changed("altered", altered), is_damaged, "'records' is not as format 2 has it");
    assert_refused(&changed("gone", "DROP TABLE counts"), is_damaged, "'counts'");
    let is_foreign = |error: &MemoryError| matches!(error, MemoryError::Foreign { .. });
    assert_refused(&changed("other", "PRAGMA application_id = 7"), is_foreign, "another program's");
}

/// What a received file could hold: each of these would run, or be read, with a write or a lookup.
#[test]
fn a_memory_with_foreign_objects_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    for (number, (object, sql)) in [
        ("trigger 'lose'", "CREATE TRIGGER lose AFTER INSERT ON records BEGIN DELETE FROM records; END"),
        (
            "trigger 'spin'",
            "CREATE TRIGGER spin AFTER INSERT ON records BEGIN INSERT INTO counts \
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 7, max(i), 1 FROM n; END",
        ),
        ("trigger 'records'", "CREATE TRIGGER records BEFORE UPDATE ON counts BEGIN SELECT raise(IGNORE); END"),
        ("view 'other'", "CREATE VIEW other AS SELECT 1"),
        ("index 'by_time'", "CREATE INDEX by_time ON records(root)"),
        ("table 'notes'", "CREATE TABLE notes(text)"),
        ("table 'sqlite_stat1'", "ANALYZE"),
    ]
    .into_iter()
    .enumerate()
    {
        let path = directory.path().join(number.to_string());
        open(&path, Access::Create).unwrap().merge_many(&random_items(1, 100)).unwrap();
        rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        assert_refused(&path, |error| matches!(error, MemoryError::Extended { .. }), object);
    }
}

/// A trigger that another process creates while the memory is open.
#[test]
fn a_trigger_does_not_run() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("m");
    let store = open(&path, Access::Create).unwrap();
    let sql = "CREATE TRIGGER lose AFTER INSERT ON records BEGIN DELETE FROM records; END";
    rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    let added = store.merge_many(&random_items(1, 100)).unwrap().added;
    assert_eq!(everything(&*store).len() as u64, added);
}

#[test]
fn oversized_values_are_not_read() {
    let directory = tempfile::tempdir().unwrap();
    for (number, sql) in [
        "INSERT INTO records SELECT game, zeroblob(200000000), source, root, data FROM records LIMIT 1",
        "UPDATE records SET data = zeroblob(200000000) WHERE position = (SELECT max(position) FROM records)",
        "INSERT INTO games VALUES(77, hex(zeroblob(10000000)), 0)",
    ]
    .into_iter()
    .enumerate()
    {
        let path = directory.path().join(number.to_string());
        open(&path, Access::Create).unwrap().merge_many(&random_items(1, 100)).unwrap();
        rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let read = open(&path, Access::ReadOnly)
            .and_then(|store| store.scan(&Range::default(), &mut |_| std::ops::ControlFlow::Continue(())));
        let error = read.expect_err("a value that is too large");
        assert!(matches!(error, MemoryError::Damaged { .. }), "{error:?}");
        assert!(error.to_string().contains("larger than any that mnemon writes"), "{error}");
        if let Ok(store) = open(&path, Access::ReadOnly) {
            assert!(!store.upkeep().expect("a file store").verify(&mut |_, _| ()).unwrap().is_sound());
        }
    }
}

#[test]
fn a_missing_memory_is_made_only_to_create_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("not/there/yet.mnemon");
    for opened in [open(&path, Access::Existing), open(&path, Access::ReadOnly)] {
        assert!(matches!(opened, Err(MemoryError::Missing { .. })));
    }
    assert!(!path.exists() && !directory.path().join("not").exists());
    open(&path, Access::Create).unwrap();
    assert!(path.is_file());

    let empty = directory.path().join("empty");
    fs::write(&empty, "").unwrap();
    let refusal = open(&empty, Access::ReadOnly).unwrap_err().to_string();
    assert!(refusal.contains("there is nothing in it"), "{refusal}");
    assert_eq!(open(&empty, Access::Create).unwrap().merge_many(&random_items(1, 10)).unwrap().added, 10);

    let under_a_file = open(empty.join("below"), Access::Create).unwrap_err();
    assert!(matches!(under_a_file, MemoryError::Unreachable { .. }), "{under_a_file:?}");
}

#[test]
fn a_url_of_an_unknown_scheme_is_no_file_name() {
    for access in [Access::ReadOnly, Access::Existing, Access::Create] {
        let error = open("redis://127.0.0.1:1/0", access).unwrap_err();
        assert!(matches!(&error, MemoryError::UnknownScheme { scheme, .. } if scheme == "redis"), "{error:?}");
        assert!(error.to_string().contains("redis://127.0.0.1:1/0"), "{error}");
    }
    assert!(!Path::new("redis:").exists());
}

#[test]
fn a_read_only_memory_is_not_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("m");
    let items = random_items(2, 500);
    open(&path, Access::Create).unwrap().merge_many(&items).unwrap();
    let before = fs::read(&path).unwrap();
    let store = open(&path, Access::ReadOnly).unwrap();
    assert!(everything(&*store).len() > 400);
    let keys: Vec<_> = items.iter().map(|item| item.key.clone()).collect();
    for refused in [
        store.merge_many(&items).map(drop),
        store.delete_many(&keys).map(drop),
        store.upkeep().expect("a file store").compact().map(drop),
    ] {
        assert!(matches!(refused, Err(MemoryError::ReadOnly { .. })));
    }
    assert!(store.upkeep().expect("a file store").verify(&mut |_, _| ()).unwrap().is_sound());
    drop(store);
    assert_eq!(fs::read(&path).unwrap(), before);
}

/// Runs an ignored test of this file in a process of its own; returns its output.
#[cfg(unix)]
fn run(mut command: std::process::Command) -> String {
    let output = command.output().expect("a process");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

#[test]
#[cfg(unix)]
#[ignore = "the process that may not write"]
fn reads_without_write_permission() {
    let Some((path, records)) = child::task() else { return };
    let store = open(&path, Access::ReadOnly).unwrap();
    assert_eq!(everything(&*store).len() as u64, records);
    let error = open(&path, Access::Create).unwrap_err();
    assert!(matches!(error, MemoryError::ReadOnly { .. }), "{error:?}");
    let error = open(path.with_file_name("new"), Access::Create).unwrap_err();
    assert!(matches!(error, MemoryError::Unreachable { .. }), "{error:?}");
    child::say("read");
}

#[test]
#[cfg(unix)]
fn a_directory_that_cannot_be_written_can_be_read() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let directory = tempfile::tempdir().unwrap();
    let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let memories = directory.path().join("memories");
    let path = memories.join("m #1?.mnemon");
    let store = open(&path, Access::Create).unwrap();
    store.merge_many(&random_items(3, 500)).unwrap();
    let records = everything(&*store).len() as u64;
    drop(store);
    // Root may write everywhere: then another user runs the test, from a copy that it may execute.
    let program = directory.path().join("program");
    fs::copy(child::program(), &program).unwrap();
    let is_root = fs::metadata(&program).unwrap().uid() == 0;
    for (file_mode, directory_mode) in [(0o444, 0o555), (0o666, 0o555), (0o444, 0o755)] {
        allow(directory.path(), 0o755);
        allow(&path, file_mode);
        allow(&memories, directory_mode);
        let mut command = child::command(&program, "reads_without_write_permission", &path, records);
        if is_root {
            command.uid(65534).gid(65534);
        }
        // The directory's owner may create files in it, although the memory cannot be written.
        if is_root || directory_mode == 0o555 {
            assert_eq!(run(command).lines().last(), Some("read"));
        }
        allow(&memories, 0o755);
        assert_eq!(fs::read_dir(&memories).unwrap().count(), 1, "nothing is left beside the memory");
    }
}

#[test]
#[cfg(unix)]
#[ignore = "the process whose disk is full"]
fn writes_until_the_disk_is_full() {
    let Some((path, first)) = child::task() else { return };
    let store = open(&path, Access::Create).unwrap();
    let mut number = first;
    let error = loop {
        match store.merge_many(&random_items(number, 300)) {
            Ok(_) => number += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, MemoryError::Full { .. }), "{error:?}");
    // The store can still be read, and a second merge fails in the same way.
    assert!(matches!(store.merge_many(&random_items(number, 300)), Err(MemoryError::Full { .. })));
    let all = everything(&*store).len();
    child::say(&format!("full {number} {all}"));
}

/// A limit on the size of files stands in for a full disk: a write fails within a batch.
#[test]
#[cfg(unix)]
fn a_full_disk_costs_only_what_did_not_fit() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("m");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", r#"trap '' XFSZ; ulimit -f 4000; exec "$0" "$@""#]).arg(child::program());
    command.args(["writes_until_the_disk_is_full", "--exact", "--ignored", "--nocapture", "--test-threads=1"]);
    child::prepare(&mut command, &path, 10);
    let said = run(command);
    let numbers: Vec<usize> = said.lines().last().unwrap().split(' ').filter_map(|word| word.parse().ok()).collect();
    let [end, seen] = numbers[..] else { panic!("{said}") };
    assert!(end > 10, "some batches fit");

    let expected = mnemon_memory::RamStore::new();
    for number in 10..end as u64 {
        expected.merge_many(&random_items(number, 300)).unwrap();
    }
    let store = open(&path, Access::Existing).unwrap();
    let kept = everything(&*store);
    assert_eq!(kept.len(), seen);
    assert_eq!(kept.len() as u64, expected.statistics().unwrap().records());
    assert!(store.upkeep().expect("a file store").verify(&mut |_, _| ()).unwrap().is_sound());
    store.merge_many(&random_items(end as u64, 300)).unwrap();
}

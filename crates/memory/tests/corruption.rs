//! Files that are damaged, foreign, too new, or that cannot be written: an error that says so, and never a wrong record.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::children::{Orders, batch, child, orders, tell};
use common::item;
use mnemon_memory::{Item, Key, MemoryError, Range, Record, SqliteStore, Store};
use mnemon_search::random::Random;
use tempfile::TempDir;

/// A memory whose log has been cleared away, its bytes, and what is in it.
fn memory(folder: &TempDir, items: usize) -> (PathBuf, Vec<u8>, BTreeMap<Key, Record>) {
    let path = folder.path().join("sound.mnemon");
    let store = SqliteStore::open(&path).expect("a new memory");
    let mut random = Random::new(1);
    let items: Vec<Item> = (0..items).map(|_| item(&mut random, 100_000)).collect();
    store.merge_many(&items).expect("merged");
    let known = scanned(&store).expect("readable").into_iter().map(|item| (item.key, item.record)).collect();
    drop(store);
    let bytes = fs::read(&path).expect("a file");
    (path, bytes, known)
}

fn scanned(store: &SqliteStore) -> Result<Vec<Item>, MemoryError> {
    let mut items = Vec::new();
    let visit = &mut |item| {
        items.push(item);
        ControlFlow::Continue(())
    };
    store.scan(&Range::default(), visit).map(|()| items)
}

/// Reads everything that can be read of a damaged file. Gives whether the damage was noticed by the readers.
fn judge(path: &Path, known: &BTreeMap<Key, Record>) -> bool {
    let store = match SqliteStore::open_read_only(path) {
        Ok(store) => store,
        Err(error) => return names_the_file(&error, path),
    };
    let mut noticed = false;
    match scanned(&store) {
        Ok(items) => {
            for Item { key, record } in &items {
                assert_eq!(known.get(key), Some(record), "a wrong record was given out");
            }
            noticed |= items.len() < known.len();
        }
        Err(error) => noticed |= names_the_file(&error, path),
    }
    for (key, record) in known.iter().step_by(37) {
        let check = &mut |_: usize, source: &_, found: Record| {
            if *source == key.source {
                assert_eq!(found, *record, "a wrong record was given out");
            }
        };
        if let Err(error) = store.get_many(&key.game, &[&key.position], check) {
            noticed |= names_the_file(&error, path);
        }
    }
    match store.verify(&mut |_, _| {}) {
        Ok(verified) => {
            assert!(!(noticed && verified.is_sound()), "readers noticed what verify did not");
            !verified.is_sound()
        }
        Err(error) => names_the_file(&error, path),
    }
}

fn names_the_file(error: &MemoryError, path: &Path) -> bool {
    let text = error.to_string();
    assert!(text.contains(&path.display().to_string()) && text.lines().count() == 1, "{text}");
    true
}

#[test]
fn a_flipped_bit_never_gives_a_wrong_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, bytes, known) = memory(&folder, 3_000);
    let path = folder.path().join("flipped.mnemon");
    let mut random = Random::new(2);
    let mut noticed = 0;
    for round in 0..400 {
        let mut damaged = bytes.clone();
        // Half of them where the structure of the file is.
        let at = if round % 2 == 0 {
            random.below(damaged.len())
        } else {
            random.below(16) * 4096 % damaged.len() + random.below(112)
        };
        damaged[at.min(bytes.len() - 1)] ^= 1 << random.below(8);
        fs::write(&path, &damaged).expect("written");
        noticed += usize::from(judge(&path, &known));
        remove_logs(&path);
    }
    // Free space and unused header bytes may change unnoticed: nothing stands there.
    assert!(noticed >= 250, "{noticed} of 400 were noticed");
}

#[test]
fn a_truncated_file_never_gives_a_wrong_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, bytes, known) = memory(&folder, 3_000);
    let path = folder.path().join("truncated.mnemon");
    let mut random = Random::new(3);
    for _ in 0..60 {
        let length = 2 + random.below(bytes.len() - 2);
        fs::write(&path, &bytes[..length]).expect("written");
        assert!(judge(&path, &known), "{length} of {} bytes passed for sound", bytes.len());
        remove_logs(&path);
    }
}

fn remove_logs(path: &Path) {
    for log in ["-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{log}", path.display()));
    }
}

/// Opens the path in every way, and gives the errors; the file stays as it was.
fn refused(path: &Path) -> Vec<MemoryError> {
    let before = fs::read(path).ok();
    let ways = [SqliteStore::open(path), SqliteStore::open_existing(path), SqliteStore::open_read_only(path)];
    let errors: Vec<_> = ways.into_iter().map(|way| way.expect_err("refused")).collect();
    assert_eq!(fs::read(path).ok(), before, "the file is as it was");
    for error in &errors {
        names_the_file(error, path);
    }
    errors
}

#[test]
fn foreign_files_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().join("notes.txt");
    fs::write(&text, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6: all of this is known, and none of it is a memory.\n".repeat(40))
        .expect("written");
    let short = folder.path().join("short");
    fs::write(&short, "x").expect("written");
    let other = folder.path().join("other.db");
    let connection = rusqlite::Connection::open(&other).expect("SQLite");
    connection.execute_batch("CREATE TABLE games (pgn TEXT); INSERT INTO games VALUES ('1. e4');").expect("SQL");
    drop(connection);
    for path in [text, short, other] {
        for error in refused(&path) {
            assert!(matches!(error, MemoryError::Foreign { .. }), "{}: {error:?}", path.display());
        }
    }
    for error in refused(folder.path()) {
        assert!(!matches!(error, MemoryError::Damaged { .. }), "a folder: {error:?}");
    }
}

#[test]
fn a_newer_format_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, ..) = memory(&folder, 10);
    let connection = rusqlite::Connection::open(&path).expect("SQLite");
    connection.pragma_update(None, "user_version", 7).expect("SQL");
    connection.pragma_update(None, "journal_mode", "delete").expect("SQL");
    drop(connection);
    for error in refused(&path) {
        assert!(matches!(error, MemoryError::Newer { found: 7, .. }), "{error:?}");
        assert!(error.to_string().contains("install a newer mnemon"), "{error}");
    }
}

#[test]
fn reading_only_changes_nothing_and_teaches_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, bytes, known) = memory(&folder, 500);
    let store = SqliteStore::open_read_only(&path).expect("readable");
    assert_eq!(scanned(&store).expect("readable").len(), known.len());
    let error = store.merge_many(&batch(0)).expect_err("not to be taught");
    assert!(matches!(error, MemoryError::ReadOnly { .. }), "{error:?}");
    drop(store);
    assert_eq!(fs::read(&path).expect("a file"), bytes);
}

#[test]
fn a_missing_memory_is_made_only_when_it_is_to_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("deep/er/new.mnemon");
    for way in [SqliteStore::open_existing(&path), SqliteStore::open_read_only(&path)] {
        assert!(matches!(way.expect_err("missing"), MemoryError::Missing { .. }));
    }
    assert!(!path.exists());
    SqliteStore::open(&path).expect("made, with its folders");
    assert!(path.exists());
}

/// The writer of the next test: goes on until the disk is full, and says what it was told.
#[test]
#[ignore = "run by the tests here as a process of its own"]
fn writer() {
    let Some(orders) = orders() else { return };
    let store = SqliteStore::open(&orders.path).expect("the memory opens");
    for number in orders.first..orders.first + orders.count {
        if let Err(error) = store.merge_many(&batch(number)) {
            println!("after {number}: {error}");
            return;
        }
    }
}

/// A limit on the size of files is a full disk to those who meet it.
#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("full.mnemon");
    let orders = Orders { path: path.clone(), first: 0, count: 2_000 };
    let real = child("writer", &orders);
    let mut limited = Command::new("sh");
    // 1024 blocks of 512 bytes; the signal that would end the process is ignored, so that writing fails instead.
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 1024; exec \"$0\" \"$@\""])
        .arg(real.get_program())
        .args(real.get_args());
    tell(&mut limited, &orders);
    let output = limited.output().expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout);
    let line =
        text.lines().find_map(|line| Some(line.split_once("after ")?.1)).unwrap_or_else(|| panic!("no error: {text}"));
    let (number, error) = line.split_once(": ").expect("number and error");
    assert!(error.contains("full.mnemon") && error.contains("full"), "{error}");
    let written: u32 = number.parse().expect("a number");
    assert!(written > 10, "{written} batches fitted");

    let store = SqliteStore::open(&path).expect("it opens when there is room again");
    assert!(store.verify(&mut |_, _| {}).expect("readable").is_sound());
    let known: BTreeMap<Key, Record> =
        scanned(&store).expect("readable").into_iter().map(|item| (item.key, item.record)).collect();
    for item in (0..written).flat_map(|number| batch(number).into_iter().take(40)) {
        assert_eq!(known.get(&item.key), Some(&item.record), "what was written before is kept");
    }
    store.merge_many(&batch(written)).expect("and it goes on");
}

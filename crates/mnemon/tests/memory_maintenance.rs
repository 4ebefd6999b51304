//! The memory's file: checked, compacted, copied, and what happens when it is damaged or something else.

mod binary;
mod memories;

use binary::text;
use memories::{Memory, lines, many, record, utf8};
use serde_json::{Value, json};

/// A memory of three records, one of which has a bit of its position flipped in the file.
fn damaged() -> Memory {
    let memory = Memory::of(&lines([record("1", 1, 9), record("44", 2, 9), record("777", 3, 9)]));
    let packed = memory.json(&["get", "44"])["packed"].as_str().expect("digits").to_owned();
    let bytes: Vec<u8> =
        (0..packed.len()).step_by(2).map(|at| u8::from_str_radix(&packed[at..at + 2], 16).expect("digits")).collect();
    let mut file = std::fs::read(&memory.path).expect("a file");
    let places: Vec<usize> = (0..file.len() - 8).filter(|&at| file[at..].starts_with(&bytes)).collect();
    assert!(!places.is_empty(), "the position is in the file");
    for at in places {
        // The highest byte, which decides no order among these positions.
        file[at + 7] ^= 1;
    }
    std::fs::write(&memory.path, file).expect("written");
    memory
}

#[test]
fn a_sound_memory_verifies() {
    let memory = Memory::of(&many(1, 1000));
    let count = memory.records().len();
    assert_eq!(memory.says(&["verify"]), format!("{}: {count} records, all sound\n", utf8(&memory.path)));
    assert_eq!(memory.json(&["verify"])["records"], json!(count));
}

#[test]
fn damage_is_found_and_told() {
    let memory = damaged();
    let output = memory.run(&["verify"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(said.contains("fails its checksum") && said.ends_with(": 2 records sound, 1 damaged\n"), "{said}");
    let output = memory.run(&["verify", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&found["sound"], &found["records"], &found["damaged"]), (&json!(false), &json!(2), &json!(1)));
    assert_eq!(found["damage"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_damaged_record_is_left_out_and_said_so() {
    let memory = damaged();
    let output = memory.run(&["export"]);
    let expected =
        format!("mnemon: 1 damaged record in {} was left out; see 'mnemon memory verify'\n", utf8(&memory.path));
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), &*expected));
    assert_eq!(text(&output.stdout).lines().count(), 2, "the others are still there");

    let other = Memory::new();
    let output = other.run(&["merge", utf8(&memory.path)]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), &*expected));
    assert_eq!(other.records().len(), 2);
}

/// A page whose number of cells is too small hides records without an error of SQLite.
#[test]
fn records_that_a_damaged_page_hides_are_said_to_be_missing() {
    let memory = Memory::of(&many(1, 2000));
    let (count, sound) = (memory.records().len(), std::fs::read(&memory.path).expect("a file"));
    let mut hidden = 0;
    for page in (4096..sound.len()).step_by(4096) {
        let mut bytes = sound.clone();
        bytes[page + 3..page + 5].copy_from_slice(&1_u16.to_be_bytes());
        std::fs::write(&memory.path, bytes).expect("written");
        let output = memory.run(&["export"]);
        let (lines, said) = (text(&output.stdout).lines().count(), text(&output.stderr));
        assert!(lines == count || output.status.code() == Some(1), "{lines} of {count}: {said}");
        if lines == count || !said.contains("differs from its own counts by ") {
            continue;
        }
        hidden += 1;
        let (lines_to, memory_to) = (memory.beside("to.jsonl"), memory.beside("to.mnemon"));
        for arguments in [&["--to", &*lines_to][..], &["--to", &memory_to], &["--from", "-"], &["--source", "tester"]] {
            assert!(memory.fails(&[&["export"], arguments].concat(), 1).contains("differs from its own counts"));
        }
        std::fs::remove_file(&memory_to).expect("a file");
        let merged = Memory::new().fails(&["merge", utf8(&memory.path)], 1);
        assert!(merged.contains(utf8(&memory.path)) && merged.contains("differs from its own counts"), "{merged}");
        if hidden == 3 {
            return;
        }
    }
    panic!("{hidden} pages hide records");
}

#[test]
fn compacting_gives_space_back_and_loses_nothing() {
    let memory = Memory::of(&many(1, 5000));
    memory.says(&["put", "7", "--move", "1"]);
    memory.says(&["forget", "-", "--subtree", "--source", "tester 1", "--yes"]);
    let (before, size) = (memory.records(), memory.path.metadata().expect("a file").len());
    let said = memory.says(&["compact"]);
    assert!(said.starts_with(&format!("{}: ", utf8(&memory.path))) && said.ends_with(" now\n"), "{said}");
    assert!(memory.path.metadata().expect("a file").len() < size);
    assert_eq!(memory.records(), before);
}

#[test]
fn a_backup_is_the_same_memory() {
    let memory = Memory::of(&many(1, 500));
    let copy = memory.beside("copy.mnemon");
    assert!(memory.says(&["backup", &copy]).starts_with(&format!("{copy}: ")));
    let copied = Memory { path: copy.clone().into(), ..Memory::new() };
    assert_eq!(copied.records(), memory.records());
    memory.says(&["put", "7", "--move", "1"]);
    assert!(memory.fails(&["backup", &copy], 1).contains(&copy), "nothing is overwritten");
    assert_ne!(copied.records(), memory.records());
}

#[test]
fn a_backup_is_restored() {
    let memory = Memory::of(&many(1, 500));
    let (copy, saved) = (memory.beside("copy.mnemon"), memory.records());
    memory.says(&["backup", &copy]);
    memory.says(&["put", "7", "--move", "1"]);
    assert_ne!(memory.records(), saved);
    let expected = format!("{}: {} records restored from {copy}\n", utf8(&memory.path), saved.len());
    assert_eq!(memory.says(&["restore", &copy]), expected);
    assert_eq!(memory.records(), saved);
    let mut bytes = std::fs::read(&memory.path).expect("a file");
    bytes[4096..20_480].fill(0xa5);
    std::fs::write(&memory.path, bytes).expect("written");
    let damaged = memory.fails(&["get", "44"], 1);
    assert!(damaged.contains("mnemon memory restore BACKUP"), "{damaged}");
    assert_eq!(memory.says(&["restore", &copy]), expected);
    assert_eq!(memory.records(), saved);
    std::fs::remove_file(&memory.path).expect("a file");
    assert_eq!(memory.says(&["restore", &copy]), expected);
    assert_eq!(memory.records(), saved);

    assert!(memory.fails(&["restore", utf8(&memory.path)], 1).contains("the memory itself"));
    assert!(memory.fails(&["restore", &memory.beside("none")], 1).contains("there is no such memory"));
    let text = memory.write("games.pgn", "1. e4 e5 ".repeat(1000));
    let game = Memory { path: text.clone().into(), ..Memory::new() };
    assert!(game.fails(&["restore", &copy], 1).contains("no mnemon memory"));
    assert_eq!(std::fs::read_to_string(&text).expect("a file"), "1. e4 e5 ".repeat(1000));
    assert_eq!(memory.records(), saved);
}

#[test]
fn what_is_no_memory_is_named_and_not_touched() {
    let memory = Memory::new();
    for contents in ["hello, world\n".repeat(1000), "xy".to_owned()] {
        std::fs::write(&memory.path, &contents).expect("written");
        for arguments in [
            &["stats"][..],
            &["show", "44"],
            &["put", "44", "--move", "4"],
            &["forget", "44", "--yes"],
            &["export"],
            &["verify"],
            &["compact"],
        ] {
            let error = memory.fails(arguments, 1);
            assert!(error.contains(utf8(&memory.path)) && error.contains("no mnemon memory"), "{error}");
        }
        assert_eq!(std::fs::read_to_string(&memory.path).expect("a file"), contents);
    }
    let folder = Memory::new();
    std::fs::create_dir(&folder.path).expect("a folder");
    assert!(folder.fails(&["stats"], 1).contains("directory"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_place_that_cannot_be_written_is_named() {
    let memory = Memory { path: "/proc/mnemon/a.mnemon".into(), ..Memory::new() };
    assert!(memory.fails(&["put", "44", "--move", "4"], 1).contains("/proc/mnemon"));
    let full = Memory::of(&many(1, 100));
    let output = full.run(&["export", "--to", "/proc/all.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cannot write /proc/all.jsonl"));
}

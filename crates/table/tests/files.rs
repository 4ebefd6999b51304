//! Writing a file whole or not at all.

mod common;

use std::fs;
use std::io::{self, Write};

use common::names;
#[cfg(unix)]
use common::{in_time, make_fifo};
use mnemon_table::file::{FileError, FileKind, OwnKind, PendingFile, open_regular, open_to_append, replace_file};

#[test]
fn a_failed_write_leaves_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("result.csv");
    replace_file(&path, &OwnKind::TEXT, |file| file.write_all(b"old")).expect("written");
    let failing = |file: &mut fs::File| file.write_all(b"ne").and(Err::<(), _>(io::Error::other("no more ink")));
    let error = replace_file(&path, &OwnKind::TEXT, failing).expect_err("the writer fails");
    assert!(matches!(&error, FileError::Io { action: "write", path: named, .. } if *named == path), "{error}");
    assert!(error.to_string().ends_with("result.csv: no more ink"), "{error}");
    assert_eq!(fs::read(&path).expect("still there"), b"old");
    assert_eq!(replace_file(&path, &OwnKind::TEXT, |file| file.write_all(b"new").map(|()| 3)).expect("written"), 3);
    assert_eq!(fs::read(&path).expect("replaced"), b"new");
    assert_eq!(names(folder.path()), ["result.csv"], "no temporary file is left");
}

#[test]
fn a_new_file_takes_no_name_that_is_taken() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("copy");
    let pending = |text: &[u8]| {
        let mut pending = PendingFile::create(&path).expect("a temporary file");
        pending.as_file_mut().write_all(text).expect("written");
        assert_eq!(fs::read(pending.temporary_path()).expect("under its temporary name"), text);
        pending
    };
    drop(pending(b"dropped"));
    assert!(names(folder.path()).is_empty(), "a file that is dropped is removed");
    let [first, second] = [pending(b"first"), pending(b"second")];
    first.create_new().expect("the name is free");
    let error = second.create_new().expect_err("the name is taken");
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read(&path).expect("there"), b"first");
    assert_eq!(names(folder.path()), ["copy"]);
}

#[test]
fn only_the_own_kind_and_empty_files_are_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("named");
    let write = || replace_file(&path, &OwnKind::SNAPSHOT, |file| file.write_all(b"mnemonTT new"));
    for (old, kind) in [
        (&b"[Event \"?\"]\n\n1. e4 *\n"[..], FileKind::Pgn),
        (b"\xef\xbb\xbf; a comment\n\n[Event \"?\"]\n", FileKind::Pgn),
        (b"SQLite format 3\0 and pages", FileKind::Database),
        (b"Dear Ada", FileKind::Text),
        (b"mnemonT", FileKind::Text),
        (b"\x7fELF\0", FileKind::Binary),
    ] {
        fs::write(&path, old).expect("written");
        let error = write().expect_err("not ours");
        assert!(matches!(error, FileError::WrongKind { kind: found, .. } if found == kind), "{error}");
        let text = format!("named is {kind}, not a hash snapshot: nothing was changed");
        assert!(error.to_string().ends_with(&text), "{error}");
        assert_eq!(fs::read(&path).expect("still there"), old);
    }
    for old in [&b""[..], b"mnemonTT old"] {
        fs::write(&path, old).expect("written");
        write().expect("an empty file, or a snapshot");
        assert_eq!(fs::read(&path).expect("replaced"), b"mnemonTT new");
    }
    assert_eq!(names(folder.path()), ["named"], "no temporary file is left");
}

#[test]
fn a_file_that_came_during_the_writing_is_not_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("named");
    let error = replace_file(&path, &OwnKind::SNAPSHOT, |_| fs::write(&path, "theirs")).expect_err("not ours");
    assert!(matches!(error, FileError::WrongKind { kind: FileKind::Text, .. }), "{error}");
    let mut pending = PendingFile::create(&path).expect("a temporary file");
    pending.as_file_mut().write_all(b"ours").expect("written");
    pending.replace().expect_err("without a kind, only an empty file is replaced");
    assert_eq!(fs::read(&path).expect("still there"), b"theirs");
    assert_eq!(names(folder.path()), ["named"], "no temporary file is left");
}

#[test]
fn a_directory_is_neither_read_nor_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let errors = [
        replace_file(path, &OwnKind::TEXT, |_| Ok(())).expect_err("a directory"),
        open_regular(path).expect_err("a directory"),
        open_to_append(path, &OwnKind::TEXT).expect_err("a directory"),
    ];
    for error in errors {
        assert!(matches!(error, FileError::WrongKind { kind: FileKind::Directory, .. }), "{error}");
    }
}

#[test]
fn text_is_appended_to_its_own_kind_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let append = || open_to_append(&path, &OwnKind::PGN).map(|mut file| file.write_all(b"[Event \"?\"]\n"));
    for _ in 0..2 {
        append().expect("its own kind").expect("written");
    }
    assert_eq!(fs::read_to_string(&path).expect("there").matches("[Event").count(), 2);
    fs::write(&path, "Dear Ada").expect("written");
    append().expect_err("a letter");
    assert_eq!(fs::read(&path).expect("still there"), b"Dear Ada");
}

#[test]
#[cfg(unix)]
fn a_fifo_blocks_nothing_and_is_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let folder = tempfile::tempdir().expect("a folder");
    let [fifo, link] = ["fifo", "link"].map(|name| folder.path().join(name));
    make_fifo(&fifo);
    std::os::unix::fs::symlink(&fifo, &link).expect("linked");
    for path in [&fifo, &link] {
        let named = path.clone();
        let errors = in_time(move || {
            [
                open_regular(&named).expect_err("a FIFO"),
                open_to_append(&named, &OwnKind::TEXT).expect_err("a FIFO"),
                replace_file(&named, &OwnKind::TEXT, |_| Ok(())).expect_err("a FIFO"),
            ]
        });
        for error in errors {
            assert!(matches!(error, FileError::WrongKind { kind: FileKind::Fifo, .. }), "{error}");
        }
    }
    assert!(fs::symlink_metadata(&fifo).expect("still there").file_type().is_fifo());
    assert!(fs::symlink_metadata(&link).expect("still there").is_symlink());
}

#[test]
#[cfg(unix)]
fn a_symbolic_link_stays_and_the_file_it_leads_to_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let below = folder.path().join("below");
    fs::create_dir(&below).expect("a folder");
    let [target, link, twice] = ["below/target", "link", "twice"].map(|name| folder.path().join(name));
    std::os::unix::fs::symlink("below/target", &link).expect("linked");
    std::os::unix::fs::symlink("link", &twice).expect("linked");
    // At first the link leads nowhere.
    for (text, path) in [("first", &link), ("second", &link), ("third", &twice)] {
        replace_file(path, &OwnKind::TEXT, |file| file.write_all(text.as_bytes())).expect("written");
        assert_eq!(fs::read_to_string(&target).expect("there"), text);
        assert!(fs::symlink_metadata(path).expect("there").is_symlink());
    }
    fs::write(&target, "theirs\0").expect("written");
    replace_file(&twice, &OwnKind::TEXT, |file| file.write_all(b"ours")).expect_err("not ours");
    assert_eq!(fs::read(&target).expect("there"), b"theirs\0");
    assert_eq!(names(folder.path()), ["below", "link", "twice"]);
    assert_eq!(names(&below), ["target"]);
    let circle = folder.path().join("circle");
    std::os::unix::fs::symlink("circle", &circle).expect("linked");
    replace_file(&circle, &OwnKind::TEXT, |_| Ok(())).expect_err("it leads nowhere");
}

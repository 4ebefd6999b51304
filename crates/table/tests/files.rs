//! Writing a file whole or not at all.

mod common;

use std::fs;
use std::io::{self, Write};

use common::names;
use mnemon_table::file::{PendingFile, replace_file};

#[test]
fn a_failed_write_leaves_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("result.csv");
    replace_file(&path, |file| file.write_all(b"old")).expect("written");
    let failing = |file: &mut fs::File| file.write_all(b"ne").and(Err::<(), _>(io::Error::other("no more ink")));
    let error = replace_file(&path, failing).expect_err("the writer fails");
    assert_eq!((error.action, error.path.as_path()), ("write", path.as_path()));
    assert!(error.to_string().ends_with("result.csv: no more ink"), "{error}");
    assert_eq!(fs::read(&path).expect("still there"), b"old");
    assert_eq!(replace_file(&path, |file| file.write_all(b"new").map(|()| 3)).expect("written"), 3);
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
    assert_eq!(error.source.kind(), io::ErrorKind::AlreadyExists, "{error}");
    assert_eq!(fs::read(&path).expect("there"), b"first");
    assert_eq!(names(folder.path()), ["copy"]);
}

#[test]
#[cfg(unix)]
fn a_symbolic_link_is_replaced_and_not_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let [target, link] = ["target", "link"].map(|name| folder.path().join(name));
    fs::write(&target, "theirs").expect("written");
    std::os::unix::fs::symlink(&target, &link).expect("linked");
    replace_file(&link, |file| file.write_all(b"ours")).expect("written");
    assert_eq!(fs::read(&target).expect("there"), b"theirs");
    assert_eq!(fs::read(&link).expect("there"), b"ours");
    assert!(fs::symlink_metadata(&link).expect("there").is_file());
}

//! The Connect Four experiments leave their results behind.

mod binary;

use std::fs;

use binary::{fails, mnemon, text};

#[test]
fn bounds_repeat_and_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    let arguments = ["lab", "bounds", "--stones", "22", "--positions", "5", "--hash", "1,2", "--out", out];
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("written");
    let output = mnemon(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let csv = read("bounds.csv");
    assert_eq!(csv.lines().next(), Some("MiB,upper bound,both bounds,both and best move,two tables"));
    assert_eq!(csv.lines().count(), 3);
    let page = read("bounds.md");
    assert!(page.starts_with("# Bounds in the table: Connect Four\n\nA table that keeps both bounds"), "{page}");
    assert!(page.contains("10 to 15 per cent") && read("bounds.svg").starts_with("<svg"));
    assert!(mnemon(&arguments).status.success());
    assert_eq!(read("bounds.csv"), csv, "node counts repeat");
}

#[test]
fn techniques_of_a_file_of_positions() {
    let folder = tempfile::tempdir().expect("a folder");
    let (out, set) = (folder.path().to_str().expect("UTF-8"), folder.path().join("set"));
    let word = set.to_str().expect("UTF-8");
    fs::write(&set, "52753311433677442422121 8\n5554224333234511764415115 4\n").expect("written");
    let output = mnemon(&["lab", "techniques", "--file", word, "--out", out]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let csv = fs::read_to_string(folder.path().join("techniques.csv")).expect("written");
    assert!(csv.lines().nth(1).is_some_and(|line| line.starts_with("(all),")));
    assert!(csv.lines().any(|line| line.starts_with("mirror,")), "{csv}");

    fs::write(&set, "44\n4x\n").expect("written");
    assert!(fails(&["lab", "techniques", "--file", word, "--out", out], 1).contains("line 2: move 2: 'x'"));
    fs::write(&set, "").expect("written");
    assert!(fails(&["lab", "bounds", "--file", word, "--out", out], 1).contains("no positions"));
}

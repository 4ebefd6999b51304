//! `mnemon lab learning`, small: the whole experiment, the same table each time, and on where it was interrupted.

mod binary;

use std::fs;
use std::path::Path;

use binary::{fails, mnemon, text};

/// Runs a tiny experiment; returns the scores and the report without the line that has the day in it.
fn experiment(out: &Path, more: &[&str]) -> (String, String) {
    let out_word = out.to_str().expect("UTF-8");
    let games = ["--rounds", "3", "--openings", "4", "--nodes", "60", "--stranger-rounds", "1", "--seeds", "2"];
    let rest = [
        "--foreign",
        "none",
        "--memory-depth",
        "2",
        "--policy",
        "bebe",
        "--policy",
        "tree",
        "--policy",
        "result",
        "--policy",
        "study",
    ];
    let output = mnemon(&[&["lab", "learning", "--out", out_word], &games[..], &rest[..], more].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let read = |name: &str| fs::read_to_string(out.join(name)).expect("written");
    assert!(read("learning.svg").starts_with("<svg"));
    let report = read("learning.md");
    let is_dated = |line: &&str| line.starts_with("`mnemon lab learning");
    assert_eq!(report.lines().filter(is_dated).count(), 1, "{report}");
    let undated: Vec<_> = report.lines().filter(|line| !is_dated(line)).collect();
    (read("learning.csv"), undated.join("\n"))
}

#[test]
fn the_same_command_gives_the_same_table_and_goes_on_where_it_was_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    let (csv, report) = experiment(folder.path(), &["--jobs", "1"]);
    assert_eq!(csv.lines().next(), Some("round,off,off-varied,repeat-wins,bebe,tree,result,study"));
    assert_eq!(csv.lines().count(), 4);
    let records_of = |name: &str| {
        let line = report.lines().find(|line| line.starts_with(&format!("| {name} |"))).expect("a line");
        line.trim_end_matches(" |").rsplit(' ').next().and_then(|word| word.parse::<u64>().ok()).expect("a number")
    };
    assert_eq!(records_of("off"), 0);
    let kept = ["bebe", "tree", "result", "study"].map(records_of);
    assert!(kept.iter().all(|&records| records > 100), "{kept:?}");
    // Cut off in the middle of a line: the rest is played again, on two threads, to the same table.
    let state = folder.path().join("learning.state");
    let finished = fs::read_to_string(&state).expect("a file");
    fs::write(&state, &finished[..finished.len() / 2]).expect("cut");
    assert_eq!(
        experiment(folder.path(), &["--jobs", "2"]),
        (csv, report),
        "nothing depends on the machine or the hour"
    );
}

#[test]
fn the_state_of_another_experiment_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("notes.txt");
    fs::write(&state, "my notes\n").expect("written");
    let [out, state_word] = [folder.path(), &state].map(|path| path.to_str().expect("UTF-8"));
    let said = fails(&["lab", "learning", "--out", out, "--state", state_word], 2);
    assert!(said.contains("notes.txt") && said.contains("--state"), "{said}");
    assert_eq!(fs::read_to_string(&state).expect("a file"), "my notes\n");
}

#[test]
fn what_does_not_learn_cannot_be_chosen() {
    assert!(fails(&["lab", "learning", "--policy", "off"], 2).contains("off"));
    assert!(fails(&["lab", "learning", "--openings", "0"], 2).contains("0 is not in"));
}

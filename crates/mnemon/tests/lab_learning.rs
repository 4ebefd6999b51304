//! `mnemon lab learning`, small: the whole experiment, and the same table each time.

mod binary;

use std::fs;
use std::path::Path;

use binary::{fails, mnemon, text};

/// Runs a tiny experiment; returns the scores and the report without the line that has the day in it.
fn experiment(out: &Path, seed: &str) -> (String, String) {
    let out_word = out.to_str().expect("UTF-8");
    let rounds = ["--rounds", "3", "--openings", "2", "--nodes", "60", "--stranger-rounds", "1", "--memory-depth", "2"];
    let policies = ["--policy", "bebe", "--policy", "tree", "--policy", "resume"];
    let arguments = [&["lab", "learning", "--seed", seed, "--out", out_word], &rounds[..], &policies[..]].concat();
    let output = mnemon(&arguments);
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
fn the_same_command_gives_the_same_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let (csv, report) = experiment(folder.path(), "1");
    assert_eq!(csv.lines().next(), Some("round,off,bebe,resume,tree"));
    assert_eq!(csv.lines().count(), 4);
    let records_of = |name: &str| {
        let line = report.lines().find(|line| line.starts_with(&format!("| {name} |"))).expect("a line");
        line.trim_end_matches(" |").rsplit(' ').next().and_then(|word| word.parse::<u64>().ok()).expect("a number")
    };
    assert_eq!(records_of("off"), 0);
    let kept = ["bebe", "resume", "tree"].map(records_of);
    assert!(kept.iter().all(|&records| records > 100), "{kept:?}");
    assert_eq!(experiment(folder.path(), "1"), (csv, report), "nothing depends on the machine or the hour");
}

#[test]
fn what_does_not_learn_cannot_be_chosen() {
    assert!(fails(&["lab", "learning", "--policy", "off"], 2).contains("off"));
    assert!(fails(&["lab", "learning", "--openings", "0"], 2).contains("0 is not in"));
}

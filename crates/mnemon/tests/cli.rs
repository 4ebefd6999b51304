//! The binary as a user meets it: help, mistakes, and what its commands leave behind.

mod binary;

use std::path::Path;

use binary::{fails, mnemon, text};

#[test]
fn help_and_version_are_answers_not_errors() {
    let lines = ["--help", "-h", "bench --help", "lab --help", "lab replacement -h", "lab bounds -h", "solve --help"];
    for line in lines.into_iter().chain(["solve book -h", "play -h", "play connect4 --help", "uci --help"]) {
        let arguments = &line.split(' ').collect::<Vec<_>>()[..];
        let output = mnemon(arguments);
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}");
        assert!(text(&output.stdout).contains("Usage: mnemon"), "{arguments:?}");
    }
    assert_eq!(text(&mnemon(&["--version"]).stdout), concat!("mnemon ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn unknown_words_get_a_suggestion_and_exit_code_2() {
    assert!(fails(&["banch"], 2).contains("did you mean 'bench'?"));
    assert!(fails(&["bench", "--dpeth", "3"], 2).contains("did you mean '--depth'?"));
    assert!(fails(&["lab", "replacment"], 2).contains("did you mean 'replacement'?"));
    assert!(fails(&["lab"], 2).contains("missing"));
    assert!(fails(&["bench", "more"], 2).contains("'more'"));
}

#[test]
fn numbers_out_of_range_name_the_range() {
    for arguments in
        [&["bench", "--depth", "0"][..], &["bench", "--depth", "99999999999999999999"], &["bench", "--hash", "-1"]]
    {
        assert!(fails(arguments, 2).contains("--"), "{arguments:?}");
    }
    assert!(fails(&["bench", "--depth", "61"], 2).contains("1..=60"));
}

#[test]
fn without_arguments_and_without_a_terminal_it_is_an_engine() {
    let output = binary::fed(&[], b"uci\n");
    assert!(output.status.success() && output.stderr.is_empty());
    assert!(text(&output.stdout).ends_with("uciok\n"));
    let output = mnemon(&[]);
    assert!(output.status.success() && output.stdout.is_empty(), "the end of input is the end");
}

#[test]
fn a_table_that_does_not_fit_is_an_error_not_a_crash() {
    assert!(fails(&["bench", "--hash", "33554432"], 1).contains("ask for less"));
}

#[test]
fn the_bench_signature_repeats() {
    let nodes = || {
        let output = mnemon(&["bench", "--depth", "7", "--chess-depth", "4"]);
        assert!(output.status.success());
        let count =
            |name| text(&output.stdout).lines().find(|line| line.starts_with(name)).expect("a count").to_owned();
        [count("Nodes: "), count("Chess nodes: ")]
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn the_replacement_lab_writes_its_results() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("new").join("results");
    let lab = |jobs: &str| {
        let out = out.to_str().expect("UTF-8");
        mnemon(&["lab", "replacement", "--depth", "5", "--positions", "2", "--jobs", jobs, "--out", out])
    };
    let output = lab("1");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let read = |name: &str| std::fs::read_to_string(Path::new(&out).join(name)).expect("written");
    let csv = read("replacement.csv");
    assert_eq!(csv.lines().count(), 9, "a heading and a line for each size");
    assert_eq!(csv.lines().next(), Some("Entries,New,Old,Deep,Big1,BigAll,TwoTier,TwoDeep,TwoBig1,Worth,Aged"));
    assert!(read("replacement.md").contains("| 2^13 |") || read("replacement.md").contains(" 2^13 |"));
    assert!(read("replacement.svg").starts_with("<svg") && read("replacement-unhinted.svg").starts_with("<svg"));
    assert!(lab("2").status.success());
    assert_eq!(read("replacement.csv"), csv, "the counts do not depend on the number of jobs");
}

#[test]
fn results_that_cannot_be_written_name_the_place() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let out = file.path().join("below").to_str().expect("UTF-8").to_owned();
    let output = mnemon(&["lab", "replacement", "--depth", "1", "--positions", "1", "--out", &out]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains(&out));
}

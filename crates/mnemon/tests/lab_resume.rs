//! `mnemon lab resume`, small: the restart is real, and the page is consistent.

mod binary;

use std::fs;

use binary::{fails, mnemon, text};

/// The numbers in a line of a table, without what is no number.
fn cells(line: &str) -> Vec<f64> {
    line.split('|').filter_map(|cell| cell.trim().parse().ok()).collect()
}

#[test]
fn the_second_analysis_takes_nothing_and_says_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    let arguments = ["lab", "resume", "--depth", "8", "--hash", "4", "--only", "2,17", "--out", out];
    let output = mnemon(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report = fs::read_to_string(folder.path().join("resume.md")).expect("written");
    assert!(report.contains("`mnemon lab resume --depth 8 --hash 4 --only 2,17`"), "{report}");
    assert!(report.contains("of cold: met. Memory file"), "{report}");
    assert!(report.contains("2 of 2 answers are the same") && report.contains("depth in 2 of 2 cases"), "{report}");
    let conclusion = report.lines().nth(2).expect("a conclusion");
    assert!(conclusion.starts_with("After a restart, `resume` reaches one ply more"), "{conclusion}");
    let same_depth = report.split("## ").find(|part| part.starts_with("To depth 8, the known")).expect("a section");
    let lines: Vec<Vec<f64>> = same_depth.lines().map(cells).filter(|cells| cells.len() == 11).collect();
    assert_eq!(lines.iter().map(|line| line[0]).collect::<Vec<_>>(), [2.0, 17.0]);
    for line in &lines {
        let [_, cold, _, resumed, _, _, among_all, _, loaded, _, nothing] = line[..] else { panic!("{line:?}") };
        assert!(cold > 1000.0 && resumed == 0.0 && among_all == 0.0, "{line:?}");
        assert!(loaded > 0.0 && nothing == 100.0, "with nothing the same nodes again: {line:?}");
    }
}

#[test]
fn another_engine_gets_its_lines_back_behind_the_proxy() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    // Our own engine as any other: no memory can be there, so that it has none of its own.
    let engine = format!("{} uci", env!("CARGO_BIN_EXE_mnemon"));
    let small = ["--depth", "7", "--hash", "4", "--records", "3000", "--only", "2", "--out", out];
    let arguments = [&["lab", "resume", "--engine", &engine], &small[..]].concat();
    let output = binary::command(&arguments).env("MNEMON_MEMORY", "/dev/null/none").output().expect("it runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report = fs::read_to_string(folder.path().join("resume-engine.md")).expect("written");
    assert!(report.contains("--records 3000 --only 2") && !report.contains("NaN"), "{report}");
    let line = report.lines().find(|line| line.starts_with("| 2 |")).expect("the position");
    let cells = cells(line);
    assert_eq!(cells.len(), 7, "{line}");
    assert_eq!(cells[6], 1.0, "the memory changes nothing of the engine's search: {line}");
}

#[test]
fn there_are_24_positions() {
    assert!(fails(&["lab", "resume", "--only", "25"], 2).contains("25 is not in 1..=24"));
}

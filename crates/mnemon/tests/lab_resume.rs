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
fn there_are_24_positions() {
    assert!(fails(&["lab", "resume", "--only", "25"], 2).contains("25 is not in 1..=24"));
}

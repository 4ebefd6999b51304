//! `mnemon lab explore`, small: its files agree with each other.

mod binary;

use std::fs;

use binary::{mnemon, text};

#[test]
fn every_method_has_an_answer_for_every_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    let arguments = ["lab", "explore", "--nodes", "6000", "--each", "1000", "--hash", "1", "--only", "1", "--out", out];
    let output = mnemon(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("written");
    let (page, csv) = (read("explore.md"), read("explore.csv"));
    assert!(page.contains("`mnemon lab explore --nodes 6000 --each 1000 --hash 1 --only 1`"), "{page}");
    assert!(read("explore.svg").starts_with("<svg"));
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 2 * 3, "{csv}");
    for row in &rows {
        let [name, method, nodes, searched, best, ..] = row[..] else { panic!("{row:?}") };
        let (nodes, searched): (u64, u64) = (nodes.parse().expect("nodes"), searched.parse().expect("positions"));
        assert!(nodes <= 6_600 && !best.is_empty(), "{row:?}");
        assert_eq!(method == "one long search", searched == 1, "{row:?}");
        assert!(page.contains(&format!("| {name} |")), "{page}");
    }
}

//! The chess experiments leave their results behind, and their counts repeat.

mod binary;

use std::fs;

use binary::{fails, mnemon, text};

#[test]
fn replacement_schemes_on_chess_middle_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("written");
    let lab = |jobs: &str| {
        let game = ["lab", "replacement", "--game", "chess", "--depth", "3", "--positions", "2"];
        let output = mnemon(&[&game[..], &["--jobs", jobs, "--out", out]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    lab("1");
    let csv = read("replacement-chess.csv");
    assert_eq!(
        csv.lines().next(),
        Some("Entries,New,Old,Deep,Big1,BigAll,TwoTier,TwoDeep,TwoBig1,Worth,Aged,Extreme,Exact")
    );
    assert_eq!(csv.lines().count(), 9, "a heading and a line for each size");
    let report = read("replacement-chess.md");
    assert!(report.starts_with("# Replacement schemes: chess\n\nWith the hash move searched first, "), "{report}");
    assert!(report.contains("mnemon lab replacement --game chess --depth 3 --positions 2"), "{report}");
    assert!(report.contains("2 chess middle games searched to depth 3") && report.contains("first, 2^10"), "{report}");
    assert!(read("replacement-chess-unhinted.svg").starts_with("<svg"));
    lab("2");
    assert_eq!(read("replacement-chess.csv"), csv, "the counts do not depend on the number of jobs");
}

#[test]
fn replacement_schemes_at_one_size_and_backward_through_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("written");
    let lab = |more: &[&str]| {
        let output = mnemon(&[&["lab", "replacement", "--out", out], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    lab(&["--game", "chess", "--depth", "3", "--positions", "1", "--entries", "8192"]);
    assert_eq!(read("replacement-chess-8192.csv").lines().nth(1).and_then(|row| row.split(',').next()), Some("2^13"));
    let command = "mnemon lab replacement --game chess --depth 3 --positions 1 --entries 8192`";
    assert!(read("replacement-chess-8192.md").contains(command));

    lab(&["--game", "chess", "--depth", "3", "--positions", "1", "--entries", "8192", "--scheme", "AGED"]);
    let column = |csv: &str, name: &str| {
        let rows: Vec<Vec<&str>> = csv.lines().map(|row| row.split(',').collect()).collect();
        let number = rows[0].iter().position(|column| *column == name).expect("a column");
        rows[1][number].to_owned()
    };
    let [all, one] = ["replacement-chess-8192.csv", "replacement-chess-8192-aged.csv"].map(read);
    assert_eq!(one.lines().next(), Some("Entries,Aged"));
    assert_eq!(column(&one, "Aged"), column(&all, "Aged"));
    let page = read("replacement-chess-8192-aged.md");
    assert!(page.contains("--entries 8192 --scheme aged`") && !page.contains("NaN"), "{page}");
    assert!(fails(&["lab", "replacement", "--scheme", "best", "--out", out], 2).contains("TwoDeep"));

    lab(&["--backward", "--depth", "2", "--entries", "64,1000"]);
    let csv = read("replacement-backward-64-1000.csv");
    let sizes: Vec<_> = csv.lines().skip(1).filter_map(|row| row.split(',').next()).collect();
    assert_eq!(sizes, ["2^6", "1000"]);
    assert!(
        read("replacement-backward-64-1000.md").contains("The 169 positions of two chess games searched to depth 2")
    );
    assert!(fails(&["lab", "replacement", "--backward", "--positions", "2", "--out", out], 2).contains("--positions"));
    assert!(fails(&["lab", "replacement", "--entries", "3", "--out", out], 2).contains("4"));
}

#[test]
fn bounds_on_middle_games_and_on_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    let read = || fs::read_to_string(folder.path().join("bounds-chess.csv")).expect("written");
    let lab = |more: &[&str]| {
        let game = ["lab", "bounds", "--game", "chess", "--depth", "4", "--hash", "1", "--out", out];
        mnemon(&[&game[..], more].concat())
    };
    let output = lab(&["--positions", "2"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let csv = read();
    let heading = "Entries,nothing,move only,exact and move,upper and move,both and move,both without move,two tables";
    assert_eq!((csv.lines().next(), csv.lines().count()), (Some(heading), 2));
    let nodes: Vec<f64> =
        csv.lines().nth(1).expect("counts").split(',').skip(1).map(|word| word.parse().expect("a number")).collect();
    assert!(nodes[4] < nodes[1] && nodes[1] < nodes[0], "a table saves nodes, and its scores more of them: {nodes:?}");
    assert!(lab(&["--positions", "2"]).status.success());
    assert_eq!(read(), csv, "node counts repeat");

    let file = folder.path().join("positions.epd");
    fs::write(&file, "4k3/R7/8/8/8/8/8/4K2R w K - id \"x\";\n").expect("written");
    assert!(lab(&["--file", file.to_str().expect("UTF-8")]).status.success());
    assert_ne!(read(), csv);
    assert!(fails(&["lab", "bounds", "--game", "chess", "--positions", "99", "--out", out], 2).contains("12"));
}

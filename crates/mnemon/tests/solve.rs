//! `mnemon solve` as a user and as another program meet it.

mod binary;

use binary::{fed, mnemon, sets, text};
use serde_json::Value;

/// Late positions with their scores, from Pons' End-Easy set.
const LATE: [(&str, i32); 3] = [
    ("2252576253462244111563365343671351441", -1),
    ("7422341735647741166133573473242566", 1),
    ("23163416124767223154467471272416755633", 0),
];

fn late_lines() -> String {
    LATE.iter().map(|(moves, score)| format!("{moves} {score}\n")).collect()
}

/// The first two words of every line: moves and score.
fn scores(stdout: &[u8]) -> Vec<(String, i32)> {
    let pair = |line: &str| {
        let words: Vec<_> = line.split(' ').collect();
        assert!(words.len() >= 4 && words[2..4].iter().all(|word| word.parse::<u64>().is_ok()), "{line}");
        (words[0].to_owned(), words[1].parse().expect("a score"))
    };
    text(stdout).lines().map(pair).collect()
}

fn expected() -> Vec<(String, i32)> {
    LATE.iter().map(|&(moves, score)| (moves.to_owned(), score)).collect()
}

#[test]
fn arguments_stdin_and_files_give_the_same_lines() {
    let arguments: Vec<_> = ["solve"].into_iter().chain(LATE.iter().map(|&(moves, _)| moves)).collect();
    let output = mnemon(&arguments);
    assert!(output.status.success() && output.stderr.is_empty());
    assert_eq!(scores(&output.stdout), expected());
    assert_eq!(scores(&fed(&["solve"], late_lines().as_bytes()).stdout), expected());

    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(&file, late_lines().trim_end().replace('\n', "\r\n")).expect("written");
    let path = file.path().to_str().expect("UTF-8");
    let output = mnemon(&["solve", "--file", path, "--file", path]);
    assert!(output.status.success());
    assert_eq!(scores(&output.stdout), [expected(), expected()].concat());
}

#[test]
fn threads_and_techniques_do_not_change_a_score() {
    for option in [
        &["--threads", "2"][..],
        &["--without", "forced"],
        &["--without", "lower-bounds"],
        &["--replacement", "two-tier"],
        &["--hash", "1"],
    ] {
        let output = fed(&[&["solve"], option].concat(), late_lines().as_bytes());
        assert_eq!(scores(&output.stdout), expected(), "{option:?}");
    }
}

#[test]
fn weak_scores_are_signs() {
    let output =
        fed(&["solve", "--weak", "--verify"], b"52753311433677442422121 8\n23163416124767223154467471272416755633 0\n");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(scores(&output.stdout).iter().map(|(_, score)| *score).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn every_column_has_its_score() {
    let output = mnemon(&["solve", "--all", LATE[1].0]);
    let line = text(&output.stdout).trim_end();
    let words: Vec<_> = line.split(' ').collect();
    assert_eq!(words[..2], [LATE[1].0, "1"]);
    assert_eq!(words[4..], ["-3", "1", "-", "-", "-4", "1", "-"], "full columns are dashes");
}

#[test]
fn json_is_one_object_a_line() {
    let output = fed(&["solve", "--json"], late_lines().as_bytes());
    for (index, line) in text(&output.stdout).lines().enumerate() {
        let object: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!((&object["moves"], &object["score"]), (&LATE[index].0.into(), &LATE[index].1.into()));
        assert_eq!((&object["line"], &object["scores_for"]), (&(index + 1).into(), &"side to move".into()));
        assert!(object["nodes"].is_u64() && object["microseconds"].is_u64() && object.get("columns").is_none());
    }
    let output = mnemon(&["solve", "--json", "--all", LATE[1].0]);
    let object: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(object["columns"], serde_json::json!([-3, 1, null, null, -4, 1, null]));
    assert_eq!(object["best"], serde_json::json!([2, 6]));
    assert_eq!(object["verdict"], "wins in 4 moves");
    assert_eq!(object["principal_variation"].as_str().expect("a line").len(), 7);
}

#[test]
fn a_drawn_board_says_whose_turn_it_is_and_how_to_read_a_score() {
    let output = mnemon(&["solve", "--draw", "52753311433677442422121"]);
    let picture = text(&output.stdout);
    assert!(picture.contains("   1   2   3   4   5   6   7\n  +2  +3  +7  +7  +8  +7  +2\n"), "{picture}");
    assert!(picture.contains("o to move: wins in 3 moves (score +8)\nbest: column 5\nline: 5"), "{picture}");
    assert!(picture.contains("scores are for the side to move: + it wins"), "{picture}");
}

#[test]
fn a_full_board_is_a_draw() {
    // Best play from a drawn position fills the board.
    let output = mnemon(&["solve", "--json", "--all", LATE[2].0]);
    let object: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let full = format!("{}{}", LATE[2].0, object["principal_variation"].as_str().expect("a line"));
    assert_eq!(full.len(), 42);
    assert_eq!(scores(&mnemon(&["solve", &full]).stdout), [(full.clone(), 0)]);
    assert!(mnemon(&["solve", "--all", "--json", &full]).status.success());
}

#[test]
fn a_score_that_is_wrong_or_missing_is_told_with_its_line() {
    let good = fed(&["solve", "--verify"], late_lines().as_bytes());
    assert!(good.status.success());
    assert_eq!(text(&good.stderr), "verified 3 positions: 0 wrong; 0 other errors\n");

    let lines = format!("{}{} 2\n{}\n", late_lines(), LATE[1].0, LATE[1].0);
    let bad = fed(&["solve", "--verify"], lines.as_bytes());
    assert_eq!(bad.status.code(), Some(1));
    let errors: Vec<_> = text(&bad.stderr).lines().collect();
    assert_eq!(errors[0], "mnemon: stdin: line 4: the score is 1 for the side to move, the line says 2");
    assert_eq!(errors[1], "mnemon: stdin: line 5: there is no score to verify after the moves");
    assert_eq!(scores(&bad.stdout).len(), 5, "answered all the same");
    assert!(fed(&["solve"], lines.as_bytes()).status.success(), "only --verify compares");
}

#[test]
fn its_own_answers_can_be_verified() {
    let answers = fed(&["solve", "--all"], late_lines().as_bytes());
    assert!(fed(&["solve", "--verify"], &answers.stdout).status.success());
}

#[test]
fn means_are_given_for_each_file() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(&file, late_lines()).expect("written");
    let path = file.path().to_str().expect("UTF-8");
    let output = mnemon(&["solve", "--bench", "--verify", "--file", path, "--file", path]);
    assert!(output.status.success());
    let table = text(&output.stdout);
    assert_eq!(table.lines().filter(|line| line.starts_with(path)).count(), 2, "{table}");
    assert!(table.contains("K pos/s") && table.contains("The tables are cleared before each position"), "{table}");

    let output = fed(&["solve", "--bench", "--json", "--weak"], late_lines().as_bytes());
    let object: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&object["set"], &object["positions"], &object["weak"]), (&"stdin".into(), &3.into(), &true.into()));
}

#[test]
fn the_public_set_end_easy_verifies() {
    let Some(sets) = sets() else { return };
    let path = sets.join("Test_L3_R1");
    let output = mnemon(&["solve", "--verify", "--file", path.to_str().expect("UTF-8")]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "verified 1000 positions: 0 wrong; 0 other errors\n");
}

//! `mnemon tree` and `memory show`, with real files.

mod binary;
mod memories;

use std::process::Output;

use binary::{command, text};
use memories::{Memory, lines, record, utf8};
use serde_json::{Value, json};

/// What `mnemon tree` does with the memory, on a terminal of this many columns.
fn run(memory: &Memory, columns: u16, arguments: &[&str]) -> Output {
    let all = [&["tree"], arguments, &["--memory", utf8(&memory.path)]].concat();
    command(&all).env("COLUMNS", columns.to_string()).output().expect("the binary runs")
}

/// What it says, with nothing on stderr.
fn says(memory: &Memory, arguments: &[&str]) -> String {
    let output = run(memory, 80, arguments);
    let error = text(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{arguments:?}: {error}");
    text(&output.stdout).to_owned()
}

/// What it complains about, in one line.
fn fails(memory: &Memory, arguments: &[&str], code: i32) -> String {
    let output = run(memory, 80, arguments);
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(code), 1), "{arguments:?}: {error}");
    error.to_owned()
}

fn chess(moves: &str, score: i32, depth: u8) -> Value {
    json!({
        "game": "chess", "position": moves, "source": {"engine": "mnemon", "version": "0.1.0"},
        "lower": score, "lower_depth": depth, "upper": score, "upper_depth": depth,
        "origins": ["search"], "nodes": 7, "time": 1_000_000_000,
    })
}

fn openings() -> Memory {
    let mut start = chess("startpos", 31, 20);
    start["root"] = json!(true);
    start["best_move"] = json!("e4");
    let mut sicilian = chess("e4 c5", 38, 16);
    sicilian["root"] = json!(true);
    sicilian["time"] = json!(1_000_000_500);
    let mut bounded = chess("Nf3", 0, 22);
    bounded["lower"] = json!(-90);
    bounded.as_object_mut().expect("an object").retain(|member, _| !member.starts_with("upper"));
    Memory::own(&lines([
        start,
        chess("e4", -31, 19),
        chess("e4 e5", 33, 18),
        sicilian,
        chess("d4", -24, 15),
        chess("d4 Nf6", 24, 14),
        bounded,
        record("44", 2, 9),
        record("445", -2, 8),
    ]))
}

#[test]
fn the_tree_is_shown_with_the_main_line_first() {
    let memory = openings();
    let shown = says(&memory, &[]);
    assert!(shown.contains("White to move; scores are for White."), "{shown}");
    assert!(shown.contains("Main line 1.e4"), "{shown}");
    let at = |text: &str| shown.find(text).unwrap_or_else(|| panic!("{text} in {shown}"));
    assert!(at("\n1.e4") < at("1...e5") && at("1...e5") < at("\n1.d4"), "{shown}");
    assert!(says(&memory, &["1.e4", "c5"]).starts_with("Sicilian Defence: 1.e4 c5\n"));
    for columns in [40, 60, 80, 200] {
        let output = run(&memory, columns, &["--plies", "6"]);
        let longest = text(&output.stdout).lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(columns.into()), "{columns}: {}", text(&output.stdout));
    }
}

#[test]
fn bounds_narrow_the_tree() {
    let memory = openings();
    let moves = |arguments: &[&str]| {
        let json: Value = serde_json::from_str(&says(&memory, &[arguments, &["--json"]].concat())).expect("JSON");
        json["nodes"]
            .as_array()
            .expect("nodes")
            .iter()
            .map(|node| node["name"].as_str().unwrap_or("").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(moves(&["--plies", "1"]), ["", "1.e4", "1.d4", "1.Nf3"]);
    assert_eq!(moves(&["--plies", "1", "--width", "1"]), ["", "1.e4"]);
    assert_eq!(moves(&["--plies", "1", "--within", "0.05"]), ["", "1.e4", "1.Nf3"], "a bound of +0.90 is not worse");
    assert_eq!(moves(&["--plies", "1", "--source", "mnemon"]), ["", "1.e4", "1.d4", "1.Nf3"]);
    assert_eq!(moves(&["44"]), ["", "5"]);
    assert!(fails(&memory, &["--within", "-1"], 2).contains("not negative"));
    assert!(fails(&memory, &["--within", "much"], 2).contains("--within: \"much\" is no score"));
    assert!(fails(&memory, &["--plies", "0"], 2).contains("--plies"));
    assert!(fails(&memory, &["--width", "0"], 2).contains("--width"));
}

#[test]
fn pictures_are_files_of_our_own() {
    let memory = openings();
    for (option, start) in [("--svg", "<svg "), ("--dot", "// mnemon tree")] {
        let path = memory.beside("tree.picture");
        let _ = std::fs::remove_file(&path);
        assert_eq!(says(&memory, &[option, &path]), format!("written to {path}\n"));
        assert!(std::fs::read_to_string(&path).expect("written").starts_with(start));
        says(&memory, &["e4", option, &path]);
        assert!(says(&memory, &[option, "-"]).starts_with(start));
        std::fs::write(&path, "my thesis").expect("written");
        let error = fails(&memory, &[option, &path], 1);
        assert!(error.contains("nothing was changed") && error.contains("name a new file"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).expect("still there"), "my thesis");
        assert!(fails(&memory, &[option, &memory.beside("no/such/folder.svg")], 1).contains("folder.svg"));
        assert!(fails(&memory, &[option, utf8(&memory.path)], 1).contains("nothing was changed"));
    }
    assert!(fails(&memory, &["--svg", "a", "--json"], 2).contains("--json"));
}

#[test]
fn what_was_analysed_is_listed() {
    let memory = openings();
    let shown = says(&memory, &["--recent"]);
    let at = |text: &str| shown.find(text).unwrap_or_else(|| panic!("{text} in {shown}"));
    assert!(at("Sicilian Defence: 1.e4 c5") < at("startpos"), "the newest first: {shown}");
    let json: Value = serde_json::from_str(&says(&memory, &["--recent", "--limit", "1", "--json"])).expect("JSON");
    let analysed = json["analysed"].as_array().expect("an array");
    assert_eq!((analysed.len(), &analysed[0]["line"]), (1, &json!(["1.e4", "c5"])));
    assert_eq!(analysed[0]["opening"], "Sicilian Defence");
    assert!(says(&memory, &["--recent", "--game", "connect4-7x6"]).contains("Nothing was analysed"));
    assert!(fails(&memory, &["--limit", "3"], 2).contains("--recent"));
}

#[test]
fn without_a_memory_or_a_position_it_says_so() {
    let memory = Memory::new();
    for arguments in [&[][..], &["e4"], &["--recent"], &["--json"]] {
        assert!(fails(&memory, arguments, 1).contains("there is no memory yet"));
    }
    assert!(!memory.path.exists(), "nothing was begun");
    memory.says(&["put", "4", "--score", "1"]);
    memory.says(&["forget", "4", "--yes"]);
    assert!(says(&memory, &[]).contains("Nothing is known of this position"));
    assert!(says(&memory, &["--recent"]).contains("Nothing was analysed"));
    let error = fails(&memory, &["e4", "c5", "Nf9"], 2);
    assert_eq!(error, "mnemon: e4 c5 Nf9: 'Nf9' is no move after 1.e4 c5; did you mean Nf3?\n");
    assert!(fails(&memory, &["hello"], 2).contains("is no position"));
}

#[test]
fn a_wrong_source_is_answered_with_the_sources() {
    let memory = openings();
    let expected = "there is no source 'stockfish'; the sources are: mnemon 0.1.0, tester 1";
    assert!(fails(&memory, &["--source", "stockfish"], 2).contains(expected));
    for command in ["show", "get"] {
        assert!(memory.fails(&[command, "startpos", "--source", "stockfish"], 2).contains(expected));
    }
    memory.says(&["show", "startpos", "--source", "mnemon"]);
}

#[test]
fn positions_are_typed_as_people_do_in_every_command() {
    let memory = openings();
    let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    for words in [&["1.e4", "c5"][..], &["e4", "c5"], &["startpos", "e4", "c5"], &["startpos moves e2e4 c7c5"], &[fen]]
    {
        let shown = memory.says(&[&["show"], words].concat());
        assert!(shown.contains("= +0.38"), "{words:?}: {shown}");
        assert!(memory.says(&[&["get"], words].concat()).contains("= +0.38"), "{words:?}");
        assert!(memory.says(&[&["export", "--from"], words].concat()).contains("\"lower\":38"), "{words:?}");
        let analyze = [&["analyze"], words, &["--depth", "1", "--no-memory"]].concat();
        let output = command(&analyze).output().expect("the binary runs");
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
    }
    let output = command(&["analyze", "e4", "e4"]).output().expect("the binary runs");
    assert!(text(&output.stderr).contains("'e4' cannot be played after 1.e4"), "{}", text(&output.stderr));
}

#[test]
fn moves_that_were_only_bounded_stand_behind_those_that_were_searched() {
    let shown = openings().says(&["show", "startpos"]);
    let moves: Vec<&str> = shown
        .split("\nMoves\n")
        .nth(1)
        .expect("moves")
        .lines()
        .skip(1)
        .take(3)
        .map(|line| line.split_whitespace().next().unwrap_or(""))
        .collect();
    assert_eq!(moves, ["e4", "d4", "Nf3"], "{shown}");
}

#[test]
fn a_value_known_at_both_ends_is_one_number() {
    let mut nearly = chess("startpos", 20, 12);
    (nearly["upper"], nearly["upper_depth"]) = (json!(28), json!(14));
    let shown = Memory::own(&lines([nearly.clone()])).says(&["show", "startpos"]);
    assert!(shown.contains("~ +0.28") && !shown.contains(">="), "{shown}");
    (nearly["upper"], nearly["upper_depth"]) = (json!(20), json!(14));
    let shown = Memory::own(&lines([nearly])).says(&["show", "startpos"]);
    assert!(shown.contains("= +0.20  12 "), "{shown}");
    assert!(shown.contains("over one known position"), "{shown}");
}

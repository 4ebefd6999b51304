//! Whose records are in a memory, whose scores are believed, and how everything of one contributor is taken out again.

mod binary;
mod gui;
mod memories;

use binary::{command, text};
use gui::Gui;
use memories::{Memory, lines, utf8};
use serde_json::{Value, json};

/// The move 1.f3 would win 149.99 pawns: of the engine's own name and version, as a forger would write it.
fn forged() -> String {
    lines([json!({
        "game": "chess", "position": "startpos moves f3",
        "source": {"engine": "mnemon", "version": env!("CARGO_PKG_VERSION")},
        "lower": -14_999, "lower_depth": 120, "upper": -14_999, "upper_depth": 120, "best_move": "e5",
    })])
}

fn analysis(memory: &Memory, arguments: &[&str]) -> Value {
    let all = [&["analyze", "--memory", utf8(&memory.path), "--json", "startpos"], arguments].concat();
    let output = command(&all).output().expect("the binary runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let last = text(&output.stdout).lines().last().map(str::to_owned).expect("a summary");
    serde_json::from_str(&last).expect("JSON")
}

/// The number of records by the text of their source.
fn sources(memory: &Memory) -> Vec<(String, u64)> {
    let stats = memory.says(&["stats"]);
    let rows = stats.lines().skip_while(|line| !line.contains("source")).skip(1);
    let row = |line: &str| {
        let (source, records) = line.trim().rsplit_once("  ").expect("columns");
        let source = source.trim().trim_start_matches("chess").trim().to_owned();
        (source, records.trim().replace(',', "").parse().expect("a number"))
    };
    rows.map(row).collect()
}

/// A memory that has merged the forger's, and knows nothing else.
fn poisoned() -> Memory {
    let forger = Memory::of(&forged());
    let memory = Memory::new();
    let merged = memory.says(&["merge", utf8(&forger.path)]);
    assert!(merged.contains("1 added"), "{merged}");
    memory
}

#[test]
fn a_forged_record_has_no_effect_on_the_move() {
    let memory = poisoned();
    let clean = analysis(&Memory::new(), &["--depth", "7"]);
    let summary = analysis(&memory, &["--depth", "7"]);
    assert_ne!(summary["best"], "f2f3", "{summary}");
    assert!(summary["score"]["cp"].as_i64().is_some_and(|score| score.abs() < 100), "{summary} {clean}");
    let version = env!("CARGO_PKG_VERSION");
    let own: u64 =
        sources(&memory).iter().filter(|(source, _)| *source == format!("mnemon {version}")).map(|row| row.1).sum();
    let all: u64 = sources(&memory).iter().map(|row| row.1).sum();
    assert!(own > 0 && all == own + 1, "{:?}", sources(&memory));
}

#[test]
fn trusted_and_then_forgotten_it_leaves_no_trace() {
    let memory = poisoned();
    analysis(&memory, &["--depth", "6"]);
    let before = memory.says(&["export", "--contributor", "own"]);
    assert!(memory.says(&["trust", "lines.jsonl"]).contains("believed from now on"));
    let summary = analysis(&memory, &["--depth", "7"]);
    assert_eq!(summary["best"], "f2f3", "a contributor who is trusted is believed: {summary}");
    let listed = memory.json(&["contributors"]);
    assert_eq!(listed["contributors"][0]["trusted"], true);
    assert!(listed["contributors"][0]["dependents"].as_u64().is_some_and(|records| records > 0), "{listed}");
    assert!(memory.says(&["stats"]).contains(", believing lines.jsonl"));
    // What rests on him is no longer believed either, before it is forgotten.
    memory.says(&["untrust", "lines.jsonl"]);
    assert_ne!(analysis(&memory, &["--depth", "7", "--learning", "read-only"])["best"], "f2f3");

    let forgotten = memory.says(&["forget", "--contributor", "lines.jsonl", "--yes"]);
    assert!(forgotten.starts_with("1 record of lines.jsonl and "), "{forgotten}");
    assert_eq!(memory.says(&["export", "--contributor", "own"]), before, "what was its own is as it was");
    assert_eq!(memory.says(&["export"]), before);
    assert_eq!(memory.says(&["contributors"]), "everything in this memory is its own\n");
    assert_ne!(analysis(&memory, &["--depth", "7"])["best"], "f2f3");
}

#[test]
fn what_rests_on_a_contributor_can_be_kept() {
    let memory = poisoned();
    let summary = analysis(&memory, &["--depth", "5", "--trust", "lines.jsonl"]);
    assert_eq!(summary["best"], "f2f3", "trusted for one analysis: {summary}");
    assert_ne!(analysis(&memory, &["--depth", "5", "--learning", "read-only"])["best"], "f2f3");
    let count = || sources(&memory).iter().map(|row| row.1).sum::<u64>();
    let before = count();
    memory.says(&["forget", "--contributor", "lines.jsonl", "--keep-dependents", "--yes"]);
    assert_eq!(count(), before - 1);
}

#[test]
fn a_contributor_keeps_his_name_through_further_merges() {
    let (a, b, c) = (Memory::new(), Memory::new(), Memory::new());
    a.says(&["put", "44", "--move", "4"]);
    a.says(&["note", "44", "the centre"]);
    a.says(&["label", "Ada's"]);
    b.says(&["put", "4", "--move", "4"]);
    b.says(&["label", "Bob's"]);
    b.says(&["merge", utf8(&a.path)]);
    c.says(&["merge", utf8(&b.path)]);
    let listed = c.json(&["contributors"]);
    let labels: Vec<&str> =
        listed["contributors"].as_array().expect("a list").iter().filter_map(|row| row["label"].as_str()).collect();
    assert!(labels.len() == 2 && labels.contains(&"Ada's") && labels.contains(&"Bob's"), "{labels:?}");
    assert!(c.says(&["get", "44"]).starts_with("Grace of Ada's (person): "));
    assert!(c.says(&["show", "44"]).contains("Grace of Ada's: the centre\n"));
    assert_eq!(c.json(&["stats", "--contributor", "Ada's"])["records"], 1);
    // Through JSON lines, too.
    let d = Memory::new();
    let file = d.write("c.jsonl", c.says(&["export"]));
    d.says(&["import", &file]);
    let names = |memory: &Memory| memory.json(&["contributors"])["contributors"].as_array().map(Vec::len);
    assert_eq!((names(&d), d.records()), (Some(2), c.records()));
    // What comes back is known.
    assert!(a.says(&["merge", utf8(&c.path)]).contains("1 added, 0 changed, 1 known before"));
    assert_eq!(a.json(&["stats", "--contributor", "own"])["records"], 1);
}

#[test]
fn an_exported_memory_is_believed_as_it_was_and_merged_ones_are_not() {
    let memory = Memory::new();
    analysis(&memory, &["--depth", "8"]);
    let part = Memory::new();
    memory.says(&["export", "--from", "startpos", "--to", utf8(&part.path)]);
    let resumed = analysis(&part, &["--depth", "8"]);
    assert_eq!(resumed["remembered_depth"], 8, "{resumed}");
    let other = Memory::new();
    other.says(&["merge", utf8(&part.path)]);
    assert_eq!(analysis(&other, &["--depth", "1"])["remembered_depth"], Value::Null);
}

#[test]
fn what_is_falsely_said_to_be_ones_own_is_kept_apart() {
    let memory = Memory::new();
    memory.says(&["put", "startpos", "--move", "e4"]);
    let identity = memory.json(&["stats"])["identity"].clone();
    let mut line: Value = serde_json::from_str(&forged()).expect("JSON");
    line["source"]["contributor"] = json!({"identity": identity, "label": "me"});
    memory.import(&lines([line]));
    assert_ne!(analysis(&memory, &["--depth", "6"])["best"], "f2f3");
    let own = memory.says(&["export", "--contributor", "own"]);
    assert!(!own.contains("14999"), "{own}");
}

#[test]
fn mistakes_are_named() {
    let memory = poisoned();
    assert!(memory.fails(&["trust", "nobody"], 2).contains("the contributors are: lines.jsonl"));
    assert!(memory.fails(&["stats", "--contributor", "nobody"], 2).contains("no contributor 'nobody'"));
    assert!(memory.fails(&["forget", "--yes"], 2).contains("name a position"));
    assert!(memory.fails(&["forget", "--contributor", "own", "--yes"], 2).contains("name a position"));
    assert!(memory.fails(&["label", "a\u{7}b"], 1).contains("control characters"));
    assert!(memory.fails(&["note", "startpos"], 2).contains("words"));
    let output = command(&["analyze", "--memory", utf8(&memory.path), "--trust", "nobody", "--depth", "1"]).output();
    let output = output.expect("the binary runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("lines.jsonl"));
}

#[test]
fn advice_is_said_tried_and_contradicted_and_its_score_is_not_used() {
    let memory = Memory::new();
    memory.says(&["put", "startpos", "--move", "f3", "--score", "149.99", "--depth", "proven", "--by", "Ada"]);
    let mut gui = Gui::with_memory(&memory.path);
    let lines = gui.go("startpos", "go depth 8");
    let said: Vec<&String> = lines.iter().filter(|line| line.contains("Ada advises f3")).collect();
    assert_eq!(said.len(), 2, "{lines:?}");
    assert_eq!(said[0], "info string memory: Ada advises f3, +149.99");
    assert!(said[1].starts_with("info string memory: Ada advises f3; the search prefers "), "{}", said[1]);
    assert!(lines.last().is_some_and(|line| !line.starts_with("bestmove f2f3")), "{lines:?}");
    assert!(lines.iter().filter(|line| line.contains(" score ")).all(|line| !line.contains("14999")), "{lines:?}");
}

#[test]
fn a_contributors_score_is_said_and_not_believed() {
    let memory = Memory::new();
    let theirs = json!({
        "game": "chess", "position": "startpos", "source": {"engine": "fish", "version": "9"}, "lower": 900,
        "lower_depth": 40, "upper": 900, "upper_depth": 40, "best_move": "h4",
    });
    memory.import(&lines([theirs]));
    let mut gui = Gui::with_memory(&memory.path);
    let said = gui.go("startpos", "go depth 6");
    let expected = "info string memory: fish 9 of lines.jsonl says h4, +9.00, depth 40; not trusted: only the move is \
                    tried first";
    assert!(said.iter().any(|line| line == expected), "{said:?}");
    assert!(said.iter().all(|line| !line.contains("score cp 900")), "{said:?}");
    gui.send("setoption name Trust value lines.jsonl");
    let said = gui.go("startpos", "go depth 6");
    assert!(said.iter().any(|line| line.contains("depth 40") && line.contains("score cp 900")), "{said:?}");
}

#[test]
fn a_resumed_analysis_shows_whole_lines_and_several_at_once() {
    let memory = Memory::new();
    let moves = |line: &str| line.split(" pv ").nth(1).map_or(0, |pv| pv.split(' ').count());
    let mut gui = Gui::with_memory(&memory.path);
    gui.send("setoption name MultiPV value 3");
    let three = gui.go("startpos", "go depth 9");
    gui.send("setoption name MultiPV value 1");
    gui.send("ucinewgame");
    let one = gui.go("startpos", "go depth 12");
    let longest = one.iter().filter(|line| line.contains(" depth 12 ")).map(|line| moves(line)).max();
    drop(gui.close());

    let mut gui = Gui::with_memory(&memory.path);
    let resumed = gui.go("startpos", "go depth 13");
    let known = resumed.iter().find(|line| line.contains(" nodes 0 ")).expect("what is known");
    assert!(known.contains("depth 12 ") && Some(moves(known)) >= longest.map(|longest| longest.min(12)), "{resumed:?}");
    let next = resumed.iter().rfind(|line| line.contains(" depth 13 ") && line.contains(" pv ")).expect("one deeper");
    assert!(moves(next) >= 6, "not cut off where the memory helped: {next}");
    drop(gui.close());

    let mut gui = Gui::with_memory(&memory.path);
    gui.send("setoption name MultiPV value 3");
    let several = gui.go("startpos", "go depth 1");
    // The last line is said once more before the best move.
    let known: Vec<&String> = several.iter().filter(|line| line.contains(" nodes 0 ")).take(3).collect();
    let depths: Vec<&str> = known.iter().filter_map(|line| gui::word_after(line, "depth")).collect();
    assert_eq!(depths, ["13", "9", "9"], "{several:?}");
    let first = |line: &str| gui::word_after(line, "pv").expect("a line").to_owned();
    let searched = |rank: &str| {
        let line =
            three.iter().rfind(|line| line.contains(" depth 9 ") && gui::word_after(line, "multipv") == Some(rank));
        first(line.expect("three lines"))
    };
    let of_three = ["1", "2", "3"].into_iter().map(searched);
    let others: Vec<String> = of_three.filter(|mv| *mv != first(known[0])).take(2).collect();
    assert_eq!([first(known[1]), first(known[2])], others[..], "{three:?}");
    let shown = memory.says(&["show", "startpos"]);
    assert!(shown.contains(", depth 13\n") && shown.contains(", depth 9\n"), "{shown}");
}

//! Memories that meet: export, import and merge.

mod binary;
mod memories;

use std::process::Stdio;

use binary::{command, fed, text};
use memories::{Memory, lines, many, record, sorted, utf8};
use serde_json::{Value, json};

/// Every record without the origin that importing adds.
fn without_import(records: &[String]) -> Vec<String> {
    let stripped = |line: &String| {
        let mut value: Value = serde_json::from_str(line).expect("JSON");
        value["origins"].as_array_mut().expect("origins").retain(|origin| origin != "import");
        value.to_string()
    };
    let mut records: Vec<String> = records.iter().map(stripped).collect();
    records.sort();
    records
}

/// A memory with records of chess, of Connect Four, of an unknown game, and advice.
fn mixed() -> Memory {
    let memory = Memory::of(&many(1, 400));
    let chess = json!({
        "game": "chess", "position": "startpos moves e4", "source": {"engine": "fish", "version": "1"},
        "lower": -30, "lower_depth": 12, "best_move": "e5", "origins": ["drop", "result"], "time": 9,
    });
    let go = json!({
        "game": "go", "packed": "00ff10", "source": {"engine": "stone \u{1b}", "version": ""}, "best": 361,
        "upper": 3, "upper_depth": 255,
    });
    memory.import(&lines([chess, go]));
    memory.says(&["put", "startpos", "--move", "e4", "--score", "0.3"]);
    memory.says(&["put", "44", "--move", "4", "--by", "Ada \u{7}"]);
    memory
}

#[test]
fn what_is_exported_and_imported_is_the_same() {
    let memory = mixed();
    let file = memory.beside("all.jsonl");
    let count = memory.records().len();
    assert_eq!(memory.says(&["export", "--to", &file]), format!("{count} records written to {file}\n"));
    assert_eq!(sorted(&std::fs::read_to_string(&file).expect("a file")), memory.records());

    let other = Memory::new();
    let said = other.says(&["import", &file]);
    assert_eq!(said, format!("{file}: {count} records: {count} added, 0 changed, 0 known before\n"));
    assert_eq!(without_import(&other.records()), without_import(&memory.records()));
    assert!(other.says(&["import", &file]).contains(&format!(": 0 added, 0 changed, {count} known before")));

    let again = Memory::of(&other.says(&["export"]));
    assert_eq!(again.records(), other.records());
}

#[test]
fn an_import_is_marked_and_advice_is_not() {
    let origins = |line: &String| serde_json::from_str::<Value>(line).expect("JSON")["origins"].clone();
    let records = mixed().records();
    assert!(records.iter().all(|line| {
        let is_advice = line.contains("\"person\"");
        let names = origins(line);
        names.as_array().expect("names").contains(&json!(if is_advice { "advice" } else { "import" }))
            && (!is_advice || names == json!(["advice"]))
    }));
}

#[test]
fn a_wrong_line_is_named_and_what_stands_before_it_is_kept() {
    let good = lines([record("4", 1, 9)]);
    for (bad, why) in [
        ("{\"game\":", "EOF while parsing"),
        ("[]", "invalid"),
        ("nonsense", "expected"),
        (&lines([record("48", 1, 9)]), "there is no column 8"),
        (&good.replace("lower_depth", "lowerdepth"), "unknown field"),
        (&good.replace("\"search\"", "\"se\\u001barch\""), "is no origin"),
        (&good.replace("tester", ""), "a source needs a name"),
        (&good.replace("\"engine\":\"tester\",\"version\":\"1\"", "\"person\":\"Ada\""), "advice is a person's"),
        (&"9".repeat(300_000), "longer than"),
    ] {
        let memory = Memory::new();
        let file = memory.write("bad.jsonl", format!("{good}\n{}\n{good}", bad.trim_end()));
        let error = memory.fails(&["import", &file], 1);
        assert!(error.starts_with(&format!("mnemon: {file}: line 3: ")) && error.contains(why), "{error}");
        assert!(error.contains("1 record before it kept, nothing after it"), "{error}");
        assert!(!error.contains('\u{1b}'), "{error}");
        assert_eq!(memory.records().len(), 1);
    }
}

#[test]
fn files_that_cannot_be_imported_begin_no_memory() {
    let memory = Memory::new();
    let missing = memory.beside("missing.jsonl");
    assert!(memory.fails(&["import", &missing], 1).contains(&missing));
    let other = mixed();
    assert!(memory.fails(&["import", utf8(&other.path)], 1).contains("'mnemon memory merge' takes it"));
    assert!(!memory.path.exists());
}

#[test]
fn stdin_is_imported_too() {
    let memory = Memory::new();
    let output = fed(&["memory", "import", "-", "--memory", utf8(&memory.path)], many(3, 50).as_bytes());
    assert!(text(&output.stdout).starts_with("stdin: 50 records: "), "{}", text(&output.stderr));
    let label =
        |line: &String| line.split_once("\"contributor\"").map(|(_, rest)| rest.contains("\"label\":\"stdin\""));
    let records = memory.records();
    assert!(records.iter().all(|line| label(line) == Some(true)), "{records:?}");
    assert_eq!(records.len(), Memory::of(&many(3, 50)).records().len());
    let output = fed(&["memory", "import", "-", "--memory", utf8(&memory.path)], b"\n\nx\n");
    assert!(text(&output.stderr).starts_with("mnemon: stdin: line 3: "));
}

#[test]
fn two_processes_import_into_one_memory_at_once() {
    let memory = Memory::new();
    let files = [memory.write("a.jsonl", many(1, 3000)), memory.write("b.jsonl", many(2, 3000))];
    let start = |file: &String| {
        let arguments = ["memory", "--memory", utf8(&memory.path), "import", file];
        command(&arguments).stdout(Stdio::null()).spawn().expect("the binary runs")
    };
    let children: Vec<_> = files.iter().map(start).collect();
    for child in children {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let apart = Memory::new();
    for (name, seed) in [("b.jsonl", 2), ("a.jsonl", 1)] {
        let file = apart.write(name, many(seed, 3000));
        apart.says(&["import", &file]);
    }
    assert_eq!(memory.records(), apart.records());
}

#[test]
fn merging_commutes_and_teaches_nothing_twice() {
    let (a, b) = (Memory::of(&many(1, 2000)), Memory::of(&many(2, 2000)));
    a.says(&["put", "44", "--move", "4", "--by", "Ada"]);
    let before = (a.records(), b.records());
    let both = Memory::new();
    both.says(&["merge", utf8(&a.path), utf8(&b.path)]);
    let swapped = Memory::new();
    swapped.says(&["merge", utf8(&b.path)]);
    swapped.says(&["merge", utf8(&a.path)]);
    assert_eq!(both.records(), swapped.records());
    assert_eq!((a.records(), b.records()), before, "others are only read");

    let said = a.says(&["merge", utf8(&b.path)]).replace(',', "");
    assert!(said.contains(&format!("{} records: ", before.1.len())) && !said.contains(" 0 changed"), "{said}");
    assert_eq!(a.records(), both.records());
    assert!(a.says(&["merge", utf8(&b.path)]).contains(": 0 added, 0 changed, "));
}

#[test]
fn a_memory_is_not_merged_into_itself_and_a_missing_one_changes_nothing() {
    let memory = mixed();
    let before = memory.records();
    assert!(memory.fails(&["merge", utf8(&memory.path)], 1).contains("nothing was done"));
    let other = Memory::of(&many(7, 10));
    let missing = memory.beside("missing.mnemon");
    assert!(memory.fails(&["merge", utf8(&other.path), &missing], 1).contains(&missing));
    assert_eq!(memory.records(), before);
    let foreign = memory.write("foreign.mnemon", "no memory");
    assert!(memory.fails(&["merge", &foreign], 1).contains(&foreign));
    assert!(memory.fails(&["merge"], 2).contains("OTHER"));
}

#[test]
fn a_subtree_can_be_exported_and_merged_elsewhere() {
    let positions = ["4", "44", "443", "445", "4453", "7", "71"];
    let memory = Memory::of(&lines(positions.iter().map(|moves| record(moves, 1, 9))));
    let subtree = sorted(&memory.says(&["export", "--from", "44"]));
    let positions: Vec<Value> =
        subtree.iter().map(|line| serde_json::from_str::<Value>(line).expect("JSON")["packed"].clone()).collect();
    assert_eq!(positions.len(), 4, "44, 443, 445 and 4453: {subtree:?}");

    let part = memory.beside("part.mnemon");
    assert_eq!(memory.says(&["export", "--from", "44", "--to", &part]), format!("4 records written to {part}\n"));
    let elsewhere = Memory::of(&lines([record("7", 2, 3)]));
    assert!(elsewhere.says(&["merge", &part]).contains("4 added"));
    assert_eq!(elsewhere.records().len(), 5);
    assert_eq!(sorted(&elsewhere.says(&["export", "--from", "44"])), subtree);
    assert!(memory.fails(&["export", "--to", &part], 1).contains("there already"), "a memory is never overwritten");
    let left: Vec<String> = std::fs::read_dir(memory.folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .filter(|name| name.contains("unfinished"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn games_and_sources_can_be_exported_alone() {
    let memory = mixed();
    let games = |arguments: &[&str]| {
        let lines = memory.says(&[&["export"], arguments].concat());
        lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")).collect::<Vec<_>>()
    };
    assert_eq!(games(&["--game", "chess"]).len(), 2);
    let go = games(&["--game", "go"]);
    assert_eq!((go.len(), &go[0]["packed"], go[0].get("position")), (1, &json!("00ff10"), None));
    let fish = games(&["--source", "fish"]);
    assert_eq!(
        (fish.len(), &fish[0]["position"]),
        (1, &json!("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"))
    );
    assert_eq!((&fish[0]["best_move"], &fish[0]["lower"]), (&json!("e5"), &json!(-30)));
    assert_eq!(games(&["--from", "startpos", "--source", "Grace"]).len(), 1);
    let none = memory.run(&["export", "--game", "tiddlywinks"]);
    assert!(none.status.success() && none.stdout.is_empty());
    assert_eq!(text(&none.stderr), "there is nothing to export\n");
    assert!(memory.fails(&["export", "--from", "nothing"], 2).contains("--from: "));
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let memory = mixed();
    for name in ["below/all.jsonl", "below/all.mnemon"] {
        let file = memory.beside(name);
        assert!(memory.fails(&["export", "--to", &file], 1).contains(&file));
    }
}

#[test]
fn lines_take_the_place_of_lines_but_of_nothing_else() {
    let memory = mixed();
    let file = memory.write("all.jsonl", record("4", 1, 9).to_string());
    memory.says(&["export", "--to", &file]);
    assert_eq!(sorted(&std::fs::read_to_string(&file).expect("a file")), memory.records());
    // A memory may have any name.
    let copy = memory.beside("copy.db");
    memory.says(&["backup", &copy]);
    assert!(memory.fails(&["export", "--to", &copy], 1).contains("there already"));
    let folder = memory.folder.path().join("folder");
    std::fs::create_dir(&folder).expect("a folder");
    assert!(memory.fails(&["export", "--to", utf8(&folder)], 1).contains("is a directory"));
}

#[test]
fn a_reader_that_goes_away_is_no_mistake() {
    let memory = Memory::of(&many(1, 5000));
    let mut child = command(&["memory", "export", "--memory", utf8(&memory.path)]).spawn().expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
}

//! Files of other programs: games, analyses, evaluations of lichess and opening books come in and go out.

mod binary;
mod memories;

use binary::fed;
use memories::{Memory, utf8};
use mnemon_chess::Position;
use mnemon_search::Notation;
use serde_json::{Value, json};

/// The records and annotations of the memory as objects.
fn objects(memory: &Memory) -> Vec<Value> {
    memory.says(&["export"]).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The objects of the position after these moves, those with this field.
fn at(memory: &Memory, moves: &str, field: &str) -> Vec<Value> {
    let position = Position::read(&format!("startpos moves {moves}")).expect("a line").to_string();
    let board = |text: &str| text.split(' ').take(4).collect::<Vec<_>>().join(" ");
    let is_there = |object: &Value| {
        let known = object["position"].as_str();
        known.is_some_and(|known| board(known) == board(&position)) && !object[field].is_null()
    };
    objects(memory).into_iter().filter(is_there).collect()
}

/// The one object of a position with this field.
fn one(memory: &Memory, moves: &str, field: &str) -> Value {
    let mut found = at(memory, moves, field);
    assert_eq!(found.len(), 1, "{moves} {field}: {found:?}");
    found.remove(0)
}

/// Score, depth and best move of the one record of a position.
fn evaluation(memory: &Memory, moves: &str) -> (i64, i64, String) {
    let record = one(memory, moves, "lower");
    assert_eq!(record["lower"], record["upper"], "{record}");
    let best = record["best_move"].as_str().unwrap_or("-").to_owned();
    (record["lower"].as_i64().expect("a score"), record["lower_depth"].as_i64().expect("a depth"), best)
}

/// Every record without what is a file's affair: contributors, and marks of importing.
fn contents(memory: &Memory) -> Vec<String> {
    let strip = |mut object: Value| {
        object["source"].as_object_mut().expect("a source").remove("contributor");
        if let Some(origins) = object["origins"].as_array_mut() {
            origins.retain(|origin| origin != "import" && origin != "search");
        }
        object.to_string()
    };
    let mut all: Vec<String> = objects(memory).into_iter().map(strip).collect();
    all.sort();
    all
}

const GAMES: &str = "[White \"Fish 1.0\"]\n[Black \"?\"]\n[Date \"2023.01.05\"]\n[Annotator \"Ada\"]\n\n\
    {the start} 1. e4 { [%eval 0.30,24] } { [%clk 0:03:00] best by test } 1... c5 { -0.10/12 0.5s } \
    (1... e5 $5 { [%eval 25,18] open } 2. Nf3 { [%eval #3] }) 2. Nf3 { +0.20/14 1s } 2... d6 {[%eval 0.25]} *\n";

#[test]
fn games_bring_evaluations_notes_and_moves() {
    let memory = Memory::new();
    let file = memory.write("games.pgn", GAMES);
    let said = memory.says(&["import", &file]);
    assert!(said.starts_with(&format!("{file}: ")) && said.contains("3 notes"), "{said}");
    // In White's view, of the position after the move, and with the depth; the note has no command in it.
    let after_e4 = at(&memory, "e4", "lower");
    let by_file = after_e4.iter().find(|record| record["lower_depth"] == 24).expect("of the file");
    assert_eq!((&by_file["lower"], &by_file["source"]["file"]), (&json!(-30), &json!("games.pgn")));
    assert_eq!(by_file["source"]["contributor"]["label"], "games.pgn");
    assert_eq!(by_file["time"], 1_672_876_800, "the day of the game");
    let note = one(&memory, "e4", "note");
    assert_eq!((&note["note"]["text"], &note["source"]["person"]), (&json!("best by test"), &json!("Ada")));
    assert_eq!(one(&memory, "", "note")["note"]["text"], "the start");
    // In the mover's view, of the position before the move: by the engine that moves, or by the file if it has no name.
    assert_eq!(evaluation(&memory, "e4 c5"), (20, 14, "Nf3".to_owned()));
    let fish = one(&memory, "e4 c5", "lower");
    assert_eq!((&fish["source"]["engine"], &fish["source"]["version"]), (&json!("Fish"), &json!("1.0")));
    // In centipawns, with a move that is as good; a mate; the end of a line.
    assert_eq!(evaluation(&memory, "e4 e5"), (25, 18, "Nf3".to_owned()));
    assert_eq!(evaluation(&memory, "e4 e5 Nf3").0, -15_994);
    assert_eq!(evaluation(&memory, "e4 c5 Nf3 d6"), (25, 0, "-".to_owned()));
    // What was played is a link, a variation only an import.
    assert_eq!(one(&memory, "e4 c5 Nf3", "best_move")["origins"], json!(["import", "game"]));
    assert_eq!(one(&memory, "e4 e5", "lower")["origins"], json!(["import"]));
    let before = memory.records();
    assert!(memory.says(&["import", &file]).contains(" 0 added, 0 changed"));
    assert_eq!(memory.records(), before, "importing again does no harm");
}

#[test]
fn a_tree_goes_out_and_comes_in_again() {
    let memory = Memory::new();
    let games = memory.write(
        "games.pgn",
        "[Annotator \"Ada\"]\n\n{[%eval 0.30,24] the start} 1. e4 {[%eval 0.30,23]} (1. d4 {[%eval 0.20,20]} d5 {[%eval 0.20,19]} \
         2. Nf3 {[%eval 0.1,9]}) (1. Nf3 {[%eval 0.15,20] flexible} 1... d5 {[%eval 0.15,18]} 2. d4 {[%eval 0.1,9]}) 1... c5 {[%eval 0.30,22] sharp} *\n",
    );
    memory.says(&["import", &games]);
    let tree = memory.beside("tree.pgn");
    let said = memory.says(&["export", "--from", "startpos", "--to", &tree]);
    assert!(said.starts_with("8 positions written to "), "{said}");
    let text = std::fs::read_to_string(&tree).expect("a file");
    assert!(text.contains("{Transposition: 1.d4 d5 2.Nf3}") || text.contains("{[%eval 0.10,9]}"), "{text}");
    assert!(text.contains("1. e4 {[%eval 0.30,23]} (1. d4"), "{text}");
    let other = Memory::new();
    let copy = other.write("games.pgn", &text);
    other.says(&["import", &copy]);
    assert_eq!(contents(&other), contents(&memory));
    // Its own file is replaced, another one is not.
    assert!(memory.says(&["export", "--to", &tree, "--width", "1"]).contains("there are more"));
    let error = memory.fails(&["export", "--to", &games], 1);
    assert!(error.contains("not an exported tree: nothing was changed"), "{error}");
    let below = memory.says(&["export", "--format", "pgn", "--from", "startpos", "moves", "e4"]);
    assert!(below.ends_with("\n\n1. e4 {[%eval 0.30,23]} 1... c5 {[%eval 0.30,22] sharp} *\n\n"), "{below}");
}

#[test]
fn what_is_broken_is_named_and_the_rest_is_read_if_wanted() {
    let good = "{\"fen\":\"8/8/4k3/8/8/4K3/4P3/8 w - -\",\"evals\":[{\"pvs\":[{\"cp\":90,\"line\":\"e3e4\"}],\"knodes\":2,\"depth\":30}]}";
    let epd = "8/8/4k3/8/8/4K3/4P3/8 w - - bm Ke4; ce 90; acd 30;";
    for (name, text, line, why) in [
        ("x.jsonl", format!("{good}\n{}\n{good}", good.replace("e3e4", "e3e6")), 2, "e3e6 is not legal"),
        ("x.jsonl", format!("{good}\n{}\n{good}", good.replace("\"cp\":90,", "")), 2, "one of \"cp\" and \"mate\""),
        ("x.jsonl", format!("{good}\n{{\"fen\":\n{good}"), 2, "EOF while parsing"),
        ("x.epd", format!("{epd}\n\n{epd} pv Ke9;\n{epd}"), 3, "pv: "),
        ("x.epd", format!("{epd}\n{}\n{epd}", epd.replace("ce 90", "ce many")), 2, "ce: \"many\" is no number"),
        ("x.pgn", "1. e4 *\n\n1. d4\nKe3 *\n\n1. c4 e5 *\n".to_owned(), 4, "game 2: move 1...: "),
        ("x.pgn", "1. e4 *\n\n1. d4 (1. e9) *\n\n1. c4 e5 *\n".to_owned(), 3, "game 2: move 1.: "),
    ] {
        let memory = Memory::new();
        let file = memory.write(name, text);
        let error = memory.fails(&["import", &file], 1);
        assert!(error.starts_with(&format!("mnemon: {file}: line {line}: ")) && error.contains(why), "{error}");
        assert!(error.contains("before it kept, nothing after it"), "{error}");
        let before = memory.records().len();
        let error = memory.fails(&["import", "--keep-going", &file], 1);
        assert!(error.contains(&format!("line {line}: ")) && error.contains("; left out"), "{error}");
        assert!(memory.records().len() > before || name != "x.pgn", "the rest is read");
    }
}

#[test]
fn evaluations_of_lichess_are_read_from_anywhere() {
    let text = "{\"fen\":\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\",\"evals\":[\
        {\"pvs\":[{\"cp\":32,\"line\":\"c7c5 g1f3\"},{\"cp\":35,\"line\":\"e7e5 g1f3\"}],\"knodes\":200,\"depth\":30},\
        {\"pvs\":[{\"cp\":25,\"line\":\"e7e5 g1f3 b8c6\"}],\"knodes\":900,\"depth\":40}]}\n\
        {\"fen\":\"r3k3/8/8/8/8/8/8/4K2R w K -\",\"evals\":[{\"pvs\":[{\"mate\":-7,\"line\":\"e1h1\"}],\"knodes\":1,\"depth\":245}]}\n";
    let memory = Memory::new();
    let plain = memory.write("evals.jsonl", text);
    assert!(memory.says(&["import", &plain]).contains("2 records: 2 added"));
    assert_eq!(evaluation(&memory, "e4"), (-25, 40, "e5".to_owned()));
    let record = one(&memory, "e4", "lower");
    assert_eq!((&record["source"]["engine"], &record["nodes"]), (&json!("lichess cloud"), &json!(900_000)));
    assert_eq!(record["source"]["contributor"]["label"], "evals.jsonl");
    let lines = one(&memory, "e4", "lines");
    assert_eq!(lines["lines"].as_array().expect("sets").len(), 2, "{lines}");
    assert!(memory.records().iter().any(|line| line.contains("\"best_move\":\"O-O\"") && line.contains("-15986")));
    let compressed = zstd::encode_all(text.as_bytes(), 1).expect("compressed");
    for bytes in [text.as_bytes(), &compressed] {
        let other = Memory::new();
        let output = fed(&["memory", "import", "-", "--memory", utf8(&other.path)], bytes);
        assert!(binary::text(&output.stdout).contains("2 records: 2 added"), "{}", binary::text(&output.stderr));
        assert_eq!(contents(&other), contents(&memory));
    }
    let packed = memory.write("evals.jsonl.zst", &compressed);
    assert!(memory.says(&["import", "--format", "lichess", &packed]).contains("2 added"), "another file contributes");
}

#[test]
fn analyses_go_out_as_epd_and_come_in_again() {
    let memory = Memory::new();
    let suite = memory.write(
        "suite.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - acd 24; acn 1200300; bm e4; c0 \"Fish 15.1\"; ce 31; pv e4 e5;\n\
         # a comment\n\
         6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1 bm Ra8#; dm 1; id \"back; rank\"\n\
         8/8/4k3/8/8/4K3/4P3/8 b - - ce -32761; acd 12; c0 \"Fish 15.1\";\n",
    );
    assert!(memory.says(&["import", &suite]).contains("3 records: 3 added, 0 changed, 0 known before; 1 note"));
    memory.says(&["put", "startpos", "--move", "d4", "--by", "Ada"]);
    memory.says(&["note", "startpos", "the \"start\"", "--by", "Ada"]);
    assert_eq!(evaluation(&memory, ""), (31, 24, "e4".to_owned()));
    let out = memory.beside("out.epd");
    assert!(memory.says(&["export", "--to", &out]).starts_with("4 records written to "));
    let text = std::fs::read_to_string(&out).expect("a file");
    for line in [
        "w KQkq - acd 24; acn 1200300; bm e4; c0 \"Fish 15.1\"; ce 31; pv e4 e5;\n",
        "w KQkq - bm d4; c0 \"Ada (person)\"; id \"the 'start'\";\n",
        "w Q - acd 0; bm Ra8#; c0 \"suite.epd (file)\"; ce 32766; dm 1;\n",
        "b - - acd 12; c0 \"Fish 15.1\"; ce -32761;\n",
        "w Q - c0 \"suite.epd (person)\"; id \"back; rank\";\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let other = Memory::new();
    let copy = other.write("suite.epd", &text);
    other.says(&["import", &copy]);
    let but_for = |memory: &Memory| -> Vec<String> {
        // EPD has no times, and no quotes in texts.
        let all = contents(memory).into_iter().map(|line| {
            let mut object: Value = serde_json::from_str(&line).expect("JSON");
            object.as_object_mut().expect("an object").remove("time");
            if let Some(note) = object["note"].as_object_mut() {
                note.remove("time");
            }
            object.to_string().replace("\\\"", "'")
        });
        all.collect()
    };
    assert_eq!(but_for(&other), but_for(&memory));
    assert!(memory.fails(&["export", "--to", &suite], 1).contains("nothing was changed"), "it has no mark of ours");
}

#[test]
fn books_are_walked_and_written() {
    let memory = Memory::new();
    let games = memory.write(
        "games.pgn",
        "{[%eval 0.3,20]} 1. e4 {[%eval 0.3,20]} (1. d4 {[%eval 0.3,20]} d5 {[%eval 0.3,20]}) (1. f3 {[%eval -0.7,20]}) 1... c5 {[%eval 0.3,20]} *",
    );
    memory.says(&["import", &games]);
    let book = memory.beside("book.bin");
    assert!(memory.says(&["export", "--to", &book]).starts_with("6 positions written to "));
    let bytes = std::fs::read(&book).expect("a book");
    let entries: Vec<(u16, u16)> = bytes
        .chunks_exact(16)
        .filter(|entry| entry[..8] == Position::start().polyglot_key().to_be_bytes())
        .map(|entry| (u16::from_be_bytes([entry[8], entry[9]]), u16::from_be_bytes([entry[10], entry[11]])))
        .collect();
    assert_eq!(
        entries.iter().map(|&(_, weight)| weight).collect::<Vec<_>>(),
        [32_768, 32_768, 0],
        "a mistake weighs 0"
    );
    assert!(memory.fails(&["export", "--to", &book], 1).contains("nothing was changed"));
    let other = Memory::new();
    let copy = other.write("book.bin", &bytes);
    assert!(other.says(&["import", &copy]).contains("3 records: 3 added"));
    assert_eq!(one(&other, "e4", "best_move")["best_move"], "c5");
    assert_eq!(one(&other, "d4", "best_move")["source"]["file"], "book.bin");
    let error = other.fails(&["import", &copy, "--from", "startpos", "moves", "a4", "a5"], 1);
    assert!(error.contains("this book does not know the position"), "{error}");
    let wrong = other.write("wrong.bin", b"short");
    assert!(other.fails(&["import", &wrong], 1).contains("no Polyglot book: its size"));
}

#[test]
fn a_repetition_and_a_long_game_are_no_obstacle() {
    let memory = Memory::new();
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(500);
    let file = memory.write("long.pgn", format!("{moves} *\n\n[FEN \"8/8\"]\n\n1. e4 *\n"));
    let error = memory.fails(&["import", &file, "--keep-going"], 1);
    assert!(error.contains("line 3: game 2: its FEN tag"), "{error}");
    assert_eq!(memory.records().len(), 4);
    let tree = memory.says(&["export", "--format", "pgn"]);
    assert!(tree.contains("1. Nf3 Nf6 2. Ng1 Ng8 {Transposition: the start} *"), "{tree}");
}

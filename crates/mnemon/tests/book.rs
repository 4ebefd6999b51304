//! Opening books, which are memories: made, interrupted, gone on with, verified, damaged and used.

mod binary;
mod memories;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use binary::{command, fails, fed, mnemon, text};
use memories::{Memory, lines, utf8};
use serde_json::{Value, json};

/// A root whose positions are solved in no time.
const LATE: &str = "5554224333234511764415115";
/// A root whose book takes long enough to be interrupted.
const EARLIER: &str = "2416615552";

/// A book that is not there yet.
struct Book(Memory);

impl Book {
    fn new() -> Self {
        Book(Memory::new())
    }

    fn word(&self) -> &str {
        utf8(&self.0.path)
    }

    /// Runs `mnemon solve book` on the book; what it prints, and whether it succeeds.
    fn make(&self, options: &[&str]) -> (String, bool) {
        let output = mnemon(&[&["solve", "book", "--out", self.word()], options].concat());
        (format!("{}{}", text(&output.stdout), text(&output.stderr)), output.status.success())
    }

    /// Every record, as JSON.
    fn records(&self) -> Vec<Value> {
        let lines = self.0.records();
        lines.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// What the book says of each position: the position, its score and its best move.
    fn scores(&self) -> BTreeSet<String> {
        let said = |record: Value| format!("{} {} {}", record["position"], record["lower"], record["best_move"]);
        self.records().into_iter().map(said).collect()
    }

    /// Adds a position with this score, as if the solver had proven it.
    fn add(&self, moves: &str, score: i32) {
        self.0.import(&lines([json!({
            "game": "connect4-7x6", "position": moves, "source": {"engine": "mnemon-connect4", "version": "0.1.0"},
            "lower": score, "lower_depth": 255, "upper": score, "upper_depth": 255, "origins": ["search"],
        })]));
        self.0.says(&["trust", "lines.jsonl"]);
    }
}

#[test]
fn a_book_is_made_once_and_verifies() {
    let book = Book::new();
    let (words, fine) = book.make(&["--from", LATE, "--depth", "3", "--verify", "1000"]);
    assert!(fine && words.contains(" 0 known before") && words.contains(" 0 wrong; 0 records damaged"), "{words}");
    let first = book.records();
    for record in &first {
        assert_eq!((&record["game"], &record["source"]["engine"]), (&json!("connect4-7x6"), &json!("mnemon-connect4")));
        assert_eq!((&record["lower"], &record["lower_depth"]), (&record["upper"], &json!(255)), "exact and proven");
        assert_eq!(record["upper_depth"], json!(255));
        assert!(record["best_move"].is_string(), "{record}");
    }
    let (words, fine) = book.make(&["--from", LATE, "--depth", "3"]);
    assert!(fine && words.contains(": 0 solved, 0 by their moves"), "{words}");
    assert_eq!(book.records(), first, "nothing to add");
    let (words, _) = book.make(&["--from", LATE, "--depth", "4"]);
    assert!(!words.contains(" 0 known before") && book.records().len() > first.len(), "{words}");
    let line = |record: Value| format!("{} {}\n", record["position"].as_str().expect("moves"), record["lower"]);
    let positions: String = book.records().into_iter().map(line).collect();
    let output = fed(&["solve", "--verify"], positions.as_bytes());
    assert!(output.status.success(), "a book is a set of positions too: {}", text(&output.stderr));
}

#[test]
fn a_book_is_shown_as_any_memory() {
    let book = Book::new();
    assert!(book.make(&["--from", LATE, "--depth", "1"]).1);
    let shown = book.0.says(&["show", LATE]);
    assert!(shown.contains("proven") && shown.contains("mnemon-connect4 "), "{shown}");
    let moves = book.0.json(&["show", LATE])["moves"].as_array().map(Vec::len);
    let solved: Value = serde_json::from_slice(&mnemon(&["solve", "--all", "--json", LATE]).stdout).expect("JSON");
    let open = solved["columns"].as_array().expect("columns").iter().filter(|score| !score.is_null()).count();
    assert_eq!(moves, Some(open), "every move leads to a position of the book");
    assert_eq!(book.0.json(&["get", LATE])["records"][0]["lower"], solved["score"]);
}

#[test]
fn the_best_move_of_a_record_keeps_its_score() {
    let book = Book::new();
    assert!(book.make(&["--from", LATE, "--depth", "2"]).1);
    for record in book.records() {
        let moves = record["position"].as_str().expect("moves");
        let output = mnemon(&["solve", "--all", "--json", moves]);
        let solved: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let best: usize = record["best_move"].as_str().and_then(|column| column.parse().ok()).expect("a column");
        assert_eq!(solved["columns"][best - 1], record["lower"], "{moves}");
    }
}

#[test]
fn a_book_answers_for_mirror_images_and_every_column() {
    let book = Book::new();
    assert!(book.make(&["--from", LATE, "--depth", "2"]).1);
    let mirror: String = LATE.bytes().map(|digit| char::from(b'1' + b'7' - digit)).collect();
    for moves in [LATE, &mirror] {
        let plain = mnemon(&["solve", "--all", "--json", moves]);
        let booked = mnemon(&["solve", "--all", "--json", "--book", book.word(), moves]);
        let [plain, booked]: [Value; 2] =
            [plain, booked].map(|output| serde_json::from_slice(&output.stdout).expect("JSON"));
        assert_eq!((&plain["columns"], &plain["score"]), (&booked["columns"], &booked["score"]));
        assert_eq!(plain["verdict"], booked["verdict"]);
        assert_eq!(booked["nodes"], 0, "looked up");
        assert_eq!(
            plain["principal_variation"].as_str().map(str::len),
            booked["principal_variation"].as_str().map(str::len)
        );
    }
}

#[test]
fn a_killed_maker_loses_nothing_that_was_written() {
    let book = Book::new();
    let arguments = ["solve", "book", "--from", EARLIER, "--depth", "3", "--out", book.word()];
    let mut child = command(&arguments).spawn().expect("the binary runs");
    let written = || {
        let store = mnemon_memory::open(&book.0.path, mnemon_memory::Access::ReadOnly);
        store.and_then(|store| store.statistics()).map_or(0, |statistics| statistics.records())
    };
    while written() == 0 {
        assert!(child.try_wait().expect("a status").is_none(), "killed before it is done");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("killed");
    child.wait().expect("it ends");
    // As if the kill had interrupted a write to the log.
    let log = PathBuf::from(format!("{}-wal", book.word()));
    let torn = fs::OpenOptions::new().append(true).open(&log).and_then(|mut log| log.write_all(b"241661555"));
    torn.expect("a write-ahead log");

    let before = book.scores();
    assert!(!before.is_empty());
    assert!(book.make(&["--from", EARLIER, "--depth", "1"]).1);
    let after = book.scores();
    assert!(after.is_superset(&before) && after.len() > before.len(), "what was written stays");
    let (words, fine) = book.make(&["--verify", "5"]);
    assert!(fine && words.contains("5 of"), "{words}");
}

/// Changes a bit of what the book says of a position, behind the position itself in the file.
fn damage(book: &Book, moves: &str) {
    let packed = book.0.json(&["get", moves])["packed"].as_str().expect("digits").to_owned();
    let bytes: Vec<u8> =
        (0..packed.len()).step_by(2).map(|at| u8::from_str_radix(&packed[at..at + 2], 16).expect("digits")).collect();
    let mut file = fs::read(&book.0.path).expect("a book");
    let places: Vec<usize> = (0..file.len() - 9).filter(|&at| file[at..].starts_with(&bytes)).collect();
    assert!(!places.is_empty(), "the position is in the file");
    for at in places {
        file[at + 8] ^= 2;
    }
    fs::write(&book.0.path, file).expect("written");
}

#[test]
fn damage_is_found_named_and_mended() {
    let book = Book::new();
    assert!(book.make(&["--from", LATE, "--depth", "2"]).1);
    let whole = book.scores();
    damage(&book, LATE);

    let (words, fine) = book.make(&["--verify", "1000"]);
    let named = format!("1 damaged record in {} was left out", book.word());
    assert!(!fine && words.contains(&named) && words.contains("1 record damaged"), "{words}");
    let output = mnemon(&["solve", "--book", book.word(), LATE]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains(&named), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with(LATE), "answered all the same");

    assert!(book.make(&["--from", LATE, "--depth", "2"]).1, "made again");
    assert_eq!(book.scores(), whole);
    let (words, fine) = book.make(&["--verify", "1000"]);
    assert!(fine && words.contains(" 0 records damaged"), "{words}");
}

#[test]
fn a_wrong_score_with_a_right_check_is_found_by_solving() {
    let book = Book::new();
    assert!(book.make(&["--from", LATE, "--depth", "0"]).1);
    book.add("7422341735647741166133573473242566", 5);
    let (words, fine) = book.make(&["--verify", "2"]);
    assert!(!fine && words.contains("the score is 1 for the side to move, the book says 5"), "{words}");
}

#[test]
fn what_somebody_else_calls_proven_is_not_answered() {
    let book = Book::new();
    assert!(book.make(&["--from", LATE, "--depth", "0"]).1);
    let solved = mnemon(&["solve", LATE]);
    book.add(LATE, 7);
    book.0.says(&["untrust", "lines.jsonl"]);
    let answered = mnemon(&["solve", "--book", book.word(), LATE]);
    let score = |output: &[u8]| text(output).split(' ').nth(1).map(str::to_owned);
    assert_eq!(score(&answered.stdout), score(&solved.stdout));
}

#[test]
fn records_that_contradict_each_other_are_refused() {
    let book = Book::new();
    book.add("1", 1);
    book.add("7", 2);
    let (words, fine) = book.make(&["--from", LATE, "--depth", "0"]);
    assert!(!fine && words.contains("contradict each other: the score is "), "{words}");
    assert!(fails(&["solve", "--book", book.word(), LATE], 1).contains("contradict each other"));
}

#[test]
fn the_empty_board_is_a_dash_or_an_empty_argument() {
    let book = Book::new();
    assert!(book.make(&["--from", LATE, "--depth", "0"]).1);
    // Solving it takes a minute; the book may as well say it.
    book.add("-", 1);
    for moves in ["-", ""] {
        let output = mnemon(&["solve", "--book", book.word(), moves]);
        assert!(text(&output.stdout).starts_with("- 1 0 "), "{moves:?}: {}", text(&output.stdout));
    }
    let output = fed(&["solve", "--book", book.word(), "--verify"], b"- 1\n");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn what_is_no_book_is_refused_and_left_alone() {
    let book = Book::new();
    let word = book.word();
    let outdated =
        "# mnemon connect4 book 1: board 7x6; moves, score for the side to move (+ it wins), CRC-32 of both\n";
    for (contents, why) in [("dear diary\n", "is no book"), (outdated, "make it anew")] {
        fs::write(&book.0.path, contents).expect("written");
        for arguments in [
            &["solve", "book", "--from", LATE, "--depth", "1", "--out", word][..],
            &["solve", "book", "--verify", "1", "--out", word],
            &["solve", "--book", word, LATE],
            &["play", "connect4", "--start", "me", "--book", word],
        ] {
            let error = fails(arguments, 1);
            assert!(error.contains(why) && error.contains(word) && !error.contains("--memory"), "{error}");
        }
        assert_eq!(fs::read_to_string(&book.0.path).expect("still there"), contents);
    }
    let folder = book.0.folder.path().to_str().expect("UTF-8");
    assert!(fails(&["solve", "--book", folder, LATE], 1).contains("is no book"));
    assert!(
        fails(&["solve", "book", "--from", "44444444", "--depth", "1", "--out", word], 1).contains("--from: move 7")
    );
    assert!(fails(&["solve", "--book", "/nonexistent/book", LATE], 1).contains("/nonexistent/book"));
    assert!(fails(&["solve", "book", "--verify", "1", "--out", "/nonexistent/book"], 1).contains("/nonexistent/book"));
    assert!(
        fails(&["solve", "book", "--depth", "0", "--from", LATE, "--out", "/nonexistent/book"], 1).contains("cannot")
    );
    assert!(!PathBuf::from("/nonexistent").exists(), "no folder is made");
}

//! Opening books: made, interrupted, gone on with, verified, damaged and used.

mod binary;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use binary::{command, fails, fed, mnemon, text};
use tempfile::TempDir;

/// A root whose positions are solved in no time.
const LATE: &str = "5554224333234511764415115";
/// A root whose book takes long enough to be interrupted.
const EARLIER: &str = "2416615552";

struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("a.book")
    }

    fn word(&self) -> String {
        self.path().to_str().expect("UTF-8").to_owned()
    }

    /// Runs `mnemon solve book` on the book; its words, and whether it was content.
    fn book(&self, options: &[&str]) -> (String, bool) {
        let output = mnemon(&[&["solve", "book", "--out", &self.word()], options].concat());
        (format!("{}{}", text(&output.stdout), text(&output.stderr)), output.status.success())
    }
}

fn lines(path: &Path) -> Vec<String> {
    fs::read_to_string(path).expect("a book").lines().map(str::to_owned).collect()
}

#[test]
fn a_book_is_made_once_and_verifies() {
    let desk = Desk::new();
    let (words, fine) = desk.book(&["--from", LATE, "--depth", "3", "--verify", "1000"]);
    assert!(fine && words.contains(" 0 known before") && words.contains(" 0 wrong; 0 lines damaged"), "{words}");
    let first = lines(&desk.path());
    assert!(first[0].starts_with("# mnemon connect4 book 1: board 7x6;"));
    let (words, fine) = desk.book(&["--from", LATE, "--depth", "3"]);
    assert!(fine && words.contains(": 0 solved, 0 by their moves"), "{words}");
    assert_eq!(lines(&desk.path()), first, "nothing to add");
    let (words, _) = desk.book(&["--from", LATE, "--depth", "4"]);
    assert!(!words.contains(" 0 known before") && lines(&desk.path()).len() > first.len(), "{words}");
    assert!(
        mnemon(&["solve", "--verify", "--file", &desk.word()]).status.success(),
        "a book is a set of positions too"
    );
}

#[test]
fn a_book_answers_for_mirror_images_and_every_column() {
    let desk = Desk::new();
    assert!(desk.book(&["--from", LATE, "--depth", "2"]).1);
    let mirror: String = LATE.bytes().map(|digit| char::from(b'1' + b'7' - digit)).collect();
    for moves in [LATE, &mirror] {
        let plain = mnemon(&["solve", "--all", "--json", moves]);
        let booked = mnemon(&["solve", "--all", "--json", "--book", &desk.word(), moves]);
        let [plain, booked]: [serde_json::Value; 2] =
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
    let desk = Desk::new();
    let word = desk.word();
    let arguments = ["solve", "book", "--from", EARLIER, "--depth", "3", "--out", &word];
    let mut child = command(&arguments).spawn().expect("the binary runs");
    while fs::metadata(desk.path()).map_or(0, |file| file.len()) < 400 {
        assert!(child.try_wait().expect("asked").is_none(), "killed before it is done");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("killed");
    child.wait().expect("it ends");
    // As if the kill had come in the middle of a line.
    let mut text = fs::read(desk.path()).expect("a book");
    text.extend(b"241661555");
    fs::write(desk.path(), &text).expect("written");
    let written = text.iter().filter(|&&byte| byte == b'\n').count();

    let small = ["--from", EARLIER, "--depth", "1"];
    assert!(desk.book(&small).1);
    let after = fs::read(desk.path()).expect("a book");
    let kept = text.iter().rposition(|&byte| byte == b'\n').expect("a line") + 1;
    assert!(after.starts_with(&text[..kept]) && after.ends_with(b"\n"), "what was written stays");
    assert!(lines(&desk.path()).len() > written);
    let (words, fine) = desk.book(&["--verify", "5"]);
    assert!(fine && words.contains("5 of"), "{words}");
}

#[test]
fn damage_is_found_named_and_mended() {
    let desk = Desk::new();
    assert!(desk.book(&["--from", LATE, "--depth", "2"]).1);
    let whole = lines(&desk.path());
    let mut damaged = whole.clone();
    damaged[2] = damaged[2].replace(' ', " 1");
    fs::write(desk.path(), damaged.join("\n") + "\n").expect("written");

    let (words, fine) = desk.book(&["--verify", "1000"]);
    assert!(!fine && words.contains("line 3: damaged, not used") && words.contains("1 lines damaged"), "{words}");
    let output = mnemon(&["solve", "--book", &desk.word(), LATE]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with(LATE), "answered all the same");

    assert!(desk.book(&["--from", LATE, "--depth", "2"]).1, "made again");
    let (mut mended, mut whole) = (lines(&desk.path()), whole);
    mended.sort();
    whole.sort();
    assert_eq!(mended, whole);
}

#[test]
fn a_wrong_score_with_a_right_check_is_found_by_solving() {
    let desk = Desk::new();
    let wrong = "7422341735647741166133573473242566 5";
    assert!(desk.book(&["--from", LATE, "--depth", "0"]).1);
    let mut book = fs::read_to_string(desk.path()).expect("a book");
    book += &format!("{wrong} {:08x}\n", crc32fast::hash(wrong.as_bytes()));
    fs::write(desk.path(), book).expect("written");
    let (words, fine) = desk.book(&["--verify", "2"]);
    assert!(!fine && words.contains("the score is 1 for the side to move, the book says 5"), "{words}");
}

#[test]
fn the_empty_board_is_a_dash_or_an_empty_argument() {
    let desk = Desk::new();
    assert!(desk.book(&["--from", LATE, "--depth", "0"]).1);
    // Solving it takes a minute; the book may as well say it.
    let mut book = fs::read_to_string(desk.path()).expect("a book");
    book += &format!("- 1 {:08x}\n", crc32fast::hash(b"- 1"));
    fs::write(desk.path(), book).expect("written");
    let word = desk.word();
    for moves in ["-", ""] {
        let output = mnemon(&["solve", "--book", &word, moves]);
        assert!(text(&output.stdout).starts_with("- 1 0 "), "{moves:?}: {}", text(&output.stdout));
    }
    let output = fed(&["solve", "--book", &word, "--verify"], b"- 1\n");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn what_is_no_book_is_refused_and_left_alone() {
    let desk = Desk::new();
    fs::write(desk.path(), "dear diary\n").expect("written");
    let word = desk.word();
    assert!(fails(&["solve", "book", "--from", LATE, "--depth", "1", "--out", &word], 1).contains("is no book"));
    assert!(fails(&["solve", "--book", &word, LATE], 1).contains("is no book"));
    assert_eq!(fs::read_to_string(desk.path()).expect("still there"), "dear diary\n");
    let folder = desk.folder.path().to_str().expect("UTF-8");
    assert!(fails(&["solve", "--book", folder, LATE], 1).contains("is no book"));
    assert!(
        fails(&["solve", "book", "--from", "44444444", "--depth", "1", "--out", &word], 1).contains("--from: move 7")
    );
    assert!(fails(&["solve", "book", "--verify", "1", "--out", "/nonexistent/book"], 1).contains("/nonexistent/book"));
    assert!(
        fails(&["solve", "book", "--depth", "0", "--from", LATE, "--out", "/nonexistent/book"], 1).contains("cannot")
    );
}

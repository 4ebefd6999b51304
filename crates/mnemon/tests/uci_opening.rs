//! A memory that takes long to open, because another process holds the file: every command is answered without it.

mod gui;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gui::Gui;

/// A position whose value does not depend on repetitions.
const NAJDORF: &str = "fen rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
const ENDGAME: &str = "fen 8/2p2pk1/1p1p2p1/p2Pr3/P1P2R2/1P4P1/5PK1/8 w - - 0 35";

/// The lock is waited for up to 600 s: whatever waited for it comes later than this, also on a loaded machine.
const LATEST: Duration = Duration::from_secs(20);

/// An empty file that another connection is about to make a database of: a memory in it cannot be created before that ends.
struct Held {
    holder: rusqlite::Connection,
    file: PathBuf,
    folder: tempfile::TempDir,
}

impl Held {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("learned.mnemon");
        let holder = rusqlite::Connection::open(&file).expect("a database");
        holder.execute_batch("BEGIN IMMEDIATE").expect("the lock");
        Held { holder, file, folder }
    }

    fn engine(&self) -> Gui {
        Gui::with_memory(&self.file)
    }

    fn release(&self) {
        self.holder.execute_batch("ROLLBACK").expect("the lock was held");
    }
}

fn memory_file(file: &Path) -> String {
    format!("setoption name Memory File value {}", file.display())
}

fn is_said(lines: &[String], words: &str) -> bool {
    lines.iter().any(|line| line.starts_with("info string memory: ") && line.contains(words))
}

fn quit(mut gui: Gui) -> Vec<String> {
    let start = Instant::now();
    gui.send("quit");
    let (rest, code) = gui.close();
    assert_eq!(code, Some(0));
    assert!(start.elapsed() < LATEST, "{:?}", start.elapsed());
    rest
}

/// Asks `isready` until the memory has said these words.
fn wait_for(gui: &mut Gui, words: &str) {
    let start = Instant::now();
    while !is_said(&gui.settled(), words) {
        assert!(start.elapsed() < 3 * LATEST, "not said: {words}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn is_known(file: &Path, position: &str) -> bool {
    is_said(&Gui::with_memory(file).go(position, "go depth 1"), "this position known")
}

#[test]
fn no_command_waits_for_it_and_what_was_learned_meanwhile_is_written_afterwards() {
    let held = Held::new();
    let mut gui = held.engine();
    let start = Instant::now();
    assert!(gui.settled().is_empty());
    let lines = gui.go(NAJDORF, "go depth 8");
    assert!(is_said(&lines, "still being opened"), "{lines:#?}");
    for command in ["ucinewgame", "setoption name Hash value 8", "setoption name Forget Memory", "go infinite", "stop"]
    {
        gui.send(command);
        let said = gui.settled();
        assert!(!is_said(&said, " learned, "), "{command}: {said:?}");
    }
    gui.go(ENDGAME, "go depth 8");
    assert!(start.elapsed() < LATEST, "{:?}", start.elapsed());
    held.release();
    wait_for(&mut gui, " learned, ");
    quit(gui);
    assert!(!is_known(&held.file, NAJDORF), "it was forgotten after it was learned");
    assert!(is_known(&held.file, ENDGAME));
}

#[test]
fn quit_says_what_is_not_kept_and_nothing_where_nothing_was_learned() {
    let held = Held::new();
    let mut gui = held.engine();
    gui.settled();
    assert!(!is_said(&quit(gui), ""), "nothing was learned");
    let mut gui = held.engine();
    gui.go(NAJDORF, "go depth 8");
    assert!(is_said(&quit(gui), "is not kept"));
    let mut gui = held.engine();
    gui.send("go infinite");
    gui.settled();
    let rest = quit(gui);
    assert_eq!(rest.iter().filter(|line| line.starts_with("bestmove ")).count(), 1, "{rest:?}");
}

#[test]
fn another_file_can_be_set_meanwhile_and_both_learn() {
    let held = Held::new();
    let other = held.folder.path().join("other.mnemon");
    let mut gui = held.engine();
    gui.go(NAJDORF, "go depth 8");
    gui.send(&memory_file(&other));
    let lines = gui.go(ENDGAME, "go depth 8");
    assert!(!is_said(&lines, "being opened"), "{lines:?}");
    // Back to the first file, which is then opened twice.
    gui.send(&memory_file(&held.file));
    gui.settled();
    gui.send(&memory_file(&other));
    held.release();
    let rest = quit(gui);
    assert!(is_known(&held.file, NAJDORF), "{rest:?}");
    assert!(!is_known(&held.file, ENDGAME));
    assert!(is_known(&other, ENDGAME) && !is_known(&other, NAJDORF));
}

#[test]
fn what_was_learned_is_not_acknowledged_if_the_file_turns_out_to_be_no_memory() {
    let held = Held::new();
    let mut gui = held.engine();
    gui.go(NAJDORF, "go depth 8");
    held.holder.execute_batch("CREATE TABLE recipes(name); COMMIT").expect("another program's database");
    wait_for(&mut gui, "another program's SQLite database); name another file with Memory File; going on without it");
    let mut said = gui.go(NAJDORF, "go depth 4");
    said.extend(quit(gui));
    assert!(!is_said(&said, ""), "{said:#?}");
    let tables: u32 =
        held.holder.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).expect("a count");
    assert_eq!(tables, 1, "not touched");
}

/// The same where another file was set before that was known.
#[test]
fn what_was_learned_into_a_file_that_is_no_longer_set_is_said_to_be_lost() {
    let held = Held::new();
    let mut gui = held.engine();
    gui.go(NAJDORF, "go depth 8");
    gui.send("setoption name Learning value off");
    gui.settled();
    held.holder.execute_batch("CREATE TABLE recipes(name); COMMIT").expect("another program's database");
    wait_for(&mut gui, "another program's SQLite database");
    assert!(!is_said(&quit(gui), " learned, "));
}

//! The engine's memory, through UCI.

mod gui;

use std::time::{Duration, Instant};

use gui::{Gui, exact, number_after};

/// A position whose value does not depend on repetitions.
const NAJDORF: &str = "fen rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6";
/// Two more, for counts that chance decides in one position.
const ORTHODOX: &str = "fen r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10";
const ENDGAME: &str = "fen 8/2p2pk1/1p1p2p1/p2Pr3/P1P2R2/1P4P1/5PK1/8 w - - 0 35";

/// The lock is waited for up to 600 s: whatever waited for it comes later than this, also on a loaded machine.
const LATEST: Duration = Duration::from_secs(20);

fn nodes(lines: &[String]) -> i64 {
    exact(lines).last().and_then(|line| number_after(line, "nodes")).expect("a count")
}

fn is_recalled(lines: &[String]) -> bool {
    lines.iter().any(|line| line.contains(" recalled in "))
}

/// Quits and waits until everything is written.
fn quit(mut gui: Gui) -> Vec<String> {
    gui.send("quit");
    let (rest, code) = gui.close();
    assert_eq!(code, Some(0));
    rest
}

/// Another process holds the memory for minutes: the engine answers and ends all the same, and says what it could not keep.
#[test]
fn another_process_that_holds_the_memory_delays_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("learned.mnemon");
    let mut gui = Gui::with_memory(&file);
    gui.go(NAJDORF, "go depth 8");
    quit(gui);
    let mut gui = Gui::with_memory(&file);
    gui.settled();
    let holder = rusqlite::Connection::open(&file).expect("a database");
    holder.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    gui.go(NAJDORF, "go depth 9");
    let other = format!("setoption name Memory File value {}", folder.path().join("other.mnemon").display());
    let same = format!("setoption name Memory File value {}", file.display());
    for command in [
        "ucinewgame",
        "setoption name Clear Hash",
        "setoption name Hash value 32",
        "go infinite",
        "stop",
        "setoption name Forget Memory",
        &other,
        "setoption name Learning value tree",
        &same,
        "setoption name Threads value 2",
        "setoption name Forget Memory",
    ] {
        let start = Instant::now();
        gui.send(command);
        // Twice: the first does what the command has left to do.
        gui.settled();
        gui.settled();
        assert!(start.elapsed() < LATEST, "{command}: {:?}", start.elapsed());
    }
    let start = Instant::now();
    let rest = quit(gui);
    assert!(start.elapsed() < LATEST, "{:?}", start.elapsed());
    assert!(rest.iter().any(|line| line.contains("another process holds it") && line.contains("not kept")), "{rest:?}");
    drop(holder);
    // What was written before is there.
    assert!(is_recalled(&Gui::with_memory(&file).go(NAJDORF, "go depth 2")));
}

#[test]
fn an_analysis_goes_on_where_an_earlier_process_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("my memory.mnemon");
    let mut gui = Gui::with_memory(&file);
    let cold = gui.go(NAJDORF, "go depth 10");
    assert!(!is_recalled(&cold), "{cold:#?}");
    assert!(quit(gui).iter().any(|line| line.starts_with("info string memory: ") && line.contains(" learned")));

    let mut gui = Gui::with_memory(&file);
    let warm = gui.go(NAJDORF, "go depth 10");
    assert!(warm[0].contains(" recalled in ") && warm[0].contains("known to depth 10"), "{warm:#?}");
    let known = &warm[1];
    assert!(known.starts_with("info depth 10 ") && known.contains(" pv "), "{known}");
    let score = |line: &str| number_after(line, "cp");
    assert_eq!(score(known), score(exact(&cold).last().expect("a line")), "the same score");
    assert!(nodes(&warm) * 20 < nodes(&cold), "{} of {}", nodes(&warm), nodes(&cold));
    assert_eq!(warm.last(), cold.last(), "the same move");
    // And deeper, from there.
    let deeper = gui.go(NAJDORF, "go depth 11");
    let depths: Vec<_> = exact(&deeper).iter().filter_map(|line| number_after(line, "depth")).collect();
    assert!(depths.iter().all(|&depth| depth >= 10) && depths.contains(&11), "{depths:?}");
}

#[test]
fn a_new_game_and_clear_hash_leave_the_memory_alone_and_forget_memory_does_not() {
    let mut gui = Gui::new();
    gui.go(NAJDORF, "go depth 8");
    for button in ["ucinewgame", "setoption name Clear Hash"] {
        gui.send(button);
        assert!(is_recalled(&gui.go(NAJDORF, "go depth 8")), "{button}");
    }
    let said = gui.said("setoption name Forget Memory").join(" ");
    assert!(said.contains("positions forgotten that mnemon ") && !said.contains(" 0 positions"), "{said}");
    assert!(!is_recalled(&gui.go(NAJDORF, "go depth 8")));
}

#[test]
fn learning_off_neither_reads_nor_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("learned.mnemon");
    let mut gui = Gui::with_memory(&file);
    gui.send("setoption name Learning value off");
    gui.go(NAJDORF, "go depth 8");
    quit(gui);
    assert!(!file.exists());
}

#[test]
fn read_only_recalls_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("learned.mnemon");
    let read_only = || {
        let mut gui = Gui::with_memory(&file);
        gui.send("setoption name Learning value read-only");
        gui
    };
    let lines = read_only().go(NAJDORF, "go depth 4");
    assert!(lines[0].contains("there is no memory yet") && !file.exists(), "{lines:?}");
    let mut gui = Gui::with_memory(&file);
    gui.go(NAJDORF, "go depth 8");
    quit(gui);
    let before = std::fs::read(&file).expect("a file");
    let mut gui = read_only();
    assert!(is_recalled(&gui.go(NAJDORF, "go depth 9")));
    quit(gui);
    assert_eq!(std::fs::read(&file).expect("a file"), before);
}

#[test]
fn a_memory_that_cannot_be_opened_is_reported_once_and_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("letter.txt");
    std::fs::write(&file, "Dear Ada, this is no memory at all, and it is long enough to be one.").expect("written");
    let mut gui = Gui::new();
    gui.send(&format!("setoption name Memory File value {}", file.display()));
    let ready = gui.settled().join(" ");
    assert!(ready.contains("no mnemon memory") && ready.contains("going on without it"), "{ready}");
    let lines = gui.go("startpos", "go depth 3");
    assert!(!lines.iter().any(|line| line.contains("info string memory")), "{lines:?}");
    assert!(std::fs::read_to_string(&file).expect("still there").starts_with("Dear Ada"));
    let said = gui.said("setoption name Forget Memory").join(" ");
    assert!(said.contains("there is none"), "{said}");
}

#[test]
fn every_policy_can_be_chosen() {
    for policy in ["rote", "slate", "bebe", "crafty", "resume", "tree"] {
        let mut gui = Gui::new();
        gui.send(&format!("setoption name Learning value {policy}"));
        for _ in 0..2 {
            gui.send("ucinewgame");
            assert!(gui.settled().iter().all(|line| !line.contains("going on without")), "{policy}");
            assert!(gui.go(NAJDORF, "go depth 6").last().is_some_and(|line| line.starts_with("bestmove ")), "{policy}");
        }
    }
}

#[test]
fn the_hash_is_saved_and_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("table.hash");
    let start = || {
        let mut gui = Gui::new();
        gui.send("setoption name Learning value off");
        gui.send("setoption name Hash value 2");
        gui.send(&format!("setoption name Hash File value {}", file.display()));
        gui
    };
    let (mut cold, mut warm) = (0, 0);
    for position in [NAJDORF, ORTHODOX, ENDGAME] {
        let mut gui = start();
        cold += nodes(&gui.go(position, "go depth 9"));
        assert!(gui.said("setoption name Save Hash").join(" ").contains("hash saved to"));
        quit(gui);
        let mut gui = start();
        assert!(gui.said("setoption name Load Hash").join(" ").contains("hash of 2 MB loaded from"));
        warm += nodes(&gui.go(position, "go depth 9"));
    }
    assert!(warm < cold, "{warm} of {cold}");
    let mut gui = start();
    std::fs::write(&file, "no table").expect("written");
    assert!(gui.said("setoption name Load Hash").join(" ").contains("not loaded"));
    gui.send("setoption name Hash File value <empty>");
    assert!(gui.said("setoption name Save Hash").join(" ").contains("set Hash File first"));
}

/// An open file cannot be deleted on Windows.
#[cfg(unix)]
#[test]
fn nothing_is_said_to_be_learned_after_the_file_is_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("learned.mnemon");
    let mut gui = Gui::with_memory(&file);
    gui.go(NAJDORF, "go depth 6");
    // Everything that was kept while the file was there is said first.
    let is_kept = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        gui.settled().iter().any(|line| line.contains(" learned, "))
    });
    assert!(is_kept, "the first search is kept");
    std::fs::remove_file(&file).expect("a file");
    let mut said = gui.go(ORTHODOX, "go depth 8");
    said.extend(quit(gui));
    let is_said = |words: &str| said.iter().any(|line| line.starts_with("info string") && line.contains(words));
    assert!(is_said("replaced or deleted") && is_said(&file.display().to_string()), "{said:#?}");
    assert!(!is_said(" learned, "), "{said:#?}");
    assert!(!file.exists());
}

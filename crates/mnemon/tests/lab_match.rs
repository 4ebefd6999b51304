//! Matches and suites as a user runs them.

mod binary;

use std::fs;
#[cfg(unix)]
use std::path::Path;

use binary::{fails, mnemon, text};

/// The output of a match.
fn play_match(arguments: &[&str]) -> String {
    let mut all = vec!["lab", "match"];
    all.extend(arguments);
    let output = mnemon(&all);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

fn this_program() -> String {
    format!("{} uci", env!("CARGO_BIN_EXE_mnemon"))
}

/// The two numbers of a line of the summary, the first engine's and the second's.
fn both(said: &str, line: &str) -> [u32; 2] {
    let line = said.lines().find_map(|other| other.strip_prefix(line)).expect("a line of the summary");
    let numbers: Vec<u32> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    [numbers[0], numbers[1]]
}

#[test]
fn a_tiny_match_with_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let (pgn, book) = (folder.path().join("games.pgn"), folder.path().join("book.epd"));
    fs::write(&book, "4k3/R7/8/8/8/8/8/4K2R w K - 0 1\n").expect("written");
    let (pgn_word, book_word) = (pgn.to_str().expect("UTF-8"), book.to_str().expect("UTF-8"));
    let arguments =
        ["--against", &this_program(), "--games", "2", "--nodes", "500", "--hash", "1", "--openings", book_word];
    let said = play_match(&[&arguments[..], &["--no-adjudication", "--pgn", pgn_word]].concat());
    // White is two rooks up, and mates with either engine.
    assert!(said.contains("1-0, checkmate") && said.contains("+1 =0 -1, 50.0 %"), "{said}");
    for line in ["Time losses:", "Illegal moves:", "Failures:", "Illegal PVs:"] {
        assert_eq!(both(&said, line), [0, 0], "{line} {said}");
    }
    let games = fs::read_to_string(&pgn).expect("games");
    assert_eq!(games.matches("[Result \"1-0\"]").count(), 2, "{games}");
    assert!(games.contains("[White \"mnemon 0.1.0 (1)\"]") && games.contains("[White \"mnemon 0.1.0 (2)\"]"));
    assert!(games.contains("# {"), "a mate is written as one: {games}");
    // Mate is ten moves away, and both engines see it.
    fs::write(&book, "8/8/8/4k3/8/8/8/KQ6 w - - 0 1\n").expect("written");
    let adjudicated = play_match(&[&arguments[..], &["--pgn", pgn_word]].concat());
    assert!(adjudicated.contains("adjudicated as won"), "{adjudicated}");
    assert_eq!(fs::read_to_string(&pgn).expect("games").matches("[Event ").count(), 4, "games are appended");
}

#[test]
fn random_openings_and_concurrent_games() {
    let arguments = ["--games", "4", "--nodes", "50", "--hash", "1", "--concurrency", "2", "--time", "1"];
    let engine = this_program();
    let both = [&["--against", &engine][..], &arguments].concat();
    assert!(fails(&[&["lab", "match"], &both[..]].concat(), 2).contains("cannot be used with"));
    let said = play_match(&both[..both.len() - 2]);
    assert!(said.contains("4 games, 50 nodes a move, 1 MiB, 2 openings") && said.contains("\n4/4: "), "{said}");
}

#[test]
fn engines_that_cannot_be_used_are_errors() {
    let error = fails(&["lab", "match", "--against", "/nowhere/engine"], 1);
    assert!(error.contains("cannot start the engine '/nowhere/engine'"), "{error}");
    let with = |option: &str| fails(&["lab", "match", "--against", &this_program(), "--option", option], 1);
    assert!(with("Hsah=1").contains("no option 'Hsah'"));
    assert!(with("Hash=many").contains("'many'") && with("Learning=always").contains("one of off"));
    assert!(fails(&["lab", "match", "--against", "x", "--option", "=1"], 2).contains("Hash=64"));
    assert!(fails(&["lab", "match", "--against", ""], 2).contains("command of a UCI engine"));
    assert!(fails(&["lab", "match", "--against", "x", "--time", "fast"], 2).contains("2+0.02"));
    assert!(fails(&["lab", "match"], 2).contains("--against"));
    let book = ["lab", "match", "--against", &this_program(), "--openings", "/nowhere/book.epd"];
    assert!(fails(&book, 1).contains("/nowhere/book.epd"));
}

/// An engine that answers `go` with these shell commands.
#[cfg(unix)]
fn fake(folder: &Path, go: &str) -> String {
    let path = folder.join("fake.sh");
    let script = format!(
        "while read -r line; do case \"$line\" in\nuci) echo id name Fake; echo uciok;;\nisready) echo readyok;;\n\
         go*) {go};;\nquit) exit 0;;\nesac; done\n"
    );
    fs::write(&path, script).expect("written");
    let command = format!("sh \"{}\"", path.display());
    command
}

#[cfg(unix)]
#[test]
fn faults_of_engines_are_counted_and_named() {
    let cases = [
        ("echo bestmove e2e5", "--nodes=100", "Illegal moves:", "illegal move of Fake: e2e5 is not legal here"),
        ("echo 'bestmove (none)'", "--nodes=100", "Illegal moves:", "illegal move of Fake: \"(none)\" is no move"),
        ("sleep 0.4; echo bestmove a7a6", "--time=0.3", "Time losses:", "Fake lost on time"),
        (":", "--time=0.3", "Time losses:", "Fake lost on time, without a move"),
        (":", "--nodes=100", "Failures:", "the engine 'Fake' gave no bestmove within 1.0s"),
        (
            "echo broken >&2; exit 7",
            "--nodes=100",
            "Failures:",
            "has exited (exit status: 7); its last error output: broken",
        ),
    ];
    for (go, pace, line, words) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let command = fake(folder.path(), go);
        let arguments = ["--against", &command, "--games", "2", "--hash", "1", "--patience", "1", pace];
        let said = play_match(&[&arguments[..], &["--own-option", "Move Overhead=0"]].concat());
        assert_eq!(both(&said, line), [0, 2], "{go}: {said}");
        assert!(said.contains(words) && said.contains("+2 =0 -0, 100.0 %"), "{go}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn an_illegal_pv_is_counted_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let book = folder.path().join("book.epd");
    fs::write(&book, "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1\n").expect("written");
    let command = fake(folder.path(), "echo info depth 1 pv g5g7 h8g8; echo bestmove g5g7");
    let book = book.to_str().expect("UTF-8");
    let said = play_match(&["--against", &command, "--engine", &command, "--games=1", "--nodes=1", "--openings", book]);
    assert_eq!(both(&said, "Illegal PVs:"), [1, 0], "{said}");
    assert!(said.contains("Fake (1) - Fake (2) 1-0, checkmate"), "{said}");
}

#[test]
fn a_suite_names_the_positions_that_are_not_solved() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("suite.epd");
    let file = path.to_str().expect("UTF-8");
    let mates =
        "kbK5/pp6/1P6/8/8/8/8/R7 w - - bm Ra6; id \"mate.1\";\n6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra8+; id \"mate.2\";\n";
    fs::write(&path, mates).expect("written");
    let run = |more: &[&str]| {
        let output = mnemon(&[&["lab", "suite", file, "--depth", "6", "--hash", "1"], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).lines().filter(|line| !line.starts_with("Nodes/s")).collect::<Vec<_>>().join("\n")
    };
    let said = run(&[]);
    assert!(said.contains("mate.2: Ra8#, expected anything but Ra8#") && said.contains("Solved:  1 of 2"), "{said}");
    assert_eq!(said, run(&[]), "the same depth gives the same answers");
    assert!(run(&["--positions", "1"]).contains("Solved:  1 of 1"));
    fs::write(&path, format!("{mates}{}", mates.replace("Ra6", "Ra9"))).expect("written");
    assert!(fails(&["lab", "suite", file], 1).contains("line 3: bm: "));
    assert!(fails(&["lab", "suite", "/nowhere/x.epd"], 1).contains("/nowhere/x.epd"));
    assert!(fails(&["lab", "suite", file, "--time", "fast"], 2).contains("200ms"));
}

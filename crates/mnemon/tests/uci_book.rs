//! Book learning through the binary: OwnBook and Book File, ten games, and what `memory show` says of them.

mod binary;
mod gui;

use std::collections::HashSet;
use std::path::Path;

use gui::Gui;
use mnemon_chess::Position;
use mnemon_chess::polyglot::BookWriter;

/// 1.f3 and 1.g4 lose to a mate within four plies, and 1.e4 wins by one within seven.
const FIRST_MOVES: [(&str, u16); 3] = [("f2f3", 45), ("g2g4", 45), ("e2e4", 10)];
const LOST: &[(&str, &str)] = &[("f2f3 e7e5", "g2g4"), ("g2g4 e7e5", "f2f4")];
const WON: &[(&str, &str)] =
    &[("e2e4 e7e5", "f1c4"), ("e2e4 e7e5 f1c4 b8c6", "d1h5"), ("e2e4 e7e5 f1c4 b8c6 d1h5 g8f6", "h5f7")];

fn after(moves: &str) -> Position {
    moves.split_whitespace().fold(Position::start(), |position, mv| position.play_uci(mv).expect("legal"))
}

fn book() -> Vec<u8> {
    let mut writer = BookWriter::new();
    let mut add = |line: &str, mv: &str, weight: u16| {
        let position = after(line);
        writer.add(&position, position.parse_uci(mv).expect("legal"), weight);
    };
    FIRST_MOVES.iter().for_each(|(mv, weight)| add("", mv, *weight));
    LOST.iter().chain(WON).for_each(|(line, mv)| add(line, mv, 1));
    writer.finish()
}

/// An engine that plays from the book, with this memory.
fn player(memory: &Path, book: &Path) -> Gui {
    let mut gui = Gui::with_memory(memory);
    gui.send("setoption name OwnBook value true");
    gui.send(&format!("setoption name Book File value {}", book.display()));
    gui.settled();
    gui
}

/// A game to mate, all of whose moves are the book's and the opponent's; returns the engine's first move.
fn play(gui: &mut Gui) -> String {
    // The book needs none of the time; a tenth of it is for opening the memory.
    let first = gui.best("startpos", "go movetime 20000");
    let replies: &[&str] = match first.as_str() {
        "e2e4" => &["e7e5", "b8c6", "g8f6"],
        _ => &["e7e5", "d8h4"],
    };
    let mut moves = first.clone();
    for reply in replies {
        moves = format!("{moves} {reply}");
        if after(&moves).has_moves() {
            moves = format!("{moves} {}", gui.best(&format!("startpos moves {moves}"), "go movetime 20000"));
        }
    }
    assert!(!after(&moves).has_moves(), "{moves} is mate");
    // As GUIs do, also after a mate of the opponent.
    gui.send(&format!("position startpos moves {moves}"));
    first
}

#[test]
fn over_ten_games_what_lost_is_not_repeated_and_what_won_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let (memory, file) = (folder.path().join("learned.mnemon"), folder.path().join("book.bin"));
    std::fs::write(&file, book()).expect("writable");
    let mut firsts = Vec::new();
    // Five processes of two games each.
    for _ in 0..5 {
        let mut gui = player(&memory, &file);
        for _ in 0..2 {
            firsts.push(play(&mut gui));
            gui.send("ucinewgame");
        }
        gui.send("quit");
        assert_eq!(gui.close().1, Some(0));
    }
    let won = firsts.iter().position(|first| first == "e2e4").expect("the line that wins");
    assert!(won <= 2 && firsts[won..].iter().all(|first| first == "e2e4"), "{firsts:?}: what won is repeated");
    let lost: HashSet<&String> = firsts[..won].iter().collect();
    assert_eq!(lost.len(), won, "{firsts:?}: what lost is not repeated");
    assert_eq!(std::fs::read(&file).expect("a file"), book());
    assert_shown(&memory, 10 - won, &firsts[..won]);
    let said = player(&memory, &file).go("startpos", "go movetime 20000").join("\n");
    let expected = format!("info string book: e2e4 100 % (+3.00 over {} games)\ninfo depth 1 ", 10 - won);
    assert!(said.contains(&expected) && said.ends_with("pv e2e4\nbestmove e2e4"), "{said}");
}

/// What `memory show` says of the first moves.
fn assert_shown(memory: &Path, wins: usize, lost: &[String]) {
    let show = |arguments: &[&str]| {
        let command = [&["memory", "show", "startpos"], arguments].concat();
        let output = binary::command(&command).env("MNEMON_MEMORY", memory).output().expect("the binary runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let shown = show(&[]);
    let has_line = |words: &[&str]| shown.lines().any(|line| line.split_whitespace().eq(words.iter().copied()));
    let wins = wins.to_string();
    assert!(has_line(&["e4", "mnemon:", "+3.00", "over", &wins, "games"]), "{shown}");
    for mv in lost {
        let mv = Position::start().san(Position::start().parse_uci(mv).expect("legal"));
        assert!(has_line(&[&mv, "mnemon:", "-3.00", "over", "1", "game"]), "{shown}");
    }
    assert!(show(&["--json"]).contains(&format!("\"games\":{wins}")));
}

#[test]
fn without_the_option_or_in_an_analysis_the_book_is_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.bin");
    std::fs::write(&file, book()).expect("writable");
    let mut gui = Gui::new();
    let said = gui.said(&format!("setoption name Book File value {}", file.display()));
    assert_eq!(said, [format!("info string book: 8 entries of {}", file.display())]);
    let is_from_book = |gui: &mut Gui, go: &str| gui.go("startpos", go).iter().any(|line| line.contains("book:"));
    assert!(!is_from_book(&mut gui, "go depth 1"));
    assert_eq!(gui.said("setoption name OwnBook value true"), [""; 0]);
    assert!(is_from_book(&mut gui, "go depth 1") && is_from_book(&mut gui, "go wtime 1000 btime 1000"));
    assert!(!is_from_book(&mut gui, "go depth 1 searchmoves a2a3"));
    for (on, off) in [
        ("UCI_AnalyseMode value true", "UCI_AnalyseMode value false"),
        ("MultiPV value 2", "MultiPV value 1"),
        ("OwnBook value false", "OwnBook value true"),
        ("Book File value <empty>", "Book File value <empty>"),
    ] {
        assert!(is_from_book(&mut gui, "go depth 1"));
        gui.said(&format!("setoption name {on}"));
        assert!(!is_from_book(&mut gui, "go depth 1"), "{on}");
        gui.said(&format!("setoption name {off}"));
    }
}

#[test]
fn a_file_that_is_no_book_is_said_to_be_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.bin");
    let mut gui = Gui::new();
    let none = ["info string book: none, since Book File is empty"];
    assert_eq!(gui.said("setoption name OwnBook value true"), none);
    let set = format!("setoption name Book File value {}", file.display());
    let said = gui.said(&set).join("\n");
    assert!(said.starts_with(&format!("info string book: cannot open {}: ", file.display())), "{said}");
    std::fs::write(&file, "no book").expect("writable");
    let problem = "is no Polyglot book: its size, 7 bytes, is no multiple of 16; going on without it";
    assert_eq!(gui.said(&set), [format!("info string book: {} {problem}", file.display())]);
    assert!(gui.best("startpos", "go depth 1").len() >= 4, "the engine plays");
    // Switched on again, the file is tried again.
    std::fs::write(&file, book()).expect("writable");
    gui.said("setoption name OwnBook value false");
    let said = gui.said("setoption name OwnBook value true");
    assert_eq!(said, [format!("info string book: 8 entries of {}", file.display())]);
    assert!(gui.go("startpos", "go depth 1").iter().any(|line| line.starts_with("info string book: ")));
}

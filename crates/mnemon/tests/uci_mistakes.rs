//! Bad input: the engine says what is wrong, keeps its state and goes on.

mod gui;

use gui::{Gui, word_after};

/// The engine's position.
fn fen(gui: &mut Gui) -> String {
    let lines = gui.said("d");
    lines.iter().find_map(|line| line.strip_prefix("Fen: ")).expect("a FEN").to_owned()
}

/// The complaints about a line, in one `info string` or more.
fn complaint(gui: &mut Gui, line: &str) -> String {
    let said = gui.said(line);
    assert!(!said.is_empty() && said.iter().all(|line| line.starts_with("info string ")), "{line}: {said:?}");
    said.join(" ")
}

#[test]
fn an_impossible_position_keeps_the_one_before() {
    let mut gui = Gui::new();
    gui.send("position startpos moves e2e4 e7e5");
    let before = fen(&mut gui);
    for (line, why) in [
        ("position", "startpos"),
        ("position garbage", "garbage"),
        ("position fen", "fields"),
        ("position fen garbage", "fields"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR w kq - 0 1", "king"),
        ("position fen knk5/8/8/8/8/8/8/K7 w - - 0 1", "king"),
        ("position fen 4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawn"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "side to move"),
        ("position fen rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "board"),
        ("position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "check"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - many 1", "halfmove"),
        ("position startpos moves e2e4 e7e5 e4e5", "e4e5"),
        ("position startpos moves e2e4 0000", "0000"),
        ("position startpos moves \u{1b}[31m", "move"),
        ("position startpos e2e4", "moves"),
    ] {
        let said = complaint(&mut gui, line);
        assert!(said.contains(why), "{line}: {said}");
        assert!(!said.contains('\u{1b}'), "{line}");
        assert_eq!(fen(&mut gui), before, "{line}");
    }
    let long_ago = "fen 4k3/8/8/8/8/8/8/R3K3 w - - 99999999999999999999 99999999999999999999";
    assert_ne!(gui.best(long_ago, "go depth 2"), "(none)");
    let nine_queens = "position fen QQQQQQQQ/Q6k/8/8/8/8/8/K7 b - - 0 1";
    let said = gui.said(nine_queens);
    assert!(said.is_empty() || said[0].starts_with("info string position: "), "{said:?}");
    assert_ne!(gui.best("startpos", "go depth 2"), "(none)");
}

#[test]
fn numbers_beyond_any_type_do_no_harm() {
    let mut gui = Gui::new();
    let huge = "9".repeat(400);
    for go in [
        format!("go depth {huge} nodes 500"),
        format!("go nodes {huge} depth 2"),
        format!("go wtime {huge} btime {huge} winc {huge} depth 2"),
        format!("go wtime -{huge} btime -{huge}"),
        format!("go movestogo {huge} wtime 30 btime 30"),
        format!("go movetime -{huge}"),
        format!("go mate {huge} depth 2"),
        "go depth x".to_owned(),
        "go nodes -1".to_owned(),
        "go depth".to_owned(),
        "go wtime btime 20".to_owned(),
        "go depth 2 and what else".to_owned(),
    ] {
        let lines = gui.go("startpos", &go);
        assert!(lines.iter().any(|line| line.starts_with("info string ")), "{go}: {lines:?}");
        assert_ne!(word_after(lines.last().expect("a move"), "bestmove"), Some("(none)"), "{go}");
    }
}

#[test]
fn impossible_options_are_refused() {
    let mut gui = Gui::new();
    for (line, why) in [
        ("setoption", "name"),
        ("setoption name", "no option ''"),
        ("setoption name Skill Level value 3", "no option 'Skill Level'"),
        ("setoption name Hash", "from 1"),
        ("setoption name Hash value -5", "from 1"),
        ("setoption name Hash value 99999999999999999999999999", "from 1"),
        ("setoption name Hash value 33554432", "stays at 64 MB"),
        ("setoption name Threads value 0", "from 1"),
        ("setoption name Learning value everything", "one of off"),
        ("setoption name Ponder value perhaps", "true or false"),
        ("setoption name Load Hash", "not loaded"),
        ("debug perhaps", "'on' or 'off'"),
        ("bench deep", "depth"),
    ] {
        let said = complaint(&mut gui, line);
        assert!(said.contains(why), "{line}: {said}");
    }
    assert_ne!(gui.best("startpos", "go depth 2"), "(none)");
}

#[test]
fn lines_that_are_not_commands_are_skipped() {
    let mut gui = Gui::new();
    assert!(complaint(&mut gui, "xyzzy").contains("'xyzzy'"));
    gui.settled();
    gui.send_bytes(b"position startpos \xff\xfe moves\n");
    assert!(gui.settled().join(" ").contains("not UTF-8"));
    gui.send_bytes(b"\0\0\0\n");
    assert!(gui.settled().join(" ").contains("unknown command"));
    gui.send("joho isready");
    assert_eq!(gui.until("readyok").len(), 2, "UCI: unknown words are skipped");
    assert_ne!(gui.best("startpos", "go depth 2"), "(none)");
}

#[test]
fn a_line_of_100_megabytes_is_read_and_not_held() {
    let mut gui = Gui::new();
    let megabyte = vec![b'x'; 1 << 20];
    gui.send_bytes(b"position startpos moves ");
    for _ in 0..100 {
        gui.send_bytes(&megabyte);
    }
    gui.send_bytes(b"\n");
    assert!(gui.settled().join(" ").contains("a line was skipped: it is longer than 1048576 bytes"));
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string(format!("/proc/{}/status", gui.id())).expect("a process");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        assert!(kilobytes < 90_000, "{kilobytes} kB");
    }
}

#[test]
fn commands_during_a_search_keep_one_answer_for_each_go() {
    let mut gui = Gui::new();
    gui.send("setoption name Learning value off");
    for command in ["go depth 2", "setoption name Hash value 2", "ucinewgame", "setoption name Clear Hash"] {
        gui.send("position startpos");
        gui.send("go infinite");
        gui.until("info depth 2 ");
        gui.send(command);
        gui.until("bestmove");
        if command.starts_with("go") {
            gui.until("bestmove");
        }
        assert!(gui.settled().iter().all(|line| !line.starts_with("bestmove")), "{command}");
    }
    gui.send("go infinite");
    gui.send("position fen garbage");
    gui.send("position startpos moves d2d4");
    gui.send("stop");
    gui.until("bestmove");
}

#[test]
fn the_end_of_input_is_the_end() {
    let mut gui = Gui::new();
    gui.send("position startpos");
    gui.send("go infinite");
    gui.until("info depth 2 ");
    let (rest, code) = gui.close();
    assert_eq!(code, Some(0));
    assert_eq!(rest.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "{rest:?}");
    let mut gui = Gui::new();
    gui.send("go infinite");
    gui.send("quit");
    let (rest, code) = gui.close();
    assert_eq!((rest.iter().filter(|line| line.starts_with("bestmove")).count(), code), (1, Some(0)));
    let mut gui = Gui::new();
    gui.send_bytes(b"isready");
    assert_eq!(gui.close(), (vec!["readyok".to_owned()], Some(0)), "a last line without an end");
}

//! The UCI protocol as GUIs and compliance checkers exercise it.

mod gui;

use gui::{Gui, exact, number_after, word_after};
use mnemon_chess::Position;

const MATE_IN_TWO: &str = "fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

#[test]
fn the_handshake_names_the_engine_and_lists_every_option() {
    let mut gui = Gui::new();
    gui.send("uci");
    let lines = gui.until("uciok");
    assert!(lines[0].starts_with("id name mnemon ") && lines[1].starts_with("id author "), "{lines:?}");
    for option in [
        "Hash type spin default 64 min 1 max 33554432",
        "Threads type spin default 1 min 1",
        "Replacement type combo default aged var aged var always var depth var two-tier var worth",
        "Clear Hash type button",
        "MultiPV type spin default 1 min 1",
        "Ponder type check default false",
        "Move Overhead type spin",
        "UCI_Chess960 type check default false",
        "UCI_ShowWDL type check default false",
        "UCI_AnalyseMode type check default false",
        "OwnBook type check default false",
        "Book File type string default <empty>",
        "SyzygyPath type string default <empty>",
        "Memory File type string default /",
        "Learning type combo default resume var off var read-only",
        "Memory Depth type spin",
        "Recall Budget type spin",
        "Forget Memory type button",
        "Hash File type string default",
        "Save Hash type button",
        "Load Hash type button",
    ] {
        let line = format!("option name {option}");
        assert_eq!(lines.iter().filter(|said| said.starts_with(&line)).count(), 1, "{line}: {lines:#?}");
    }
    assert!(
        lines.iter().all(|line| line.split(' ').next().is_some_and(|word| ["id", "option", "uciok"].contains(&word)))
    );
}

#[test]
fn the_engine_prints_nothing_unasked() {
    let mut gui = Gui::new();
    assert!(gui.is_silent());
    assert_eq!(gui.settled(), [""; 0]);
    assert_eq!(gui.said("ucinewgame"), [""; 0]);
    assert_eq!(gui.said("stop"), [""; 0], "there is nothing to stop");
    assert_eq!(gui.said("ponderhit"), [""; 0]);
    assert_eq!(gui.said("debug on"), [""; 0]);
    assert_eq!(gui.said(""), [""; 0]);
}

#[test]
fn every_kind_of_go_ends_with_one_move_after_an_exact_line() {
    let mut gui = Gui::new();
    for go in [
        "go depth 1",
        "go depth 5",
        "go nodes 1",
        "go nodes 5000",
        "go movetime 30",
        "go movetime 1",
        "go wtime 500 btime 500",
        "go wtime 300 btime 300 winc 10 binc 10",
        "go wtime 500 btime 500 movestogo 1",
        "go wtime 1 btime 1",
        "go wtime 0 btime 0",
        "go wtime -20 btime -20 winc 0 binc 0",
        "go winc 1 binc 1 wtime 50 btime 50 movestogo 40 depth 3 nodes 100",
        "go mate 1 depth 4",
    ] {
        let lines = gui.go("startpos moves e2e4 c7c5", go);
        let [.., last, best] = &lines[..] else { panic!("{go}: {lines:?}") };
        assert!(last.starts_with("info depth") && !last.contains("bound"), "{go}: {last}");
        assert_eq!(word_after(last, "pv"), word_after(best, "bestmove"), "{go}: {lines:?}");
        assert_eq!(gui.settled().iter().filter(|line| line.starts_with("bestmove")).count(), 0, "{go}");
    }
}

#[test]
fn limits_are_kept() {
    let mut gui = Gui::new();
    let lines = gui.go("startpos", "go depth 4");
    assert_eq!(number_after(lines[lines.len() - 2].as_str(), "depth"), Some(4));
    let lines = gui.go("startpos moves g1f3", "go nodes 2000");
    let nodes = number_after(lines[lines.len() - 2].as_str(), "nodes").expect("a count");
    assert!((1000..=2100).contains(&nodes), "{nodes}");
}

#[test]
fn an_info_line_has_every_field_in_its_place() {
    let mut gui = Gui::new();
    let lines = gui.go("startpos", "go depth 6");
    for line in lines.iter().filter(|line| line.starts_with("info depth")) {
        for field in ["depth", "seldepth", "multipv", "cp", "nodes", "nps", "hashfull", "tbhits", "time"] {
            assert!(number_after(line, field).is_some(), "{field}: {line}");
        }
        assert!(number_after(line, "hashfull") <= Some(1000) && line.contains(" pv "), "{line}");
    }
    let depths: Vec<_> = exact(&lines).iter().map(|line| number_after(line, "depth")).collect();
    assert_eq!(depths, [1, 2, 3, 4, 5, 6, 6].map(Some), "each iteration, and the last line again");
}

#[test]
fn a_long_search_shows_signs_of_life() {
    let mut gui = Gui::new();
    gui.send("position startpos");
    gui.send("go infinite");
    let line = loop {
        let line = gui.line();
        if line.contains(" currmove ") {
            break line;
        }
    };
    for field in ["depth", "currmovenumber", "nodes", "nps", "hashfull", "tbhits", "time"] {
        assert!(number_after(&line, field).is_some(), "{field}: {line}");
    }
    assert!(Position::start().parse_uci(word_after(&line, "currmove").expect("a move")).is_ok(), "{line}");
    gui.send("stop");
    gui.until("bestmove");
}

#[test]
fn missing_and_damaged_tablebases_are_reported_and_not_used() {
    let mut gui = Gui::new();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().display().to_string();
    assert!(gui.said("setoption name SyzygyPath value <empty>").join(" ").contains("the path is empty"));
    assert!(gui.said("setoption name SyzygyPath value /not/there").join(" ").contains("/not/there: "));
    let set = format!("setoption name SyzygyPath value {path}");
    assert!(gui.said(&set).join(" ").contains(&format!("there is no table in '{path}'")), "an empty folder");
    // The beginning of a table, as an interrupted download leaves it; then other bytes under its name.
    let table = folder.path().join("KQvK.rtbw");
    for (bytes, said) in [(&b"\x71\xe8\x23\x5d"[..], "its length"), (&[1; 80][..], "it does not begin")] {
        std::fs::write(&table, bytes).expect("written");
        let lines = gui.said(&set).join(" ");
        assert!(lines.contains("KQvK.rtbw is damaged") && lines.contains(said), "{lines}");
    }
    assert_eq!(gui.best("fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1", "go depth 1").len(), 4);
}

#[test]
fn every_line_of_play_is_legal() {
    let mut gui = Gui::new();
    gui.send("setoption name MultiPV value 3");
    let position = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let lines = gui.go(&format!("fen {position}"), "go depth 7");
    for line in lines.iter().filter(|line| line.contains(" pv ")) {
        let (_, moves) = line.split_once(" pv ").expect("moves");
        let start: Position = position.parse().expect("a position");
        moves
            .split(' ')
            .try_fold(start, |position, mv| position.play_uci(mv))
            .unwrap_or_else(|why| panic!("{line}: {why}"));
    }
}

#[test]
fn readiness_is_answered_during_a_search() {
    let mut gui = Gui::new();
    gui.send("position startpos");
    gui.send("go infinite");
    gui.until("info depth 3 ");
    for _ in 0..3 {
        gui.send("isready");
        let lines = gui.until("readyok");
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    }
    gui.send("stop");
    gui.until("bestmove");
}

#[test]
fn an_infinite_search_gives_no_move_before_it_is_stopped() {
    let mut gui = Gui::new();
    // Checkmate: there is nothing to search, and still no bestmove may come before stop.
    gui.send("position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    gui.send("go infinite");
    assert!(gui.is_silent());
    gui.send("stop");
    assert_eq!(gui.until("bestmove").last().map(String::as_str), Some("bestmove (none)"));
    gui.send("position startpos");
    gui.send("go");
    gui.until("info depth 4 ");
    gui.send("stop");
    let lines = gui.until("bestmove");
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "go alone is infinite");
}

#[test]
fn pondering_ends_with_the_hit_or_with_stop() {
    let mut gui = Gui::new();
    // A line from the memory would be mistaken for one of the search.
    gui.send("setoption name Learning value off");
    for end in ["ponderhit", "stop"] {
        gui.send("position startpos moves e2e4 e7e5");
        gui.send("go ponder wtime 1000 btime 1000 depth 2");
        gui.until("info depth 2 ");
        gui.settled();
        assert!(gui.is_silent(), "{end}");
        gui.send(end);
        assert_eq!(gui.until("bestmove").iter().filter(|line| line.starts_with("bestmove")).count(), 1);
    }
    // With time on the clock the search goes on after the hit, and ends by itself.
    gui.send("position startpos moves d2d4");
    gui.send("go ponder wtime 400 btime 400");
    gui.until("info depth 3 ");
    gui.send("ponderhit");
    gui.until("bestmove");
    let lines = gui.go("startpos", "go depth 6");
    assert!(word_after(lines.last().expect("a move"), "ponder").is_some(), "{lines:?}");
}

#[test]
fn several_lines_are_numbered_and_ordered() {
    let mut gui = Gui::new();
    gui.send("setoption name MultiPV value 4");
    let lines = gui.go("startpos", "go depth 5");
    let last: Vec<&str> =
        exact(&lines).into_iter().filter(|line| number_after(line, "depth") == Some(5)).take(4).collect();
    let numbers: Vec<_> = last.iter().map(|line| number_after(line, "multipv")).collect();
    assert_eq!(numbers, [1, 2, 3, 4].map(Some), "{last:?}");
    let scores: Vec<_> = last.iter().map(|line| number_after(line, "cp").expect("a score")).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let mut moves: Vec<_> = last.iter().map(|line| word_after(line, "pv")).collect();
    moves.sort();
    moves.dedup();
    assert_eq!(moves.len(), 4, "{moves:?}");
    // More lines than moves: as many as there are.
    let lines = gui.go("fen 7k/8/8/8/8/8/5q2/7K w - - 0 1", "go depth 3");
    assert!(lines.iter().all(|line| number_after(line, "multipv").is_none_or(|number| number == 1)), "{lines:?}");
}

#[test]
fn searchmoves_limits_the_root_moves() {
    let mut gui = Gui::new();
    assert!(["a2a3", "h2h4"].contains(&gui.best("startpos", "go depth 4 searchmoves a2a3 h2h4").as_str()));
    assert_eq!(gui.best("startpos", "go searchmoves g2g4 depth 3"), "g2g4");
    let lines = gui.go("startpos", "go searchmoves e2e5 depth 2");
    assert!(lines.iter().any(|line| line.starts_with("info string searchmoves: e2e5")), "{lines:?}");
}

#[test]
fn mates_are_found_and_counted_in_moves() {
    let mut gui = Gui::new();
    let lines = gui.go(MATE_IN_TWO, "go mate 2");
    assert_eq!(number_after(&lines[lines.len() - 2], "mate"), Some(2), "{lines:?}");
    assert_eq!(lines.last().and_then(|line| word_after(line, "bestmove")), Some("a1a6"));
    let lines = gui.go("fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go depth 3");
    assert_eq!(number_after(&lines[lines.len() - 2], "mate"), Some(1));
    let lines = gui.go("fen 7k/8/6K1/8/8/8/8/R7 b - - 0 1", "go depth 9");
    assert_eq!(number_after(&lines[lines.len() - 2], "mate"), Some(-1), "{lines:?}");
}

#[test]
fn the_end_of_the_game_has_no_move() {
    let mut gui = Gui::new();
    let mated = gui.go("startpos moves f2f3 e7e5 g2g4 d8h4", "go depth 5");
    assert!(mated[0].starts_with("info depth 0") && mated[0].contains("score mate 0"), "{mated:?}");
    assert_eq!(mated[1], "bestmove (none)");
    let stalemate = gui.go("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go movetime 50");
    assert!(stalemate[0].contains("score cp 0"), "{stalemate:?}");
    // A position drawn by the fifty-move rule or by material still has moves to play.
    assert_ne!(gui.best("fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1", "go depth 3"), "(none)");
    assert_ne!(gui.best("fen 8/8/4k3/8/8/3RK3/8/8 w - - 120 90", "go depth 3"), "(none)");
}

#[test]
fn castling_is_written_by_the_rules_of_uci_chess960() {
    let mut gui = Gui::new();
    let castling = "go depth 2 searchmoves e1h1";
    let position = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(gui.best(position, castling), "e1g1");
    gui.send("setoption name UCI_Chess960 value true");
    assert_eq!(gui.best(position, castling), "e1h1");
    assert_eq!(gui.best("fen 1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1", "go depth 2 searchmoves c1b1"), "c1b1");
    let position = "fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    assert_ne!(gui.best(position, "go depth 4"), "(none)");
    gui.send("setoption name UCI_Chess960 value false");
    assert_eq!(gui.best("startpos moves e2e4 e7e5 g1f3 g8f6 f1c4 f8c5", "go depth 2 searchmoves e1g1"), "e1g1");
    assert_eq!(gui.best("startpos moves e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1", "go depth 2 searchmoves e8h8"), "e8g8");
}

#[test]
fn a_whole_game_against_itself_has_legal_moves_only() {
    let mut gui = Gui::new();
    gui.send("setoption name Learning value off");
    gui.send("ucinewgame");
    let (mut position, mut moves) = (Position::start(), String::new());
    for ply in 0..400 {
        let best = gui.best(&format!("startpos moves{moves}"), "go nodes 3000");
        if best == "(none)" {
            assert!(!position.has_moves(), "{moves}");
            return;
        }
        position = position.play_uci(&best).unwrap_or_else(|error| panic!("ply {ply}, {moves}: {error}"));
        moves += &format!(" {best}");
    }
}

#[test]
fn perft_counts_and_divides() {
    let mut gui = Gui::new();
    gui.send("position startpos");
    gui.send("go perft 3");
    let lines = gui.until("Nodes searched");
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 8902"));
    assert!(lines.contains(&"e2e4: 600".to_owned()), "{lines:?}");
    gui.send("go perft 12");
    gui.send("stop");
    gui.until("info string perft was stopped");
}

#[test]
fn wdl_is_shown_on_demand() {
    let mut gui = Gui::new();
    gui.send("setoption name UCI_ShowWDL value true");
    let lines = gui.go("startpos", "go depth 3");
    let line = exact(&lines).pop().expect("a line");
    let after: Vec<i64> =
        line.split(' ').skip_while(|&word| word != "wdl").skip(1).take(3).flat_map(str::parse).collect();
    assert_eq!((after.len(), after.iter().sum::<i64>()), (3, 1000), "{line}");
}

#[test]
fn people_get_a_board_an_evaluation_and_help() {
    let mut gui = Gui::new();
    gui.send("position startpos moves e2e4");
    let board = gui.said("d");
    assert!(board.iter().any(|line| line == "4  . . . . P . . ."), "{board:#?}");
    assert!(
        board.contains(&"Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".to_owned()),
        "{board:#?}"
    );
    assert!(gui.said("eval")[0].starts_with("Evaluation: "));
    assert!(gui.said("help").iter().any(|line| line.contains("go perft")));
    let bench = |gui: &mut Gui| gui.said("bench 3").into_iter().find(|line| line.starts_with("Nodes searched"));
    assert!(bench(&mut gui).is_some());
    assert_eq!(bench(&mut gui), bench(&mut gui), "the node count repeats");
}

#[test]
fn the_replacement_scheme_is_the_users() {
    let mut gui = Gui::new();
    gui.send("setoption name Learning value off");
    gui.send("setoption name Hash value 1");
    let mut nodes_with = |scheme: &str| {
        gui.send(&format!("setoption name Replacement value {scheme}"));
        gui.send("ucinewgame");
        let lines = gui.go("startpos", "go depth 13");
        number_after(exact(&lines).last().expect("an exact line"), "nodes").expect("a count")
    };
    let nodes = ["aged", "always", "depth", "two-tier", "worth", "aged"].map(&mut nodes_with);
    assert_eq!(nodes[0], nodes[5], "with an empty table the count repeats");
    // No score from here is decisive, so that `worth` is `aged`.
    assert!(nodes[1..4].iter().all(|&count| count != nodes[0]), "{nodes:?}");
    assert!(gui.said("setoption name Replacement value oldest").join(" ").contains("two-tier"));
}

#[test]
fn threads_search_together() {
    let mut gui = Gui::new();
    gui.send("setoption name Threads value 4");
    gui.send("setoption name Hash value 1");
    let lines = gui.go("startpos", "go depth 8");
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")));
}

/// The system refuses memory and threads for most of what is asked: the search goes on with the rest.
#[cfg(target_os = "linux")]
#[test]
fn more_threads_than_the_system_gives_are_said_and_the_search_goes_on() {
    let mut gui = Gui::with_address_space(1 << 20);
    gui.send("setoption name Hash value 16");
    gui.send("setoption name Threads value 1024");
    for _ in 0..2 {
        let lines = gui.go("startpos", "go depth 6");
        assert!(lines.iter().any(|line| line.contains(" of 1024 threads search")), "{lines:#?}");
    }
    assert_eq!(gui.said("setoption name Clear Hash"), [""; 0]);
    assert!(!gui.best("startpos", "go depth 3").is_empty());
    gui.send("quit");
    assert_eq!(gui.close().1, Some(0));
}

/// With thirty queens the captures alone would never end.
#[test]
fn a_board_full_of_queens_is_searched_and_stopped() {
    let mut gui = Gui::new();
    let queens = "fen qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1";
    assert!(!gui.best(queens, "go depth 1").is_empty());
    gui.send("go infinite");
    gui.until("info depth");
    gui.send("stop");
    gui.until("bestmove");
}

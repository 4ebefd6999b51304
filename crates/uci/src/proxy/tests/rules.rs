//! The rules of UCI that bind a proxy, and the traps of engines and GUIs, one by one.

use super::*;

/// What the memory knows of a position, by its own search.
fn known_depth(stage: &Stage, position: &str) -> Option<u8> {
    let Some(crate::Command::Position(command)) = crate::Command::parse(&format!("position {position}")).command else {
        panic!("{position}")
    };
    let game = GameHistory::read(&command, false).expect("a game");
    let reader = Reader { source: mnemon_memory::Source::engine("Fake", "1.0"), trust: Trust::default() };
    let known = Remembered::read(&stage.store, &reader, &game, 1, Remembered::BUDGET).expect("read");
    known.lines().first().map(|line| line.depth)
}

const LINE: &str = "info depth 8 score cp 30 pv e2e4 e7e5";

#[test]
fn each_go_has_one_answer_also_when_the_gui_does_not_wait() {
    let mut stage = Stage::new();
    stage.gui_says(&["position startpos", "go movetime 5", "go movetime 5"]);
    assert_eq!(stage.engine.iter().filter(|line| line.starts_with("go")).count(), 2);
    stage.engine_says(&["bestmove e2e4", "bestmove d2d4", "bestmove c2c4"]);
    assert_eq!(stage.best_moves(), 2, "{:?}", stage.gui);
    for none in ["bestmove (none)", "bestmove 0000", "bestmove NULL"] {
        stage.gui_says(&["go movetime 5"]);
        stage.engine_says(&[none]);
        assert_eq!(stage.gui.last().map(String::as_str), Some(none));
    }
}

#[test]
fn isready_is_forwarded_at_any_time_and_never_answered_for_the_engine() {
    let mut stage = Stage::new();
    stage.gui_says(&["isready", "position startpos", "go infinite", "isready"]);
    assert_eq!(stage.engine, ["isready", "position startpos", "go infinite", "isready"]);
    assert!(stage.gui.is_empty(), "{:?}", stage.gui);
    stage.engine_says(&["readyok", "readyok"]);
    assert_eq!(stage.gui, ["readyok", "readyok"]);
}

#[test]
fn the_engine_gets_what_the_gui_says_and_nothing_else() {
    let mut stage = Stage::new();
    let lines = [
        "debug on",
        "setoption name MultiPV value 2",
        "setoption name Unknown Option value a  b",
        "ucinewgame",
        "isready",
        "position startpos moves e2e4",
        "go infinite",
        "stop",
        "go movetime 3 searchmoves e7e5",
        "stop",
    ];
    stage.gui_says(&lines);
    assert_eq!(stage.engine, lines);
}

#[test]
fn what_follows_a_go_reaches_the_engine_after_it() {
    let mut stage = Stage::new();
    let mut actions = Vec::new();
    for line in ["position startpos", "go infinite", "d", "isready"] {
        stage.proxy.on_gui_line(format!("{line}\n").as_bytes(), Duration::ZERO, &mut |action| actions.push(action));
    }
    let sent: Vec<_> = actions.iter().filter(|action| matches!(action, Action::ToEngine(_))).collect();
    let expected = ["position startpos\n", "go infinite\n", "d\n", "isready\n"];
    assert!(sent.iter().zip(expected).all(|(action, line)| **action == Action::ToEngine(line.into())), "{sent:?}");
}

#[test]
fn a_position_that_the_engine_changed_is_not_learned() {
    for command in ["flip", "bench", "speedtest", "position broken"] {
        let mut stage = Stage::new();
        stage.gui_says(&["position startpos", command, "go depth 8"]);
        stage.engine_says(&[LINE, "bestmove e2e4"]);
        assert_eq!((known_depth(&stage, "startpos"), stage.best_moves()), (None, 1), "{command}");
        stage.gui_says(&["position startpos", "d", "eval", "go depth 8"]);
        stage.engine_says(&[LINE, "bestmove e2e4"]);
        assert_eq!(known_depth(&stage, "startpos"), Some(8), "after {command} and a position");
    }
    // Another game begins at an unknown position, unless it was the first one.
    let mut stage = Stage::new();
    stage.gui_says(&["ucinewgame", "go depth 8"]);
    stage.engine_says(&[LINE, "bestmove e2e4"]);
    assert_eq!(known_depth(&stage, "startpos"), Some(8));
    stage.gui_says(&["position startpos moves e2e4", "ucinewgame", "go depth 8"]);
    stage.engine_says(&["info depth 8 score cp -30 pv e7e5", "bestmove e7e5"]);
    assert_eq!(known_depth(&stage, "startpos moves e2e4"), Some(7), "from the search of the start alone");
}

#[test]
fn a_count_of_moves_has_no_answer_and_the_next_go_has_one() {
    let mut stage = Stage::new();
    stage.gui_says(&["position startpos", "go perft 3"]);
    stage.engine_says(&["a2a3: 380", "Nodes searched: 8902"]);
    stage.gui_says(&["go depth 8"]);
    stage.engine_says(&[LINE, "bestmove e2e4"]);
    assert_eq!((stage.best_moves(), known_depth(&stage, "startpos")), (1, Some(8)));
    stage.gui_says(&["go perft 1"]);
    stage.engine_says(&["bestmove (none)"]);
    assert_eq!(stage.best_moves(), 2, "of an engine that gives one");
}

#[test]
fn a_death_leaves_no_go_without_an_answer() {
    // An answer that is held stays held.
    let mut stage = Stage::learned();
    stage.gui_says(&["go ponder depth 8"]);
    stage.step(&mut |proxy, now, out| proxy.on_engine_exit("gone", now, out));
    assert_eq!((stage.best_moves(), stage.restarts), (0, 1));
    stage.gui_says(&["ponderhit"]);
    assert_eq!(stage.best_moves(), 1);
    // Under infinite it waits for the stop.
    let mut stage = Stage::new();
    stage.gui_says(&["position startpos", "go infinite"]);
    stage.engine_says(&[LINE]);
    stage.step(&mut |proxy, now, out| proxy.on_engine_exit("gone", now, out));
    assert_eq!(stage.best_moves(), 0);
    stage.gui_says(&["stop"]);
    assert_eq!(stage.gui.last().map(String::as_str), Some("bestmove e2e4"));
    // Two that are open get two.
    let mut stage = Stage::new();
    stage.gui_says(&["position startpos", "go movetime 5", "go movetime 5"]);
    stage.step(&mut |proxy, now, out| proxy.on_engine_exit("gone", now, out));
    assert_eq!(stage.best_moves(), 2);
}

#[test]
fn an_engine_that_is_started_again_gets_its_options_before_anything_else() {
    let mut stage = Stage::new();
    stage.gui_says(&["setoption name Hash value 8", "setoption name hash value 16", "position startpos"]);
    stage.step(&mut |proxy, now, out| proxy.on_engine_exit("gone", now, out));
    stage.engine.clear();
    stage.gui_says(&["position startpos moves e2e4", "isready", "go movetime 5"]);
    assert!(stage.engine.is_empty(), "it has not greeted: {:?}", stage.engine);
    stage.engine_says(&["id name Fake 1.0", "info string hello", "uciok"]);
    let expected = [
        "setoption name hash value 16",
        "position startpos",
        "position startpos moves e2e4",
        "isready",
        "go movetime 5",
    ];
    assert_eq!(stage.engine, expected);
    stage.engine_says(&["readyok", "info depth 1 score cp 3 pv e7e5", "bestmove e7e5"]);
    assert_eq!(stage.best_moves(), 1);
}

#[test]
fn an_engine_that_does_not_greet_is_said_and_given_up() {
    let mut stage = Stage::silent(RamStore::new());
    stage.gui_says(&["uci"]);
    let mut at = |seconds| {
        stage.now = Duration::from_secs(seconds);
        stage.step(&mut |proxy, now, out| proxy.on_time(now, out));
        (stage.gui.len(), stage.given_up)
    };
    assert_eq!([at(4), at(6), at(20), at(31)], [(0, false), (1, false), (1, false), (2, true)]);
}

#[test]
fn registration_and_copy_protection_pass_after_uciok() {
    let mut stage = Stage::new();
    let said = ["copyprotection checking", "copyprotection ok", "registration error"];
    stage.engine_says(&said);
    assert_eq!(stage.gui, said);
    stage.gui_says(&["register name A code 1"]);
    assert_eq!(stage.engine, ["register name A code 1"]);
}

#[test]
fn lines_in_any_order_with_blanks_and_carriage_returns_are_understood() {
    let mut stage = Stage::new();
    stage.gui_says(&["position startpos", "go depth 8"]);
    let line = "  info   score cp 30  wdl 200 700 100 multipv 1 nodes 5 depth 8 string? movesleft 9 pv e2e4  e7e5 \r";
    stage.engine_says(&[line, "bestmove e2e4\r"]);
    assert_eq!(known_depth(&stage, "startpos"), Some(8), "{:?}", stage.gui);
    let mut stage = Stage::new();
    stage.gui_says(&["position startpos", "go depth 8"]);
    stage.engine_says(&["info string depth 8 score cp 30 pv e2e4", "bestmove e2e4"]);
    assert_eq!(known_depth(&stage, "startpos"), None, "a message is no line");
}

#[test]
fn an_average_depth_that_falls_does_not_confuse() {
    let mut stage = Stage::new();
    stage.gui_says(&["position startpos", "go infinite"]);
    let line = |depth: u32, score: i32| format!("info depth {depth} score cp {score} pv e2e4 e7e5");
    let lines = [line(7, 10), line(8, 20), line(7, 30), line(8, 40), line(9, 50)];
    stage.engine_says(&lines.each_ref().map(String::as_str));
    assert_eq!(stage.gui.len(), 5, "all of them pass");
    stage.gui_says(&["stop"]);
    stage.engine_says(&["bestmove e2e4"]);
    assert_eq!(known_depth(&stage, "startpos"), Some(8));
}

#[test]
fn a_cut_iteration_is_not_learned_and_its_nodes_count_for_the_finished_one() {
    let mut stage = Stage::new();
    stage.gui_says(&["position startpos", "go nodes 500"]);
    stage.engine_says(&[
        "info depth 7 nodes 200 score cp 10 pv e2e4 e7e5",
        "info depth 8 nodes 500 score cp 90 pv e2e4 c7c5",
        "bestmove e2e4",
    ]);
    assert_eq!(known_depth(&stage, "startpos"), Some(7));
    stage.engine.clear();
    stage.gui_says(&["go nodes 500"]);
    assert!(stage.engine.is_empty(), "so many nodes were searched: {:?}", stage.engine);
    stage.gui_says(&["go nodes 501"]);
    assert_eq!(stage.engine, ["go nodes 501"]);
}

#[test]
fn only_what_is_asked_for_whole_is_answered_from_the_memory() {
    for covered in ["go depth 8", "go depth 3 nodes 99999999", "go nodes 900"] {
        let mut stage = Stage::learned();
        stage.gui_says(&[covered]);
        assert_eq!((stage.engine.len(), stage.best_moves()), (0, 1), "{covered}");
    }
    for open in
        ["go depth 9", "go", "go mate 3", "go depth 3 searchmoves e2e4", "go movetime 1", "go depth 3 wtime 9 btime 9"]
    {
        let mut stage = Stage::learned();
        stage.gui_says(&[open]);
        assert_eq!((stage.engine.as_slice(), stage.best_moves()), (&[open.to_owned()][..], 0), "{open}");
    }
    let mut stage = Stage::learned();
    stage.gui_says(&["setoption name MultiPV value 2", "go depth 8"]);
    assert_eq!(stage.engine.len(), 2, "only one line is known");
    let mut stage = Stage::learned();
    stage.gui_says(&["position startpos moves g1f3 g8f6 f3g1 f6g8", "go depth 8"]);
    assert_eq!(stage.engine.len(), 2, "it stood on the board before");
    let mut stage = Stage::learned();
    stage.gui_says(&["setoption name EvalFile value other.nnue", "go depth 8"]);
    assert_eq!(stage.engine.len(), 2, "another net is another engine");
}

#[test]
fn a_mate_and_the_end_of_the_game() {
    let mut stage = Stage::new();
    let mated = "position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1";
    stage.gui_says(&[mated, "go depth 8"]);
    stage.engine_says(&["info depth 0 score mate 0", "bestmove (none)"]);
    assert_eq!(stage.gui, ["info depth 0 score mate 0", "bestmove (none)"]);
    let mate = "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    stage.gui_says(&[&format!("position {mate}"), "go mate 2"]);
    stage.engine_says(&["info depth 3 score mate 1 pv a1a8", "bestmove a1a8"]);
    stage.engine.clear();
    stage.gui_says(&["go mate 1"]);
    assert!(stage.engine.is_empty(), "a shorter or equal mate is known: {:?}", stage.engine);
}

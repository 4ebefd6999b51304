//! The state machine with a scripted engine and a memory in RAM.

mod rules;

use mnemon_memory::{RamStore, Trust};

use super::*;
use crate::remembered::{Reader, Remembered};

/// A step of the state machine at a time.
type Step<'s> = dyn FnMut(&mut Proxy, Duration, &mut dyn FnMut(Action)) + 's;

struct Stage {
    proxy: Proxy,
    store: RamStore,
    now: Duration,
    gui: Vec<String>,
    engine: Vec<String>,
    restarts: u32,
    given_up: bool,
}

impl Stage {
    fn new() -> Self {
        let mut stage = Stage::silent(RamStore::new());
        stage.engine_says(&["id name Fake 1.0", "option name MultiPV type spin default 1 min 1 max 9", "uciok"]);
        stage.gui.clear();
        stage
    }

    fn silent(store: RamStore) -> Self {
        let mut proxy = Proxy::new("fake", "/m");
        proxy.set_memory(true);
        let now = Duration::ZERO;
        Stage { proxy, store, now, gui: Vec::new(), engine: Vec::new(), restarts: 0, given_up: false }
    }

    fn step(&mut self, step: &mut Step<'_>) {
        let mut actions = Vec::new();
        step(&mut self.proxy, self.now, &mut |action| actions.push(action));
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text").trim_end().to_owned();
        for action in actions {
            match action {
                Action::ToGui(bytes) => self.gui.push(text(bytes)),
                Action::ToEngine(bytes) => self.engine.push(text(bytes)),
                Action::Learn(findings) => _ = findings.write_to(&self.store).expect("written"),
                Action::OpenMemory(_) => {}
                Action::Restart => self.restarts += 1,
                Action::GiveUp(_) => self.given_up = true,
                Action::LookUp(question) => {
                    let reader = Reader { source: question.source, trust: Trust::default() };
                    let (game, multipv) = (question.game, question.multipv);
                    let known =
                        Remembered::read(&self.store, &reader, &game, multipv, Remembered::BUDGET).expect("read");
                    self.step(&mut |proxy, now, out| proxy.on_remembered(question.number, Some(&known), &[], now, out));
                }
            }
        }
    }

    fn gui_says(&mut self, lines: &[&str]) {
        for line in lines {
            self.step(&mut |proxy, now, out| proxy.on_gui_line(format!("{line}\n").as_bytes(), now, out));
        }
    }

    fn engine_says(&mut self, lines: &[&str]) {
        for line in lines {
            self.step(&mut |proxy, now, out| proxy.on_engine_line(format!("{line}\n").as_bytes(), now, out));
        }
    }

    fn best_moves(&self) -> usize {
        self.gui.iter().filter(|line| line.starts_with("bestmove")).count()
    }

    /// A search to depth 8 that is learned.
    fn learned() -> Self {
        let mut stage = Stage::new();
        stage.gui_says(&["position startpos", "go depth 8"]);
        stage.engine_says(&["info depth 8 nodes 900 score cp 30 pv e2e4 e7e5 g1f3", "bestmove e2e4 ponder e7e5"]);
        stage.gui.clear();
        stage.engine.clear();
        stage
    }
}

#[test]
fn unknown_lines_pass_both_ways_as_they_came() {
    let mut stage = Stage::new();
    let lines = ["xyzzy  a", "d", "register later", "debug on", "bench"];
    stage.gui_says(&lines);
    assert_eq!(stage.engine, lines);
    let said = ["  info  string a  b", "registration checking", "bestmove e2e4", "", "info depth 3 currmove a2a3"];
    stage.engine_says(&said);
    assert_eq!(stage.gui, said);
}

#[test]
fn own_options_stand_before_uciok_and_never_reach_the_engine() {
    let mut stage = Stage::silent(RamStore::new());
    stage.engine_says(&["option name mnemon show type check default false", "uciok"]);
    assert_eq!(stage.gui.last().map(String::as_str), Some("uciok"));
    assert_eq!(stage.gui.iter().filter(|line| line.contains("Mnemon")).count(), 3, "the engine's own stands");
    stage.gui_says(&["setoption name mnemon learning value off", "setoption name Mnemon Show value true"]);
    assert_eq!(stage.engine, ["setoption name Mnemon Show value true"]);
    assert_eq!(stage.proxy.settings().learning, Learning::Off);
    stage.gui_says(&["setoption name Mnemon Learning value sometimes"]);
    assert!(stage.gui.last().expect("said").contains("must be one of"));
}

#[test]
fn a_covered_go_is_answered_at_once_and_a_deeper_one_searched() {
    let mut stage = Stage::learned();
    stage.gui_says(&["go depth 8"]);
    assert!(stage.engine.is_empty());
    assert!(stage.gui[0].starts_with("info string memory:"), "{:?}", stage.gui);
    assert!(
        stage.gui[1].ends_with("pv e2e4 e7e5 g1f3") && stage.gui[1].starts_with("info depth 8 multipv 1 score cp 30")
    );
    assert_eq!(stage.gui[2], "bestmove e2e4 ponder e7e5");
    stage.gui_says(&["go depth 9"]);
    assert_eq!((stage.engine.last().map(String::as_str), stage.best_moves()), (Some("go depth 9"), 1));
    stage.engine_says(&["bestmove e2e4"]);
    stage.gui_says(&["go wtime 1000 btime 1000 depth 3"]);
    assert!(stage.engine.last().expect("sent").starts_with("go wtime"), "against a clock the engine searches");
}

#[test]
fn infinite_and_ponder_are_held() {
    let mut stage = Stage::learned();
    stage.gui_says(&["go infinite"]);
    assert_eq!((stage.best_moves(), stage.gui.len()), (0, 2));
    // An engine that answers too early is held until the stop.
    stage.engine_says(&["bestmove d2d4"]);
    assert_eq!(stage.best_moves(), 0);
    stage.gui_says(&["stop"]);
    assert_eq!(stage.gui.last().map(String::as_str), Some("bestmove d2d4"));
    stage.engine_says(&["bestmove d2d4"]);
    assert_eq!(stage.best_moves(), 1, "one answer for each go");
    stage.gui_says(&["go ponder depth 8"]);
    assert_eq!(stage.best_moves(), 1);
    stage.gui_says(&["ponderhit"]);
    assert_eq!(stage.best_moves(), 2);
}

#[test]
fn shallower_lines_are_held_back_while_they_agree_and_for_a_second() {
    let mut stage = Stage::learned();
    stage.gui_says(&["go infinite"]);
    stage.gui.clear();
    let (first, second) = ("info depth 1 score cp 25 pv e2e4", "info depth 2 score cp 31 pv e2e4");
    stage.engine_says(&[first, second, "info string hello"]);
    assert_eq!(stage.gui, ["info string hello"]);
    stage.now = Duration::from_millis(1001);
    stage.step(&mut |proxy, now, out| proxy.on_time(now, out));
    assert_eq!(stage.gui[1..], [second]);
    stage.gui_says(&["stop"]);
    stage.engine_says(&["bestmove e2e4"]);
    stage.gui_says(&["go infinite"]);
    stage.gui.clear();
    stage.engine_says(&[first, "info depth 2 score cp -9 pv e2e4", "info depth 9 score cp 3 pv e2e4"]);
    assert_eq!(stage.gui.len(), 3, "they disagree: {:?}", stage.gui);
}

#[test]
fn an_engine_that_dies_is_started_again_once() {
    let mut stage = Stage::new();
    stage.gui_says(&["setoption name MultiPV value 2", "position startpos moves e2e4", "go movetime 9", "isready"]);
    stage.engine_says(&["info depth 3 score cp 1 pv e7e5"]);
    stage.engine.clear();
    stage.step(&mut |proxy, now, out| proxy.on_engine_exit("exit status: 1", now, out));
    assert!(stage.gui.iter().any(|line| line.contains("exit status: 1")));
    assert_eq!((stage.gui.last().map(String::as_str), stage.restarts), (Some("bestmove e7e5"), 1));
    let shown = stage.gui.len();
    stage.engine_says(&["id name Fake 1.0", "uciok"]);
    assert_eq!(stage.gui.len(), shown, "the greeting is not shown again");
    let sent = ["uci", "setoption name MultiPV value 2", "position startpos moves e2e4", "isready"];
    assert_eq!(stage.engine, sent);
    stage.step(&mut |proxy, now, out| proxy.on_engine_exit("killed", now, out));
    assert!(stage.given_up && stage.restarts == 1);
}

#[test]
fn what_limited_strength_says_is_neither_learned_nor_answered() {
    let mut stage = Stage::learned();
    stage.gui_says(&["setoption name UCI_LimitStrength value true", "go depth 8"]);
    assert_eq!(stage.engine.last().map(String::as_str), Some("go depth 8"));
}

#[test]
fn without_a_memory_it_is_a_pipe() {
    let mut stage = Stage::learned();
    stage.proxy.set_memory(false);
    stage.gui_says(&["go depth 8"]);
    assert_eq!((stage.engine.as_slice(), stage.gui.len()), (&["go depth 8".to_owned()][..], 0));
}

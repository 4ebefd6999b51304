//! What is given back.

use mnemon_memory::RamStore;

use super::*;
use crate::observer::{EngineProfile, Observer};
use crate::{Command, EngineLine};

struct Fixture {
    store: RamStore,
}

fn go(text: &str) -> GoCommand {
    match Command::parse(&format!("go {text}")).command {
        Some(Command::Go(go)) => go,
        other => panic!("{other:?}"),
    }
}

fn game(moves: &str) -> GameHistory {
    let command = crate::PositionCommand { fen: None, moves: moves.split_whitespace().map(str::to_owned).collect() };
    GameHistory::read(&command, false).expect("a legal game")
}

impl Fixture {
    fn new() -> Self {
        Fixture { store: RamStore::new() }
    }

    /// A search that ended by itself.
    fn search(&self, engine: &str, moves: &str, lines: &[&str]) {
        let mut observer = Observer::new(game(moves), &go("depth 1"), &EngineProfile::new(engine), 1).expect("heard");
        for line in lines {
            let EngineLine::Info(info) = EngineLine::parse(line) else { panic!("{line}") };
            observer.hear(&info);
        }
        observer.finish().write_to(&self.store).expect("written");
    }

    fn read(&self, engine: &str, moves: &str, multipv: usize) -> Remembered {
        let source = EngineProfile::new(engine).source().expect("a source");
        let reader = Reader { source, trust: Trust::default() };
        Remembered::read(&self.store, &reader, &game(moves), multipv, Remembered::BUDGET).expect("read")
    }

    fn texts(&self, moves: &str, multipv: usize) -> Vec<String> {
        let remembered = self.read("engine 1", moves, multipv);
        let text = |line: &RememberedLine| {
            let score = score(line.window).expect("a score");
            format!("{} {score}: {}", line.depth, written(remembered.game.root(), &line.moves).join(" "))
        };
        remembered.lines.iter().map(text).collect()
    }
}

#[test]
fn every_line_comes_back_whole_and_the_deepest_first() {
    let memory = Fixture::new();
    memory.search(
        "engine 1",
        "",
        &[
            "info depth 12 multipv 1 score cp 30 pv e2e4 e7e5 g1f3",
            "info depth 12 multipv 2 score cp 25 pv d2d4 d7d5 c2c4",
            "info depth 12 multipv 3 score cp 20 pv c2c4 e7e5",
        ],
    );
    let three = ["12 cp 30: e2e4 e7e5 g1f3", "12 cp 25: d2d4 d7d5 c2c4", "12 cp 20: c2c4 e7e5"];
    assert_eq!(memory.texts("", 3), three);
    assert_eq!(memory.texts("", 1), three[..1]);
    memory.search("engine 1", "", &["info depth 20 score cp 33 pv d2d4 g8f6 c2c4 e7e6"]);
    let mixed = ["20 cp 33: d2d4 g8f6 c2c4 e7e6", "12 cp 30: e2e4 e7e5 g1f3", "12 cp 20: c2c4 e7e5"];
    assert_eq!(memory.texts("", 3), mixed);
}

#[test]
fn engines_do_not_mix() {
    let memory = Fixture::new();
    memory.search("other 1", "", &["info depth 30 score cp 99 pv e2e4"]);
    memory.search("engine 2", "", &["info depth 30 score cp 98 pv d2d4"]);
    assert!(memory.read("engine 1", "", 1).is_empty());
    let reader = Reader { source: Source::engine("engine", "1"), trust: Trust::default() };
    let said = opinions(&memory.store, &reader, &Position::start()).expect("read");
    assert_eq!(said.len(), 2);
    assert!(said.iter().any(|opinion| opinion.to_string() == "other 1: depth 30 score cp 99 pv e2e4"), "{said:?}");
}

#[test]
fn limits_are_covered_as_far_as_they_were_searched() {
    let memory = Fixture::new();
    memory.search("engine 1", "", &["info depth 12 nodes 5000 score cp 30 pv e2e4 e7e5"]);
    let one = memory.read("engine 1", "", 1);
    for covered in ["depth 12", "depth 3", "nodes 5000", "depth 40 nodes 100", "depth 12 movetime 5"] {
        assert!(one.covers(&go(covered)), "{covered}");
    }
    let not = ["depth 13", "nodes 5001", "infinite", "", "movetime 5", "depth 3 searchmoves e2e4", "perft 3", "mate 3"];
    for uncovered in not.into_iter().chain(["depth 3 wtime 100 btime 100"]) {
        assert!(!one.covers(&go(uncovered)), "{uncovered}");
    }
    assert!(!memory.read("engine 1", "", 2).covers(&go("depth 12")), "two lines are asked for");
    assert!(memory.read("engine 1", "g1f3 g8f6 f3g1 f6g8", 1).is_empty(), "the position stood before");
    let mated = Fixture::new();
    mated.search("engine 1", "f2f3 e7e5 g2g4", &["info depth 5 score mate 1 pv d8h4"]);
    let mate = mated.read("engine 1", "f2f3 e7e5 g2g4", 1);
    assert!(mate.covers(&go("mate 1")) && mate.covers(&go("depth 5")));
}

#[test]
fn deeper_analysis_of_following_positions_changes_the_root() {
    let memory = Fixture::new();
    memory.search(
        "engine 1",
        "",
        &["info depth 10 multipv 1 score cp 30 pv e2e4 e7e5", "info depth 10 multipv 2 score cp 20 pv d2d4 d7d5"],
    );
    // Two moves on, a deeper search finds that the first line is bad.
    memory.search("engine 1", "e2e4 e7e5", &["info depth 18 score cp -80 pv g1f3 d7d5 f3e5"]);
    let lines = memory.texts("", 2);
    assert_eq!(lines[0], "10 cp 20: d2d4 d7d5");
    assert!(lines[1].ends_with("cp -80: e2e4 e7e5 g1f3 d7d5 f3e5"), "{lines:?}");
    let one = memory.texts("", 1);
    assert_eq!(one, ["10 cp 20: d2d4 d7d5"]);
    // And a move that no search of the root showed is good.
    memory.search("engine 1", "c2c4", &["info depth 15 score cp -60 pv e7e5 b1c3"]);
    assert_eq!(memory.texts("", 1), ["16 cp 60: c2c4 e7e5 b1c3"], "the root's search says that no other is better");
    assert!(memory.read("engine 1", "", 1).lines()[0].is_backed_up);
}

#[test]
fn a_position_that_was_only_passed_is_known_by_what_follows() {
    let memory = Fixture::new();
    memory.search("engine 1", "e2e4 e7e5", &["info depth 18 score cp 35 pv g1f3 b8c6"]);
    assert_eq!(memory.texts("e2e4", 1), ["19 cp -35 lowerbound: e7e5 g1f3 b8c6"]);
    // Two moves back Black may have had better moves: nothing is known.
    assert!(memory.texts("", 1).is_empty());
}

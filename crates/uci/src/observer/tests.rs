//! What is learned of a search, and what is not.

use mnemon_chess::Position;
use mnemon_memory::{Claim, Flags, Item, Lines, Origins, Record};
use mnemon_search::Game;

use super::*;
use crate::{Command, EngineLine};

/// A search: the position, the `go`, and its lines; `stop` stands for the command.
fn search(position: &str, go: &str, lines: &[&str]) -> Option<Findings> {
    search_by(&EngineProfile::new("engine 1"), position, go, lines)
}

fn search_by(profile: &EngineProfile, position: &str, go: &str, lines: &[&str]) -> Option<Findings> {
    let Some(Command::Position(position)) = Command::parse(&format!("position {position}")).command else { panic!() };
    let Some(Command::Go(go)) = Command::parse(&format!("go {go}")).command else { panic!() };
    let mut observer = Observer::new(GameHistory::read(&position, profile.is_chess960())?, &go, profile, 7)?;
    for line in lines {
        match EngineLine::parse(line) {
            EngineLine::Info(info) => observer.hear(&info),
            _ => observer.stop(),
        }
    }
    Some(observer.finish())
}

fn at(moves: &str) -> Position {
    moves.split_whitespace().fold(Position::start(), |at, mv| at.play_uci(mv).expect("legal"))
}

fn record(findings: &Findings, position: &Position) -> Option<Record> {
    let mut packed = Vec::new();
    position.pack(&mut packed);
    let find = |item: Item| (*item.key.position == *packed).then_some(item.record);
    findings.items().into_iter().find_map(find)
}

fn lines(findings: &Findings, position: &Position) -> Lines {
    let mut packed = Vec::new();
    position.pack(&mut packed);
    let annotations = findings.annotations();
    let found = annotations.iter().find(|annotation| *annotation.key.position == *packed);
    match found.map(|annotation| &annotation.content) {
        Some(mnemon_memory::Content::Lines(lines)) => lines.clone(),
        _ => Lines::default(),
    }
}

fn claim(score: i16, depth: u8) -> Claim {
    Claim { score, depth, time: 7 }
}

#[test]
fn a_finished_search_leaves_root_child_moves_and_whole_lines() {
    let found = search(
        "startpos",
        "depth 3",
        &["info depth 2 score cp 20 nodes 50 pv d2d4 d7d5", "info depth 3 score cp 31 nodes 99 pv e2e4 e7e5 g1f3 b8c6"],
    )
    .expect("learned");
    let root = record(&found, &at("")).expect("the root");
    assert_eq!((root.lower, root.upper, root.nodes), (claim(31, 3), claim(31, 3), 99));
    assert!(root.flags.contains(Flags::ROOT) && root.origins.contains(Origins::SEARCH));
    let child = record(&found, &at("e2e4")).expect("behind the first move");
    assert_eq!((child.lower, child.upper, child.root_ply), (claim(-31, 2), claim(-31, 2), 1));
    let later = record(&found, &at("e2e4 e7e5")).expect("a move");
    assert!(!later.lower.is_known() && later.best != 0 && later.origins.contains(Origins::PV));
    assert_eq!(record(&found, &at("d2d4")).expect("an earlier iteration").lower, claim(-20, 1));
    let kept = lines(&found, &at(""));
    assert_eq!(kept.sets().iter().map(|set| (set.depth, set.lines.len())).collect::<Vec<_>>(), [(3, 1)]);
    assert_eq!(kept.sets()[0].lines[0].moves().len(), 4);
    assert_eq!(lines(&found, &at("e2e4")).deepest(1).expect("the rest").lines[0].moves().len(), 3);
}

#[test]
fn an_iteration_that_stop_cut_is_not_learned() {
    let cut = ["info depth 8 score cp 20 pv e2e4", "info depth 9 score cp 90 pv d2d4", "stop"];
    let found = search("startpos", "infinite", &cut).expect("learned");
    assert_eq!(record(&found, &at("")).expect("the root").lower, claim(20, 8));
    assert!(record(&found, &at("d2d4")).is_none());
    // What is printed after it confirms earlier iterations only.
    let after = ["info depth 8 score cp 20 pv e2e4", "stop", "info depth 9 score cp 90 pv d2d4"];
    let found = search("startpos", "infinite", &after).expect("learned");
    assert_eq!(record(&found, &at("")).expect("the root").lower, claim(20, 8));
    let shallower = ["info depth 8 score cp 20 pv e2e4", "stop", "info depth 7 score cp 5 pv d2d4"];
    assert!(search("startpos", "infinite", &shallower).expect("heard").is_empty());
    // A line without a score shows that the next iteration runs.
    let running = ["info depth 8 score cp 20 pv e2e4", "info depth 9 currmove e2e4 currmovenumber 1", "stop"];
    assert!(!search("startpos", "infinite", &running).expect("heard").is_empty());
}

#[test]
fn bounds_are_one_end_of_the_root() {
    let high = ["info depth 9 score cp 50 lowerbound pv e2e4", "info depth 10 currmove a2a3"];
    let root = record(&search("startpos", "infinite", &high).expect("heard"), &at("")).expect("the root");
    assert_eq!((root.lower, root.upper), (claim(50, 9), Claim::NO_UPPER));
    assert_ne!(root.best, 0);
    let low = ["info depth 9 score cp 10 upperbound pv e2e4"];
    let root = record(&search("startpos", "depth 9", &low).expect("heard"), &at("")).expect("the root");
    assert_eq!((root.lower, root.upper, root.best), (Claim::NO_LOWER, claim(10, 9), 0));
    // A bound that was followed by another search is finished; the last one may not be.
    let two = ["info depth 9 score cp 50 lowerbound pv e2e4", "info depth 9 score cp 70 pv e2e4", "stop"];
    let found = search("startpos", "infinite", &two).expect("heard");
    assert_eq!(record(&found, &at("")).expect("the root").lower, claim(50, 9));
    let one = ["info depth 9 score cp 50 lowerbound pv e2e4", "stop"];
    assert!(search("startpos", "infinite", &one).expect("heard").is_empty());
}

#[test]
fn of_several_lines_each_is_learned_in_its_own_iteration() {
    let both = [
        "info depth 5 multipv 1 score cp 30 pv e2e4 e7e5",
        "info depth 5 multipv 2 score cp 20 pv d2d4 d7d5",
        // The next iteration: d2d4 has risen, and e2e4 is printed with its old score.
        "info depth 6 score cp 45 multipv 1 pv d2d4 g8f6",
        "info depth 5 multipv 2 score cp 30 pv e2e4 e7e5",
        "stop",
    ];
    let found = search("startpos", "infinite", &both).expect("learned");
    let set = lines(&found, &at("")).deepest(2).expect("both").clone();
    let scores: Vec<_> = set.lines.iter().map(|line| line.window().lower).collect();
    assert_eq!((set.depth, scores), (5, vec![30, 20]));
    assert_eq!(record(&found, &at("d2d4")).expect("behind the second").upper, claim(-20, 4));
    let same = ["info depth 5 multipv 1 score cp 30 pv e2e4", "info depth 5 multipv 2 score cp 20 pv e2e4 e7e5"];
    let found = search("startpos", "depth 5", &same).expect("learned");
    assert_eq!(lines(&found, &at("")).sets()[0].lines.len(), 1, "one move is one line");
}

#[test]
fn some_of_the_moves_give_a_lower_end() {
    let found =
        search("startpos", "depth 5 searchmoves a2a3", &["info depth 5 score cp -20 pv a2a3 e7e5"]).expect("heard");
    let root = record(&found, &at("")).expect("the root");
    assert_eq!((root.lower, root.upper), (claim(-20, 5), Claim::NO_UPPER));
    assert!(lines(&found, &at("")).sets().is_empty());
    assert_eq!(record(&found, &at("a2a3")).expect("behind it").upper, claim(20, 4));
}

#[test]
fn lines_are_cut_at_the_first_illegal_move() {
    let found = search("startpos", "depth 5", &["info  depth 5 score cp 20  pv e2e4  e7e5 e4e5 g8f6"]).expect("heard");
    assert_eq!(lines(&found, &at("")).sets()[0].lines[0].moves().len(), 2);
    assert!(search("startpos", "depth 5", &["info depth 5 score cp 20 pv e2e5 e7e5"]).expect("heard").is_empty());
    let without = search("startpos", "depth 5", &["info depth 5 score cp 20"]).expect("heard");
    assert_eq!(record(&without, &at("")).expect("the root").lower, claim(20, 5));
    assert!(
        search("startpos", "depth 5", &["info depth 5 pv e2e4", "info score cp 3", "info"]).expect("heard").is_empty()
    );
}

#[test]
fn mates_are_claims_of_their_depth() {
    let position = "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    let found = search(position, "depth 9", &["info depth 9 score mate 1 pv a1a8"]).expect("heard");
    let root: Position = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1".parse().expect("a position");
    let record = record(&found, &root).expect("the root");
    assert_eq!((record.lower, record.upper), (claim(15_999, 9), Claim::NO_UPPER));
    let deep = search("startpos", "depth 9", &["info depth 245 score cp 20 pv e2e4"]).expect("heard");
    assert_eq!(self::record(&deep, &at("")).expect("the root").lower, claim(20, 127));
}

#[test]
fn repetitions_and_the_fifty_move_rule_are_left_out() {
    let lines = ["info depth 9 score cp 0 pv f3g1 f6g8"];
    assert!(search("startpos moves g1f3 g8f6 f3g1 f6g8", "depth 9", &lines).is_none(), "the root stood before");
    let game = "startpos moves g1f3 g8f6";
    // The line runs into the start of the game.
    let found = search(game, "depth 9", &lines).expect("heard");
    assert!(!record(&found, &at("g1f3 g8f6")).is_some_and(|record| record.lower.is_known()));
    let other = ["info depth 9 score cp 12 pv f3g1 f6g8 e2e4"];
    assert!(record(&search(game, "depth 9", &other).expect("heard"), &at("g1f3 g8f6")).is_some());
    // A line back to the root is the root's own, and not that of the position behind its first move.
    let back = ["info depth 9 score cp 0 pv g1f3 g8f6 f3g1 f6g8"];
    let found = search("startpos", "depth 9", &back).expect("heard");
    assert_eq!(record(&found, &at("")).expect("the root").lower, claim(0, 9));
    assert!(!record(&found, &at("g1f3")).expect("its move").lower.is_known());
    let clock = "fen 8/8/4k3/8/4K3/4P3/8/R7 w - - 60 90";
    assert!(search(clock, "depth 9", &["info depth 9 score cp 700 pv a1a6"]).is_none());
    let before = "fen 8/8/4k3/8/4K3/4P3/8/R7 w - - 59 90";
    let found = search(before, "depth 9", &["info depth 9 score cp 700 pv a1a6"]).expect("heard");
    assert_eq!(found.items().len(), 1, "the position behind the move is too near");
}

#[test]
fn limited_engines_variants_and_counts_are_not_heard() {
    let mut profile = EngineProfile::new("engine 1");
    profile.set("UCI_LimitStrength", Some("true"));
    assert!(search_by(&profile, "startpos", "depth 1", &[]).is_none());
    let mut profile = EngineProfile::new("engine 1");
    profile.set("UCI_Variant", Some("crazyhouse"));
    assert!(search_by(&profile, "startpos", "depth 1", &[]).is_none());
    assert!(search("startpos", "perft 3", &[]).is_none());
    assert!(search("startpos moves e2e5", "depth 3", &[]).is_none(), "an illegal game");
}

#[test]
fn the_game_leads_to_what_was_found() {
    let found = search("startpos moves e2e4 e7e5", "depth 2", &["info depth 2 score cp 20 pv g1f3"]).expect("heard");
    let link = record(&found, &at("e2e4")).expect("a link");
    assert_eq!((link.origins, link.game_ply, link.lower.is_known()), (Origins::GAME, 1, false));
    assert_eq!(record(&found, &at("e2e4 e7e5")).expect("the root").game_ply, 2);
}

#[test]
fn castling_is_understood_as_it_is_written() {
    let mut profile = EngineProfile::new("engine 1");
    profile.set("UCI_Chess960", Some("true"));
    let position = "fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1";
    let found = search_by(&profile, position, "depth 3", &["info depth 3 score cp 500 pv e1h1 e8e7"]).expect("heard");
    assert_eq!(found.annotations().len(), 2);
}

//! What was learned is found again in a large memory, with one colour and against a clock.

mod analyst;

use std::sync::Arc;

use analyst::{Analyst, BISHOP, MATE, Trap};
use mnemon_chess::Position;
use mnemon_engine::{Clock, Engine, GameHistory, GoParams};
use mnemon_memory::policy::Policy;
use mnemon_memory::{Access, Flags, Item, Key, Record, Source, Store, open};
use mnemon_search::Game as _;
use mnemon_search::random::Random;

/// Records of positions from random games, of the engine itself and of another one, every tenth a root.
fn fill(store: &dyn Store, records: usize) {
    let mut random = Random::new(5);
    let (game, sources) = (Position::name().into(), [Engine::source(), Source::engine("other", "9")]);
    let mut items = Vec::new();
    while items.len() < records {
        let mut position = Position::start();
        for ply in 0..40 {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[random.below(moves.len())]);
            let mut packed = Vec::new();
            position.pack(&mut packed);
            let flags = if random.below(10) == 0 { Flags::ROOT } else { Flags::NONE };
            let record = Record { flags, ..Record::exact(random.below(200) as i16 - 100, 1 + ply % 9) };
            let key = Key::new(&game, packed, &sources[random.below(2)]);
            items.push(Item { key, record: record.found_at(1_600_000_000 + items.len() as u32) });
        }
    }
    store.merge_many(&items).expect("merged");
}

/// The most positions of a recall: fewer than a file gives in the few milliseconds that a two-second clock has for it, and half
/// as many as the engine has roots in the memory. The time itself would make the test depend on how busy the machine is.
const RECALL_POSITIONS: usize = 500;

/// A mistake is not repeated, whether or not the positions between it and its refutation are known: by the links of the game
/// that was played, and where there are none by the root that was learned last.
fn assert_is_not_repeated(trap: &Trap, policy: &str) {
    let line = trap.line();
    let refuted = GameHistory::new(trap.fen.parse().expect("a position"), line.split(' ')).expect("legal moves");
    let alone = refuted.position().to_string();
    for (fen, moves) in [(trap.fen, line.as_str()), (&alone, "")] {
        assert_is_learned(trap, policy, fen, moves);
    }
}

/// The engine plays White only, with two seconds on its clock: it makes the mistake, finds out at its next move, in the
/// position given, and makes it neither again nor after a restart.
fn assert_is_learned(trap: &Trap, policy: &str, fen: &str, moves: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let memory = || -> Arc<dyn Store> { open(folder.path().join("m.mnemon"), Access::Create).expect("a memory") };
    fill(&*memory(), 20_000);
    let player = || {
        let mut player = Analyst::with_store(memory(), Policy::named(policy).expect("a policy"));
        player.limit_by_positions(RECALL_POSITIONS);
        player
    };
    let against_the_clock = |depth| {
        let clock = Clock { remaining: Some(2_000), ..Clock::default() };
        GoParams { depth: Some(depth), clock, ..GoParams::default() }
    };
    let mut first = player();
    let mistake = first.go(trap.fen, "", against_the_clock(trap.shallow_depth));
    assert_eq!(mistake.best, trap.mistake, "{policy}");
    first.go(fen, moves, against_the_clock(trap.deep_depth));
    let again = first.go(trap.fen, "", against_the_clock(trap.shallow_depth));
    assert_ne!(again.best, trap.mistake, "{policy}, in the same process");
    drop(first);
    let restarted = player().go(trap.fen, "", against_the_clock(trap.shallow_depth));
    assert_ne!(restarted.best, trap.mistake, "{policy}, after a restart: {} recalled", restarted.recalled);
    assert!((1..=RECALL_POSITIONS).contains(&restarted.recalled), "{policy}: {} recalled", restarted.recalled);
}

#[test]
fn slate() {
    assert_is_not_repeated(&BISHOP, "slate");
}

#[test]
fn bebe() {
    assert_is_not_repeated(&BISHOP, "bebe");
    assert_is_not_repeated(&MATE, "bebe");
}

#[test]
fn crafty() {
    assert_is_not_repeated(&BISHOP, "crafty");
    assert_is_not_repeated(&MATE, "crafty");
}

#[test]
fn rote() {
    assert_is_not_repeated(&BISHOP, "rote");
}

/// What was learned late in a game is reached from its opening, at whatever depth it was searched.
#[test]
fn a_chain_leads_from_the_opening_to_what_was_learned() {
    for policy in ["resume", "tree", "slate", "bebe"] {
        let folder = tempfile::tempdir().expect("a folder");
        let memory = || -> Arc<dyn Store> { open(folder.path().join("m.mnemon"), Access::Create).expect("a memory") };
        let start = Position::start().to_string();
        let moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6";
        let mut player = Analyst::with_store(memory(), Policy::named(policy).expect("a policy"));
        player.search(&start, moves, 4);
        let known =
            mnemon_memory::recall::explore(&*memory(), &Position::start(), mnemon_memory::recall::Budget::UNLIMITED);
        let known = known.expect("readable");
        let deepest = known.nodes.iter().map(|node| node.ply).max();
        let expected = if policy == "slate" { 0 } else { 14 };
        assert!(deepest >= Some(expected), "{policy}: {deepest:?}");
    }
}

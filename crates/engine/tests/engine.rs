//! The engine: one best move for each `go`, at the right time, and a memory that saves nodes and never misleads.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mnemon_chess::Position;
use mnemon_engine::{Engine, Event, Forgotten, GameHistory, GoParams};
use mnemon_memory::policy::{Policy, Resume};
use mnemon_memory::{RamStore, Store};
use mnemon_table::replace::AnyScheme;

/// An event, as far as these tests need it.
#[derive(Clone, Debug, PartialEq)]
enum Reported {
    Recalled(usize),
    Known(u8),
    Line { depth: u8, nodes: u64, exact: bool },
    Best(Option<String>),
    Counted(Option<u64>),
}

fn reported(event: &Event<'_>) -> Option<Reported> {
    let exact = |info: &mnemon_engine::search::Info| info.bound == mnemon_table::Bound::Exact;
    Some(match event {
        Event::Recalled(recalled) => Reported::Recalled(recalled.entries),
        Event::Known(_, info) => Reported::Known(info.depth),
        Event::Line(_, info) => Reported::Line { depth: info.depth, nodes: info.nodes, exact: exact(info) },
        Event::Best { position, best, .. } => Reported::Best(best.map(|best| position.uci(best))),
        Event::Counted(count, _) => Reported::Counted(*count),
        _ => return None,
    })
}

fn engine() -> (Engine, Receiver<Reported>) {
    let (sender, log) = channel();
    let sender = Mutex::new(sender);
    let listener = move |event: Event<'_>| {
        if let Some(event) = reported(&event) {
            let _ = sender.lock().expect("no panic").send(event);
        }
    };
    (Engine::new(4 << 20, Arc::new(listener)).expect("a small table"), log)
}

fn with_memory(store: &Arc<RamStore>) -> (Engine, Receiver<Reported>) {
    let (mut engine, log) = engine();
    let policy = Policy::Resume(Resume { least_depth: 1, ..Resume::default() });
    engine.set_memory(Some((Arc::clone(store) as Arc<dyn Store>, policy)));
    (engine, log)
}

fn set(engine: &mut Engine, fen: &str) {
    engine.set_game(GameHistory::new(fen.parse().expect("a position"), []).expect("no moves"));
}

fn to_depth(depth: u8) -> GoParams {
    GoParams { depth: Some(depth), ..GoParams::default() }
}

/// All events of a search that ends by itself.
fn all(engine: &mut Engine, log: &Receiver<Reported>, params: GoParams) -> Vec<Reported> {
    engine.go(params);
    engine.wait();
    log.try_iter().collect()
}

fn nodes(events: &[Reported]) -> u64 {
    let of_line = |event: &Reported| match event {
        Reported::Line { nodes, .. } => Some(*nodes),
        _ => None,
    };
    events.iter().rev().find_map(of_line).expect("a line")
}

fn best_moves(events: &[Reported]) -> usize {
    events.iter().filter(|event| matches!(event, Reported::Best(_))).count()
}

const MIDDLEGAME: &str = "r2q1rk1/1b2bppp/p2ppn2/1p6/3NPPP1/1BN1B3/PPPQ3P/2KR3R b - - 0 13";

#[test]
fn the_best_move_is_reported_last_after_an_exact_line() {
    let (mut engine, log) = engine();
    let events = all(&mut engine, &log, to_depth(6));
    let [.., Reported::Line { depth: 6, exact: true, .. }, Reported::Best(Some(_))] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!(best_moves(&events), 1);
}

#[test]
fn an_infinite_search_reports_its_best_move_only_after_a_stop() {
    let (mut engine, log) = engine();
    // Checkmate: there is nothing to search.
    set(&mut engine, "7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    engine.go(GoParams { infinite: true, ..GoParams::default() });
    assert!(log.recv_timeout(Duration::from_millis(200)).is_err());
    assert!(engine.is_searching());
    engine.stop();
    engine.wait();
    let events: Vec<_> = log.try_iter().collect();
    assert_eq!(events, [Reported::Line { depth: 0, nodes: 0, exact: true }, Reported::Best(None)]);
}

#[test]
fn a_pondering_search_reports_its_best_move_only_after_a_ponderhit() {
    let (mut engine, log) = engine();
    engine.go(GoParams { ponder: true, ..to_depth(2) });
    while !matches!(log.recv(), Ok(Reported::Line { depth: 2, exact: true, .. })) {}
    assert!(log.recv_timeout(Duration::from_millis(200)).is_err(), "no best move yet");
    engine.ponderhit();
    engine.wait();
    assert_eq!(best_moves(&log.try_iter().collect::<Vec<_>>()), 1);
}

#[test]
fn a_go_during_a_search_ends_it_with_its_own_best_move() {
    let (mut engine, log) = engine();
    engine.go(GoParams { infinite: true, ..GoParams::default() });
    engine.go(to_depth(3));
    engine.wait();
    assert_eq!(best_moves(&log.try_iter().collect::<Vec<_>>()), 2);
}

/// A listener that panics makes the search panic, as any defect would.
#[test]
fn a_search_that_panics_reports_it_and_a_best_move() {
    for (params, is_infinite) in [(to_depth(5), false), (GoParams { infinite: true, ..GoParams::default() }, true)] {
        let (sender, log) = channel();
        let sender = Mutex::new(sender);
        let listener = move |event: Event<'_>| {
            let message = match &event {
                Event::Line(..) => panic!("a defect"),
                Event::Failed(why) => format!("failed: {why}"),
                Event::Best { position, best, .. } => position.uci(best.expect("a move")),
                _ => return,
            };
            sender.lock().expect("no panic while it is locked").send(message).expect("a receiver");
        };
        let mut engine = Engine::new(1 << 20, Arc::new(listener)).expect("a small table");
        for _ in 0..2 {
            engine.go(params.clone());
            assert_eq!(log.recv().as_deref(), Ok("failed: a defect"));
            if is_infinite {
                assert!(log.recv_timeout(Duration::from_millis(100)).is_err(), "no best move before a stop");
                engine.stop();
            }
            engine.wait();
            let best_moves: Vec<String> = log.try_iter().collect();
            assert_eq!(best_moves.len(), 1, "{best_moves:?}");
            assert!(Position::start().play_uci(&best_moves[0]).is_ok(), "{best_moves:?}");
        }
    }
}

#[test]
fn counting_can_be_stopped() {
    let (mut engine, log) = engine();
    engine.count(4);
    engine.wait();
    assert_eq!(log.try_iter().last(), Some(Reported::Counted(Some(197_281))));
    engine.count(15);
    engine.stop();
    engine.wait();
    assert_eq!(log.try_iter().last(), Some(Reported::Counted(None)));
}

#[test]
fn after_a_restart_the_analysis_continues_where_it_stopped() {
    let store = Arc::new(RamStore::new());
    for fen in [MIDDLEGAME, "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6"] {
        let searched = [(); 2].map(|()| {
            let (mut engine, log) = with_memory(&store);
            set(&mut engine, fen);
            let events = all(&mut engine, &log, to_depth(10));
            engine.settle();
            events
        });
        let (cold, warm) = (nodes(&searched[0]), nodes(&searched[1]));
        assert!(warm * 20 < cold, "{fen}: {cold} nodes cold, {warm} warm");
        assert!(!searched[0].iter().any(|event| matches!(event, Reported::Known(_))));
        let [
            Reported::Recalled(1..),
            Reported::Known(10),
            ..,
            Reported::Line { depth: 10, exact: true, .. },
            Reported::Best(Some(warm)),
        ] = &searched[1][..]
        else {
            panic!("{:?}", searched[1])
        };
        assert_eq!(searched[0].last(), Some(&Reported::Best(Some(warm.clone()))), "the same move");
    }
}

#[test]
fn an_unfinished_iteration_is_learned_from() {
    let store = Arc::new(RamStore::new());
    let records = || store.statistics().expect("RAM does not fail").records();
    let (mut engine, log) = with_memory(&store);
    set(&mut engine, MIDDLEGAME);
    all(&mut engine, &log, to_depth(9));
    engine.settle();
    let before = records();
    let (mut engine, log) = with_memory(&store);
    set(&mut engine, MIDDLEGAME);
    let events = all(&mut engine, &log, GoParams { nodes: Some(2000), ..GoParams::default() });
    engine.settle();
    assert!(!events.iter().any(|event| matches!(event, Reported::Line { depth: 10, exact: true, .. })), "{events:?}");
    assert!(records() > before, "{before} records before, {} now", records());
    let root = GameHistory::from(MIDDLEGAME.parse::<Position>().expect("a position"));
    let (mut engine, log) = with_memory(&store);
    engine.set_game(root);
    assert!(all(&mut engine, &log, to_depth(9)).contains(&Reported::Known(9)), "the known depth stays");
}

#[test]
fn deleted_records_are_not_recalled() {
    let store = Arc::new(RamStore::new());
    let (mut engine, log) = with_memory(&store);
    all(&mut engine, &log, to_depth(5));
    let Forgotten::Records(deleted) = engine.forget().unwrap() else { panic!("nothing delays it") };
    assert!(deleted > 0 && store.statistics().unwrap().records() == 0, "{deleted}");
    assert!(!all(&mut engine, &log, to_depth(1)).iter().any(|event| matches!(event, Reported::Known(_))));
}

#[test]
fn clearing_the_table_keeps_the_memory() {
    let store = Arc::new(RamStore::new());
    let (mut engine, log) = with_memory(&store);
    all(&mut engine, &log, to_depth(5));
    engine.clear();
    assert!(store.statistics().unwrap().records() > 0);
    assert!(all(&mut engine, &log, to_depth(5)).contains(&Reported::Known(5)));
}

#[test]
fn a_search_of_some_moves_is_not_learned() {
    let store = Arc::new(RamStore::new());
    let (mut engine, log) = with_memory(&store);
    let only = vec![Position::start().parse_uci("g2g4").unwrap()];
    all(&mut engine, &log, GoParams { moves: only, ..to_depth(5) });
    engine.settle();
    assert_eq!(store.statistics().unwrap().records(), 0);
}

#[test]
fn near_the_fifty_move_limit_the_memory_neither_recalls_nor_learns() {
    let store = Arc::new(RamStore::new());
    let rook_ending = |clock: u8| format!("8/8/4k3/8/8/3RK3/8/8 w - - {clock} 80");
    let (mut engine, log) = with_memory(&store);
    set(&mut engine, &rook_ending(94));
    all(&mut engine, &log, to_depth(6));
    engine.settle();
    assert_eq!(store.statistics().unwrap().records(), 0, "nothing was learned");
    set(&mut engine, &rook_ending(0));
    all(&mut engine, &log, to_depth(6));
    engine.settle();
    assert!(store.statistics().unwrap().records() > 0);
    set(&mut engine, &rook_ending(94));
    let events = all(&mut engine, &log, to_depth(6));
    assert!(!events.iter().any(|event| matches!(event, Reported::Recalled(_) | Reported::Known(_))), "{events:?}");
}

#[test]
fn another_scheme_begins_with_an_empty_table_of_the_same_size() {
    let mut engine = Engine::new(1 << 20, Arc::new(|_: Event<'_>| ())).expect("a small table");
    engine.go(GoParams { depth: Some(6), ..GoParams::default() });
    engine.wait();
    let folder = tempfile::tempdir().expect("a folder");
    let (searched, emptied) = (folder.path().join("searched.tt"), folder.path().join("emptied.tt"));
    engine.save_table(&searched).expect("saved");

    engine.set_replacement(AnyScheme::TwoTier).expect("a table of the same size");
    assert_eq!((engine.replacement(), engine.table_bytes()), (AnyScheme::TwoTier, 1 << 20));
    engine.save_table(&emptied).expect("saved");
    assert!(engine.load_table(&searched).is_err(), "its buckets have four ways, not two");
    assert_ne!(std::fs::read(&searched).expect("read"), std::fs::read(&emptied).expect("read"));
    engine.load_table(&emptied).expect("the same ways");
    engine.clear();
    engine.resize(2 << 20).expect("a small table");
    assert_eq!(engine.replacement(), AnyScheme::TwoTier, "the scheme outlives the table");

    engine.set_replacement(AnyScheme::Aged).expect("a table of the same size");
    engine.load_table(&searched).expect("four ways again");
    engine.set_replacement(AnyScheme::Aged).expect("nothing to do");
    engine.save_table(&emptied).expect("saved");
    assert_eq!(std::fs::read(&searched).expect("read"), std::fs::read(&emptied).expect("read"), "it stays as it is");
}

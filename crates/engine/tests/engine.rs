//! The engine: one answer for each question, at the right time, and a memory that helps and never misleads.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mnemon_chess::Position;
use mnemon_engine::{Engine, Event, GameHistory, GoParams};
use mnemon_memory::policy::{Policy, Resume};
use mnemon_memory::{RamStore, Store};

/// What an engine told, as far as these tests look at it.
#[derive(Clone, Debug, PartialEq)]
enum Told {
    Recalled(usize),
    Known(u8),
    Line { depth: u8, nodes: u64, exact: bool },
    Best(Option<String>),
    Counted(Option<u64>),
}

fn told(event: &Event<'_>) -> Option<Told> {
    let exact = |info: &mnemon_engine::search::Info| info.bound == mnemon_table::Bound::Exact;
    Some(match event {
        Event::Recalled(recalled) => Told::Recalled(recalled.entries),
        Event::Known(_, info) => Told::Known(info.depth),
        Event::Line(_, info) => Told::Line { depth: info.depth, nodes: info.nodes, exact: exact(info) },
        Event::Best { position, best, .. } => Told::Best(best.map(|best| position.uci(best))),
        Event::Counted(count, _) => Told::Counted(*count),
        _ => return None,
    })
}

fn engine() -> (Engine, Receiver<Told>) {
    let (tell, log) = channel();
    let tell = Mutex::new(tell);
    let listener = move |event: Event<'_>| {
        if let Some(told) = told(&event) {
            let _ = tell.lock().expect("no panic").send(told);
        }
    };
    (Engine::new(4 << 20, Arc::new(listener)).expect("a small table"), log)
}

fn remembering(store: &Arc<RamStore>) -> (Engine, Receiver<Told>) {
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

/// Everything told by a search that ends by itself.
fn all(engine: &mut Engine, log: &Receiver<Told>, asked: GoParams) -> Vec<Told> {
    engine.go(asked);
    engine.wait();
    log.try_iter().collect()
}

fn nodes(told: &[Told]) -> u64 {
    let of_line = |told: &Told| match told {
        Told::Line { nodes, .. } => Some(*nodes),
        _ => None,
    };
    told.iter().rev().find_map(of_line).expect("a line")
}

fn answers(told: &[Told]) -> usize {
    told.iter().filter(|told| matches!(told, Told::Best(_))).count()
}

const MIDDLEGAME: &str = "r2q1rk1/1b2bppp/p2ppn2/1p6/3NPPP1/1BN1B3/PPPQ3P/2KR3R b - - 0 13";

#[test]
fn the_answer_is_the_last_word_after_an_exact_line() {
    let (mut engine, log) = engine();
    let told = all(&mut engine, &log, to_depth(6));
    let [.., Told::Line { depth: 6, exact: true, .. }, Told::Best(Some(_))] = &told[..] else { panic!("{told:?}") };
    assert_eq!(answers(&told), 1);
}

#[test]
fn an_infinite_search_answers_when_it_is_stopped_and_not_before() {
    let (mut engine, log) = engine();
    // Over at once: there is nothing to search for.
    set(&mut engine, "7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    engine.go(GoParams { infinite: true, ..GoParams::default() });
    assert!(log.recv_timeout(Duration::from_millis(200)).is_err());
    assert!(engine.is_searching());
    engine.stop();
    engine.wait();
    let told: Vec<_> = log.try_iter().collect();
    assert_eq!(told, [Told::Line { depth: 0, nodes: 0, exact: true }, Told::Best(None)]);
}

#[test]
fn a_pondering_search_answers_when_the_move_was_played() {
    let (mut engine, log) = engine();
    engine.go(GoParams { ponder: true, ..to_depth(2) });
    while !matches!(log.recv(), Ok(Told::Line { depth: 2, exact: true, .. })) {}
    assert!(log.recv_timeout(Duration::from_millis(200)).is_err(), "no answer yet");
    engine.ponderhit();
    engine.wait();
    assert_eq!(answers(&log.try_iter().collect::<Vec<_>>()), 1);
}

#[test]
fn a_question_during_a_search_ends_it_with_its_own_answer() {
    let (mut engine, log) = engine();
    engine.go(GoParams { infinite: true, ..GoParams::default() });
    engine.go(to_depth(3));
    engine.wait();
    assert_eq!(answers(&log.try_iter().collect::<Vec<_>>()), 2);
}

/// A listener that breaks down makes the search break down, as any defect would.
#[test]
fn a_search_that_breaks_down_says_so_and_still_answers() {
    for (asked, is_asked_for) in [(to_depth(5), false), (GoParams { infinite: true, ..GoParams::default() }, true)] {
        let (tell, log) = channel();
        let tell = Mutex::new(tell);
        let listener = move |event: Event<'_>| {
            let told = match &event {
                Event::Line(..) => panic!("the listener is unwell"),
                Event::Failed(why) => format!("failed: {why}"),
                Event::Best { position, best, .. } => position.uci(best.expect("a move")),
                _ => return,
            };
            tell.lock().expect("no panic while it is locked").send(told).expect("somebody hears");
        };
        let mut engine = Engine::new(1 << 20, Arc::new(listener)).expect("a small table");
        for _ in 0..2 {
            engine.go(asked.clone());
            assert_eq!(log.recv().as_deref(), Ok("failed: the listener is unwell"));
            if is_asked_for {
                assert!(log.recv_timeout(Duration::from_millis(100)).is_err(), "no answer before it is asked for");
                engine.stop();
            }
            engine.wait();
            let answers: Vec<String> = log.try_iter().collect();
            assert_eq!(answers.len(), 1, "{answers:?}");
            assert!(Position::start().play_uci(&answers[0]).is_ok(), "{answers:?}");
        }
    }
}

#[test]
fn counting_can_be_stopped() {
    let (mut engine, log) = engine();
    engine.count(4);
    engine.wait();
    assert_eq!(log.try_iter().last(), Some(Told::Counted(Some(197_281))));
    engine.count(15);
    engine.stop();
    engine.wait();
    assert_eq!(log.try_iter().last(), Some(Told::Counted(None)));
}

#[test]
fn after_a_restart_the_analysis_goes_on_where_it_stopped() {
    let store = Arc::new(RamStore::new());
    for fen in [MIDDLEGAME, "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6"] {
        let searched = [(); 2].map(|()| {
            let (mut engine, log) = remembering(&store);
            set(&mut engine, fen);
            let told = all(&mut engine, &log, to_depth(10));
            engine.settle();
            told
        });
        let (cold, warm) = (nodes(&searched[0]), nodes(&searched[1]));
        assert!(warm * 20 < cold, "{fen}: {cold} nodes cold, {warm} warm");
        assert!(!searched[0].iter().any(|told| matches!(told, Told::Known(_))));
        let [
            Told::Recalled(1..),
            Told::Known(10),
            ..,
            Told::Line { depth: 10, exact: true, .. },
            Told::Best(Some(warm)),
        ] = &searched[1][..]
        else {
            panic!("{:?}", searched[1])
        };
        assert_eq!(searched[0].last(), Some(&Told::Best(Some(warm.clone()))), "the same move");
    }
}

#[test]
fn what_an_unfinished_iteration_found_is_kept() {
    let store = Arc::new(RamStore::new());
    let records = || store.statistics().expect("RAM does not fail").records();
    let (mut engine, log) = remembering(&store);
    set(&mut engine, MIDDLEGAME);
    all(&mut engine, &log, to_depth(9));
    engine.settle();
    let before = records();
    let (mut engine, log) = remembering(&store);
    set(&mut engine, MIDDLEGAME);
    let told = all(&mut engine, &log, GoParams { nodes: Some(2000), ..GoParams::default() });
    engine.settle();
    assert!(!told.iter().any(|told| matches!(told, Told::Line { depth: 10, exact: true, .. })), "{told:?}");
    assert!(records() > before, "{before} records before, {} now", records());
    let root = GameHistory::from(MIDDLEGAME.parse::<Position>().expect("a position"));
    let (mut engine, log) = remembering(&store);
    engine.set_game(root);
    assert!(all(&mut engine, &log, to_depth(9)).contains(&Told::Known(9)), "what was known stays known");
}

#[test]
fn what_was_forgotten_is_not_known_any_more() {
    let store = Arc::new(RamStore::new());
    let (mut engine, log) = remembering(&store);
    all(&mut engine, &log, to_depth(5));
    let forgotten = engine.forget().unwrap().expect("a memory");
    assert!(forgotten > 0 && store.statistics().unwrap().records() == 0, "{forgotten}");
    assert!(!all(&mut engine, &log, to_depth(1)).iter().any(|told| matches!(told, Told::Known(_))));
}

#[test]
fn clearing_the_table_leaves_the_memory_alone() {
    let store = Arc::new(RamStore::new());
    let (mut engine, log) = remembering(&store);
    all(&mut engine, &log, to_depth(5));
    engine.clear();
    assert!(store.statistics().unwrap().records() > 0);
    assert!(all(&mut engine, &log, to_depth(5)).contains(&Told::Known(5)));
}

#[test]
fn a_search_of_some_moves_only_teaches_nothing_about_the_position() {
    let store = Arc::new(RamStore::new());
    let (mut engine, log) = remembering(&store);
    let only = vec![Position::start().parse_uci("g2g4").unwrap()];
    all(&mut engine, &log, GoParams { moves: only, ..to_depth(5) });
    engine.settle();
    assert_eq!(store.statistics().unwrap().records(), 0);
}

#[test]
fn near_the_fifty_move_limit_the_memory_is_neither_asked_nor_taught() {
    let store = Arc::new(RamStore::new());
    let rook_ending = |clock: u8| format!("8/8/4k3/8/8/3RK3/8/8 w - - {clock} 80");
    let (mut engine, log) = remembering(&store);
    set(&mut engine, &rook_ending(94));
    all(&mut engine, &log, to_depth(6));
    engine.settle();
    assert_eq!(store.statistics().unwrap().records(), 0, "nothing was taught");
    set(&mut engine, &rook_ending(0));
    all(&mut engine, &log, to_depth(6));
    engine.settle();
    assert!(store.statistics().unwrap().records() > 0);
    set(&mut engine, &rook_ending(94));
    let told = all(&mut engine, &log, to_depth(6));
    assert!(!told.iter().any(|told| matches!(told, Told::Recalled(_) | Told::Known(_))), "{told:?}");
}

//! The tree against a slow, obvious oracle, on random games with transpositions and cycles.

mod oracle;
mod scripted;

use std::sync::Arc;

use mnemon_connect4::{Board, Precision, Solver};
use mnemon_memory::{RamStore, Source, Store};
use mnemon_search::Game;
use mnemon_search::games::{Maze, MazeRules, Rules, Synthetic};
use mnemon_search::random::Random;
use proptest::prelude::*;

use self::oracle::Oracle;
use self::scripted::Scripted;
use super::explorer::{Explorer, Next, Settings};
use super::job::Job;
use super::selector::{DropOut, EvalDecay, Selector, Side};
use super::{Budget, Evaluator, Explored, RunLimits, SolverEvaluator, Stop, run};
use crate::queue::Queue;

fn source() -> Source {
    Source::engine("scripted", "1")
}

fn selector<G: Explored>(number: u8) -> Box<dyn Selector<G>> {
    match number {
        0 => Box::new(DropOut::new(Side::Both)),
        1 => Box::new(DropOut::new(Side::First)),
        2 => Box::new(DropOut::new(Side::Second)),
        _ => Box::new(EvalDecay::default()),
    }
}

fn explorer<G: Explored>(store: &Arc<dyn Store>, root: &G, number: u8, most_plies: u16) -> Explorer<G> {
    let settings =
        Settings { selector: selector(number), most_plies, sources: vec![source()], leases: None, requests: None };
    Explorer::open(Arc::clone(store), root.clone(), settings).expect("it is in RAM")
}

fn next<G: Explored>(explorer: &mut Explorer<G>) -> Option<Job<G>> {
    match explorer.next(&source()).expect("it is in RAM") {
        Next::Search(job) => Some(*job),
        _ => None,
    }
}

/// Grows a tree by `searches`, with up to three under way at a time. After each it compares every node with the oracle,
/// and the choice with that of a fresh start on the same memory.
fn grow_and_compare<G: Explored>(root: &G, number: u8, most_plies: u16, seed: u64, searches: usize) {
    let store: Arc<dyn Store> = Arc::new(RamStore::new());
    let mut growing = explorer(&store, root, number, most_plies);
    let (mut engine, mut random) = (Scripted::new(seed), Random::new(seed));
    let mut running: Vec<Job<G>> = Vec::new();
    // Of a search that found nothing only the running program knows.
    let mut is_all_in_memory = true;
    for _ in 0..searches {
        let room = 1 + random.below(3);
        while running.len() < room {
            let Some(job) = next(&mut growing) else { break };
            running.push(job);
        }
        if running.is_empty() {
            return;
        }
        let job = running.swap_remove(random.below(running.len()));
        if random.below(8) == 0 {
            growing.abandon(&job);
            continue;
        }
        let found = engine.search(&job.request(), &Stop::default()).expect("scripted").expect("not stopped");
        is_all_in_memory &= growing.learn(&job, &found, &source()).expect("it is in RAM").has_learned;
        let held = running.iter().map(|job| (job.position.key(), job.is_rest())).collect();
        let oracle = Oracle::new(&*store, root, selector(number), most_plies, held);
        oracle.compare(growing.graph());
        if running.is_empty() && is_all_in_memory {
            let [same, fresh] = [&mut growing, &mut explorer(&store, root, number, most_plies)].map(next);
            let choice = |job: &Job<G>| (job.position.clone(), job.moves.clone(), job.cost);
            assert_eq!(same.as_ref().map(choice), fresh.as_ref().map(choice), "a fresh start chooses the same");
            running.extend(same);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_and_costs_are_those_of_a_slow_oracle(seed in any::<u32>(), number in 0u8..4, tracks in 2u8..5, plies in 2u16..9) {
        let rules = Rules { seed, tracks, length: 12, gain: 40, noise: 120, sudden_end: 15 };
        grow_and_compare(&Synthetic::new(rules), number, plies, seed.into(), 45);
    }

    #[test]
    fn cycles_and_shortcuts_change_nothing(seed in any::<u32>(), number in 0u8..4, places in 6u16..40) {
        let rules = MazeRules { exits: 4, ends: 12, noise: 200, ..MazeRules::new(seed, places) };
        let root = (0..places).map(|place| Maze::new(rules, place)).find(|maze| maze.outcome().is_none());
        if let Some(root) = root {
            grow_and_compare(&root, number, u16::MAX, seed.into(), 45);
        }
    }
}

/// Proves a position by a solver that may search very little at a time, and compares with one that may search all.
fn prove<const WIDTH: usize, const HEIGHT: usize>(moves: &str, nodes: u64) -> u64 {
    let root = Board::<WIDTH, HEIGHT>::parse(moves).expect("legal moves");
    let store: Arc<dyn Store> = Arc::new(RamStore::new());
    let solver = || SolverEvaluator::<WIDTH, HEIGHT>::new(1 << 20, Budget::Nodes(nodes)).expect("a megabyte");
    let sources = vec![SolverEvaluator::<WIDTH, HEIGHT>::source_of_solver()];
    let settings = Settings {
        selector: Box::new(DropOut::new(Side::Both)),
        most_plies: u16::MAX,
        sources,
        leases: None,
        requests: None,
    };
    let explorer = Explorer::open(Arc::clone(&store), root, settings).expect("it is in RAM");
    let (outcome, explorer) =
        run(explorer, vec![Box::new(solver())], RunLimits::default(), &Stop::default(), &|_: super::Event<'_, _>| ());
    assert!(matches!(outcome, super::Outcome::Complete), "{outcome:?}");
    let overview = explorer.overview();
    let exact =
        Solver::<WIDTH, HEIGHT>::new(1 << 20).expect("a megabyte").solve(&root, Precision::Strong).expect("solved");
    assert!(overview.is_settled);
    assert_eq!(overview.score.map(i32::from), Some(exact.score), "{moves}");
    let known = crate::views(&*store, &format!("connect4-{WIDTH}x{HEIGHT}"), &[super::node::pack(&root).into()]);
    let record = known.expect("it is in RAM").remove(0).remove(0).1;
    assert!(record.is_proven() && i32::from(record.lower.score) == exact.score, "the memory has the proof: {record:?}");
    explorer.graph().len() as u64
}

#[test]
fn small_boards_are_proven_by_their_tree() {
    let sizes = [prove::<6, 5>("34", 1), prove::<5, 5>("", 1)];
    assert!(sizes.iter().all(|&size| size > 5), "the tree was needed: {sizes:?}");
    for moves in ["", "1", "33", "3342"] {
        prove::<5, 4>(moves, 1);
    }
}

#[test]
fn a_position_that_the_solver_can_solve_needs_no_tree() {
    assert_eq!(prove::<5, 4>("", 1 << 30), 1);
}

#[test]
fn what_was_asked_for_is_searched_first_and_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let memory = folder.path().join("memory");
    let asked: Vec<Box<dyn crate::notation::Position>> = ["3342", "3341", "33"]
        .map(|moves| crate::notation::read(&[moves.to_owned()], Some("connect4-5x4")).expect("legal moves"))
        .into();
    let queue = Queue::beside(&memory);
    asked.iter().for_each(|position| assert!(queue.push(&**position).expect("written")));
    let store: Arc<dyn Store> = Arc::new(RamStore::new());
    let solver = SolverEvaluator::<5, 4>::new(1 << 20, Budget::Nodes(1)).expect("a megabyte");
    let settings = Settings {
        selector: Box::new(DropOut::new(Side::Both)),
        most_plies: u16::MAX,
        sources: vec![SolverEvaluator::<5, 4>::source_of_solver()],
        leases: None,
        requests: Some(Queue::beside(&memory)),
    };
    let root = Board::<5, 4>::parse("1").expect("legal moves");
    let explorer = Explorer::open(Arc::clone(&store), root, settings).expect("it is in RAM");
    let searched = std::sync::Mutex::new(Vec::new());
    let watch = |event: super::Event<'_, Board<5, 4>>| {
        if let super::Event::Begun { job, .. } = event {
            searched.lock().expect("no panic").push((super::node::pack(&job.position), job.is_requested));
        }
    };
    let limits = RunLimits { searches: Some(6), ..RunLimits::default() };
    let (_, explorer) = run(explorer, vec![Box::new(solver)], limits, &Stop::default(), &watch);
    let searched = searched.into_inner().expect("no panic");
    let mut requested: Vec<&[u8]> = searched[..3].iter().map(|(packed, _)| &**packed).collect();
    let mut expected: Vec<Vec<u8>> = asked.iter().map(|position| position.packed()).collect();
    requested.sort_unstable();
    expected.sort_unstable();
    assert_eq!(requested, expected, "the requests came first");
    assert!(searched[..3].iter().all(|(_, is_requested)| *is_requested));
    assert!(searched[3..].iter().all(|(_, is_requested)| !is_requested), "each once, then the tree");
    let by_ply = explorer.overview().by_ply;
    assert!(
        by_ply.iter().sum::<usize>() >= 1 && by_ply.len() <= 20,
        "what was asked for is not below the root: {by_ply:?}"
    );
    assert!(queue.take("connect4-5x4").expect("read").is_empty());
}

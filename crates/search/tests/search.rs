//! Limits, the stop flag, reports, lines of play, and what the statistics mean.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mnemon_search::games::{Rules, Synthetic, TicTacToe};
use mnemon_search::{Algorithm, Game, Iteration, Keep, Limits, Outcome, Search, SearchOutcome, Silent, WINS, minimax};
use mnemon_table::{Bound, Entry, Table, Window};

fn root() -> Synthetic {
    Synthetic::new(Rules { seed: 9, tracks: 6, length: 60, gain: 12, noise: 30, sudden_end: 0 })
}

fn table() -> Table {
    Table::new(1 << 20).expect("a megabyte")
}

fn search_to(depth: u8, algorithm: Algorithm, keep: Keep) -> SearchOutcome<u8> {
    let table = table();
    Search { algorithm, keep, limits: Limits::depth(depth), ..Search::new(&table) }.run(&root(), &mut Silent)
}

#[test]
fn one_thread_repeats_itself_to_the_node() {
    for algorithm in Algorithm::ALL {
        let nodes = || search_to(7, algorithm, Keep::Both).stats;
        assert_eq!(nodes(), nodes(), "{algorithm:?}");
    }
}

#[test]
fn the_node_limit_is_exact_on_one_thread() {
    for nodes in [0, 1, 2, 1023, 1024, 1025, 50_000] {
        let table = table();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let outcome = Search { limits, ..Search::new(&table) }.run(&root(), &mut Silent);
        assert_eq!(outcome.stats.nodes, nodes);
        assert!(outcome.best.is_some(), "even without a node there is a move to play");
    }
}

#[test]
fn the_node_limit_counts_all_threads() {
    let table = table();
    let limits = Limits { nodes: Some(100_000), ..Limits::default() };
    let outcome = Search { limits, threads: 2, ..Search::new(&table) }.run(&root(), &mut Silent);
    let slack = 2 * 1024;
    assert!((100_000..100_000 + slack).contains(&outcome.stats.nodes), "{}", outcome.stats.nodes);
}

#[test]
fn the_time_limit_ends_a_search_without_end() {
    let table = table();
    let limits = Limits { time: Some(Duration::from_millis(30)), ..Limits::default() };
    let outcome = Search { limits, threads: 2, ..Search::new(&table) }.run(&root(), &mut Silent);
    assert!(outcome.time >= Duration::from_millis(30) && outcome.best.is_some());
}

#[test]
fn the_stop_flag_ends_the_search_and_keeps_the_last_iteration() {
    let (table, stop) = (table(), AtomicBool::new(false));
    let mut last = None;
    let mut report = |iteration: &Iteration<u8>| {
        stop.store(iteration.depth == 4, Ordering::Relaxed);
        last = Some(iteration.clone());
    };
    let outcome = Search { stop: &stop, threads: 2, ..Search::new(&table) }.run(&root(), &mut report);
    let last = last.expect("four iterations were finished");
    assert_eq!((outcome.depth, outcome.score, &outcome.pv), (4, last.score, &last.pv));
}

#[test]
fn a_search_stopped_before_it_begins_still_has_a_move() {
    let (table, stop) = (table(), AtomicBool::new(true));
    let outcome = Search { stop: &stop, ..Search::new(&table) }.run(&root(), &mut Silent);
    assert_eq!((outcome.depth, outcome.score), (0, root().evaluate()));
    assert!(outcome.best.is_some());
}

#[test]
fn every_iteration_is_reported() {
    let table = table();
    let mut seen: Vec<Iteration<u8>> = Vec::new();
    let search = Search { limits: Limits::depth(8), ..Search::new(&table) };
    let outcome = search.run(&root(), &mut |iteration: &Iteration<u8>| seen.push(iteration.clone()));
    assert_eq!(seen.iter().map(|iteration| iteration.depth).collect::<Vec<_>>(), (1..=8).collect::<Vec<_>>());
    assert!(seen.iter().all(|iteration| iteration.bound == Bound::Exact && !iteration.pv.is_empty()));
    assert!(seen.is_sorted_by_key(|iteration| (iteration.nodes, iteration.time)));
    let last = seen.last().expect("eight iterations");
    assert_eq!((last.nodes, last.score), (outcome.stats.nodes, outcome.score));
    assert!(last.hashfull > 0, "the table has filled");
}

#[test]
fn a_search_repeated_on_a_warm_table_visits_only_the_root() {
    let table = table();
    let search = Search { limits: Limits::depth(8), ..Search::new(&table) };
    let cold = search.run(&root(), &mut Silent);
    let warm = search.run(&root(), &mut Silent);
    assert_eq!((warm.score, warm.best), (cold.score, cold.best));
    assert_eq!((warm.stats.nodes, warm.stats.exact_cutoffs), (8, 8), "one node and one cutoff for each iteration");
}

#[test]
fn the_statistics_add_up() {
    let with = search_to(8, Algorithm::Pvs, Keep::Both).stats;
    let cutoffs = with.exact_cutoffs + with.lower_cutoffs + with.upper_cutoffs;
    assert!(with.probes >= with.hits && with.hits >= cutoffs && cutoffs > 0);
    assert!(
        with.nodes >= with.probes && with.probes - cutoffs == with.stores,
        "every probe without a cutoff leads to a store"
    );
    let without = search_to(8, Algorithm::Pvs, Keep::Nothing).stats;
    assert_eq!((without.probes, without.hits, without.stores), (0, 0, 0));
    assert!(without.nodes > 2 * with.nodes, "{} nodes with a table, {} without", with.nodes, without.nodes);
}

#[test]
fn each_setting_of_keep_cuts_off_by_its_own_bounds_only() {
    let stats = |keep| search_to(8, Algorithm::Negamax, keep).stats;
    let upper = stats(Keep::Upper);
    assert_eq!((upper.exact_cutoffs, upper.lower_cutoffs), (0, 0));
    assert!(upper.upper_cutoffs > 0);
    let exact = stats(Keep::Exact);
    assert_eq!((exact.lower_cutoffs, exact.upper_cutoffs), (0, 0));
    assert!(exact.exact_cutoffs > 0);
    let moves = stats(Keep::Moves);
    assert_eq!(moves.exact_cutoffs + moves.lower_cutoffs + moves.upper_cutoffs, 0);
    assert!(moves.hits > 0);
}

#[test]
fn hash_moves_only_order_the_search() {
    let (with, without) = (table(), table());
    let limits = Limits::depth(7);
    let with = Search { limits, ..Search::new(&with) }.run(&root(), &mut Silent);
    let without = Search { limits, hash_moves: false, ..Search::new(&without) }.run(&root(), &mut Silent);
    assert_eq!(with.score, without.score);
    assert_ne!(with.stats.nodes, without.stats.nodes, "the order differs");
}

#[test]
fn a_full_table_tells_collisions_apart() {
    let table: Table = Table::new(64).expect("one cluster");
    let outcome = Search { limits: Limits::depth(6), ..Search::new(&table) }.run(&root(), &mut Silent);
    assert!(outcome.stats.collisions_avoided > 0);
}

#[test]
fn the_line_leads_to_the_score() {
    for algorithm in Algorithm::ALL {
        let outcome = search_to(8, algorithm, Keep::Both);
        assert_eq!(outcome.pv.len(), 8, "{algorithm:?}");
        let leaf = outcome.pv.iter().fold(root(), |position, &mv| position.play(mv));
        assert_eq!(leaf.evaluate(), outcome.score, "{algorithm:?}: after eight plies the same side is to move");
    }
}

#[test]
fn a_finished_game_has_a_score_but_no_move() {
    let lost = [0, 4, 1, 8, 2].iter().fold(TicTacToe::new(), |position, &cell| position.play(cell));
    assert_eq!(lost.outcome(), Some(Outcome::Loss));
    let table = table();
    for algorithm in Algorithm::ALL {
        let search = Search { algorithm, limits: Limits::depth(3), ..Search::new(&table) };
        let outcome = search.run(&lost, &mut Silent);
        assert_eq!((outcome.best, outcome.score), (None, WINS.lost_at(0)), "{algorithm:?}");
    }
}

#[test]
fn a_stored_score_at_a_leaf_makes_the_search_deeper() {
    for algorithm in Algorithm::ALL {
        let table = table();
        // Every position after four moves, searched three plies deep; the other entries of those searches are cleared.
        let mut stored = Vec::new();
        each_after(root(), 4, &mut |position| {
            table.clear(1);
            let deep =
                Search { algorithm, limits: Limits::depth(3), ..Search::new(&table) }.run(&position, &mut Silent);
            stored.push((position.key(), deep.score));
        });
        let searched = |probe_leaves| {
            table.clear(1);
            for &(key, score) in &stored {
                table.store(key, Entry { window: Window::exact(score), depth: 3, ..Entry::default() });
            }
            Search { algorithm, limits: Limits::depth(4), probe_leaves, ..Search::new(&table) }
                .run(&root(), &mut Silent)
        };
        let (four, seven) = (minimax::alpha_beta(&root(), 4), minimax::alpha_beta(&root(), 7));
        assert_ne!(four, seven, "the depth matters here");
        assert_eq!((searched(true).score, searched(false).score), (seven, four), "{algorithm:?}");
    }
}

/// Calls `each` with every position after this number of moves, once for each path to it.
fn each_after(position: Synthetic, moves: u8, each: &mut impl FnMut(Synthetic)) {
    if moves == 0 {
        return each(position);
    }
    let mut legal = Vec::new();
    position.moves(&mut legal);
    legal.into_iter().for_each(|mv| each_after(position.play(mv), moves - 1, each));
}

#[test]
fn a_stored_bound_at_a_leaf_clamps_the_evaluation() {
    let (table, root) = (table(), root());
    let mut moves = Vec::new();
    root.moves(&mut moves);
    let search = Search { limits: Limits::depth(1), probe_leaves: true, ..Search::new(&table) };
    for (window, expected) in [(Window::at_least(1000), -1000), (Window::at_most(-1000), 1000)] {
        table.clear(1);
        for &mv in &moves {
            table.store(root.play(mv).key(), Entry { window, ..Entry::default() });
        }
        let outcome = search.run(&root, &mut Silent);
        assert_eq!(outcome.score, expected);
        assert!(
            table.probe(root.play(moves[0]).key()).is_some_and(|entry| entry.window == window),
            "nothing is stored"
        );
    }
}

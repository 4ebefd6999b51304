//! Reading the best moves first: without a limit everything that a walk level by level finds, with one the main line.

use std::collections::BTreeMap;

use mnemon_memory::recall::{Budget, KnownGraph, explore, explore_best_first};
use mnemon_memory::{Item, Key, RamStore, Record, Source, Store};
use mnemon_search::Game;
use mnemon_search::games::TicTacToe;

fn item(position: &TicTacToe, record: Record) -> Item {
    let mut packed = Vec::new();
    position.pack(&mut packed);
    Item { key: Key::new(&(*TicTacToe::name()).into(), packed, &Source::engine("test", "1")), record }
}

/// A memory that knows everything to some plies, and a score for each position by the number of its line.
fn known_to(plies: u16) -> RamStore {
    let store = RamStore::new();
    let mut level = vec![TicTacToe::new()];
    for ply in 0..=plies {
        let scored = |(number, position)| item(position, Record::exact((number % 7) as i16, 9 - ply as u8));
        store.merge_many(&level.iter().enumerate().map(scored).collect::<Vec<_>>()).expect("RAM");
        level = level.iter().flat_map(children).collect();
    }
    store
}

fn children(position: &TicTacToe) -> Vec<TicTacToe> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().map(|mv| position.play(mv)).collect()
}

/// Each position with its ply, its records and the positions that its moves lead to.
type Contents = BTreeMap<Vec<u8>, (u16, Vec<Record>, Vec<(u16, Option<Vec<u8>>)>)>;

fn contents(graph: &KnownGraph<TicTacToe>) -> Contents {
    let packed = |number: usize| graph.nodes[number].packed.to_vec();
    let one = |number: usize| {
        let node = &graph.nodes[number];
        let moves = node.moves.iter().map(|&(code, child)| (code, child.map(packed))).collect();
        (packed(number), (node.ply, node.records.iter().map(|&(_, record)| record).collect(), moves))
    };
    (0..graph.nodes.len()).map(one).collect()
}

#[test]
fn without_a_limit_both_ways_find_the_same() {
    let store = known_to(4);
    let root = TicTacToe::new();
    let (broad, best) =
        (explore(&store, &root, Budget::UNLIMITED), explore_best_first(&store, &root, Budget::UNLIMITED));
    let (broad, best) = (broad.expect("RAM"), best.expect("RAM"));
    assert!(broad.is_complete && best.is_complete && broad.nodes.len() > 500);
    assert_eq!(contents(&broad), contents(&best));
}

#[test]
fn a_small_budget_reads_the_best_line_before_the_others() {
    let store = RamStore::new();
    // A line whose positions are worth 50 for the side that goes along it; every other move is worth less.
    let mut position = TicTacToe::new();
    let mut line = Vec::new();
    for ply in 0..8_u8 {
        let sign = if ply % 2 == 0 { 50 } else { -50 };
        let all = children(&position);
        let side_moves: Vec<Item> = all.iter().map(|child| item(child, Record::exact(sign - 10, 5))).collect();
        store.merge_many(&side_moves).expect("RAM");
        store.merge_many(&[item(&position, Record::exact(sign, 9))]).expect("RAM");
        position = all[0];
        line.push(position);
        store.merge_many(&[item(&position, Record::exact(-sign, 9))]).expect("RAM");
        if position.outcome().is_some() {
            break;
        }
    }
    // The root and all moves of five plies.
    let budget = Budget { positions: 36, ..Budget::UNLIMITED };
    let known = explore_best_first(&store, &TicTacToe::new(), budget).expect("RAM");
    assert!(known.nodes.len() == 36 && !known.is_complete);
    for position in &line[..5] {
        let mut packed = Vec::new();
        position.pack(&mut packed);
        assert!(known.nodes.iter().any(|node| *node.packed == *packed), "{position:?}");
    }
}

#[test]
fn a_root_that_is_not_known_is_there_alone() {
    let known = explore_best_first(&RamStore::new(), &TicTacToe::new(), Budget::UNLIMITED).expect("RAM");
    assert!(known.nodes.len() == 1 && known.nodes[0].records.is_empty() && known.nodes[0].moves.len() == 9);
    assert!(known.is_complete && known.looked_up == 10);
    let shallow = Budget { plies: 1, ..Budget::UNLIMITED };
    let known = explore_best_first(&known_to(3), &TicTacToe::new(), shallow).expect("RAM");
    assert_eq!(known.nodes.len(), 10);
}

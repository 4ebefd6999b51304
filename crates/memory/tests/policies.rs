//! Each policy has the effect that its author described.

mod common;

use std::sync::Arc;

use common::scanned;
use common::sessions::{engine, fill, restarted, search};
use mnemon_memory::policy::{Bebe, Crafty, Policy, Rote, Searched, Slate};
use mnemon_memory::recall::Budget;
use mnemon_memory::{Age, Flags, Item, Key, Memory, RamStore, Range, Record, Session, Store};
use mnemon_search::games::{Rules, Synthetic};
use mnemon_search::{Game, Limits, Silent, minimax};
use mnemon_table::{Score, Table, Window};

fn start(seed: u32) -> Synthetic {
    Synthetic::new(Rules { gain: 60, ..Rules::noise(seed, 4, 24, 40) })
}

fn roots(store: &RamStore) -> Vec<Item> {
    scanned(store, &Range { roots: Some(Age::OldestFirst), ..Range::default() })
}

fn children<G: Game>(position: &G) -> Vec<G> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().map(|mv| position.play(mv)).collect()
}

/// Samuel: if every leaf has a record of a two-ply search, a search of two plies has the score of four.
#[test]
fn rote_makes_a_search_effectively_deeper() {
    let mut changed = 0;
    for seed in 0..20 {
        let root = start(seed);
        let store = Arc::new(RamStore::new());
        let rote = Policy::Rote(Rote::default());
        let mut session = restarted(&store, rote);
        for leaf in children(&root).iter().flat_map(children) {
            search(&mut session, &leaf, 2, 2);
        }
        let mut session = restarted(&store, rote);
        let settings = |search: &mut mnemon_search::Search<'_, _, _>| {
            search.limits = Limits::depth(2);
            search.probe_leaves = true;
        };
        let score = session.search(&root, 0, settings, &mut Silent).expect("RAM does not fail").search.score;
        let [two, four] = [2, 4].map(|depth| minimax::value(&root, depth));
        assert!((score - four).abs() <= 1, "seed {seed}: {score}, four plies give {four}");
        changed += usize::from(score != two);
    }
    assert!(changed >= 15, "{changed} of 20 are not the score of two plies");
}

fn learn_roots(memory: &mut Memory, positions: &[(u16, u32)]) {
    let table = Arc::new(Table::<mnemon_table::Wide>::new(1 << 16).expect("a small table"));
    for &(plies, time) in positions {
        let position = (0..plies).fold(start(1), |position, ply| position.play((ply / 2 % 4) as u8));
        let searched = Searched { score: 50, depth: 4, previous: Some(400), time, ..Searched::default() };
        memory.finish(&position, &table, searched, Vec::new());
    }
    memory.sync().expect("RAM does not fail");
}

fn times(store: &RamStore) -> Vec<u32> {
    roots(store).iter().map(|item| item.record.time).collect()
}

/// Samuel: the record that was not used for the longest time is deleted beyond the limit.
#[test]
fn rote_deletes_by_age_and_renews_what_a_search_used() {
    let store = Arc::new(RamStore::new());
    let mut memory = Memory::new(store.clone(), engine(), Policy::Rote(Rote { limit: Some(3) }));
    learn_roots(&mut memory, &[(0, 100), (2, 101), (4, 102)]);
    let table: Arc<Table> = Arc::new(Table::new(1 << 16).expect("a small table"));
    let recalled = memory.begin(&start(1), &table, Budget::PLAYING, None).expect("RAM");
    assert_eq!(recalled.own.len(), 3, "all of them are in the table");
    let used = recalled.used_by(&[start(1).key(), 77]);
    assert_eq!(used.len(), 1, "the oldest one is used by the search");
    memory.finish(&start(1).play(3), &table, Searched { depth: 1, time: 103, ..Searched::default() }, used);
    memory.sync().expect("RAM does not fail");
    assert_eq!(times(&store), [102, 103, 103], "that of 101 was deleted, that of 100 has the time of its use");
}

/// Crafty: first in, first out.
#[test]
fn crafty_keeps_a_limited_number_of_positions() {
    let store = Arc::new(RamStore::new());
    let mut memory = Memory::new(store.clone(), engine(), Policy::Crafty(Crafty { limit: 3, ..Crafty::default() }));
    learn_roots(&mut memory, &[(0, 103), (2, 101), (4, 102), (6, 104), (8, 105)]);
    assert_eq!(times(&store), [103, 104, 105]);
    assert_eq!(Crafty::default().limit, 65_536);
}

/// Crafty: all records enter the table, whatever the root.
#[test]
fn crafty_fills_the_table_with_every_record() {
    let store = Arc::new(RamStore::new());
    let policy = Policy::Crafty(Crafty::default());
    learn_roots(&mut Memory::new(store.clone(), engine(), policy), &[(2, 1), (9, 2), (16, 3)]);
    let table: Table = Table::new(1 << 16).expect("a small table");
    let elsewhere = start(1).play(3);
    assert_eq!(fill(&*store, &policy, &elsewhere, &table, Budget::PLAYING).0, 3);
}

/// Bebe: the roots of the first game enter the table in the second, as score ± tolerance.
#[test]
fn bebe_recalls_every_root_of_the_last_game() {
    let store = Arc::new(RamStore::new());
    let bebe = Policy::Bebe(Bebe { tolerance: 15, contempt: 0 });
    let mut position = start(2);
    let mut session = restarted(&store, bebe);
    let mut game = Vec::new();
    for ply in 0..6 {
        let answer = search(&mut session, &position, ply, 4).search;
        game.push((position, answer.score, answer.best));
        position = position.play(answer.best.expect("the game goes on"));
    }
    assert_eq!(roots(&store).len(), 6, "one record for every root");
    let table: Table = Table::new(1 << 16).expect("a small table");
    fill(&*store, &bebe, &start(2), &table, Budget::UNLIMITED);
    for (ply, (position, score, best)) in game.into_iter().enumerate() {
        let entry = table.probe(position.key()).expect("recalled");
        assert_eq!(entry.window, Window { lower: score - 15, upper: score + 15 }, "ply {ply}");
        assert_eq!((entry.depth, entry.best), (4, best.map_or(0, |mv| Synthetic::code(mv).get())));
    }
    let plies: Vec<u16> = roots(&store).iter().map(|item| item.record.game_ply).collect();
    assert_eq!(plies.iter().max(), Some(&5), "with its move number");
}

/// One game: the learner searches three plies and moves first, its opponent six and learns nothing. The moves, and the
/// result for the learner.
fn game(seed: u32, session: &mut Session, opponent: &mut Session) -> (Vec<u8>, Score) {
    let mut position = start(seed);
    let mut moves = Vec::new();
    session.new_game();
    while position.outcome().is_none() {
        let ply = moves.len() as u16;
        let outcome = if ply.is_multiple_of(2) {
            search(session, &position, ply, 3)
        } else {
            search(opponent, &position, ply, 6)
        };
        let mv = outcome.search.best.expect("the game goes on");
        moves.push(mv);
        position = position.play(mv);
    }
    let score = position.outcome().expect("over").score(0);
    (moves, if position.ply().is_multiple_of(2) { score } else { -score })
}

/// The number of games that were lost, and of those that were played differently the second time.
fn replayed(policy: Policy) -> (usize, usize) {
    let (mut lost, mut varied) = (0, 0);
    for seed in 0..40 {
        let store = Arc::new(RamStore::new());
        let results = [(); 2].map(|()| {
            // Both start with empty tables: only the memory has the first game.
            game(seed, &mut restarted(&store, policy), &mut restarted(&Arc::default(), Policy::Off))
        });
        let [first, second] = results;
        if first.1 < 0 {
            lost += 1;
            varied += usize::from(first.0 != second.0);
        }
    }
    (lost, varied)
}

/// Slate and Crafty: a game that was lost is not lost again in the same way.
#[test]
fn a_lost_game_is_not_lost_again_in_the_same_way() {
    let (lost, varied) = replayed(Policy::Off);
    assert!(lost >= 15 && varied == 0, "without learning all {lost} lost games are lost again");
    let slate = Policy::Slate(Slate { drop: 20, ..Slate::default() });
    let crafty = Policy::Crafty(Crafty { drop: 20, ..Crafty::default() });
    for policy in [slate, crafty] {
        let (lost, varied) = replayed(policy);
        assert!(varied * 10 >= lost * 9, "{}: {varied} of {lost} varied", policy.name());
    }
}

#[test]
fn off_and_read_only_learn_nothing() {
    for name in ["off", "read-only"] {
        let store = Arc::new(RamStore::new());
        let policy = Policy::named(name).expect("a policy");
        search(&mut restarted(&store, policy), &start(1), 0, 5);
        assert_eq!(store.statistics().expect("RAM does not fail").records(), 0, "{name}");
    }
    let store = Arc::new(RamStore::new());
    search(&mut restarted(&store, Policy::named("resume").expect("a policy")), &start(1), 0, 7);
    let read_only = search(&mut restarted(&store, Policy::named("read-only").expect("a policy")), &start(1), 0, 7);
    assert!(read_only.recalled.entries > 0 && read_only.search.stats.nodes < 20, "read-only recalls");
    assert_eq!(search(&mut restarted(&store, Policy::Off), &start(1), 0, 3).recalled.entries, 0);
}

#[test]
fn every_policy_has_its_name() {
    for name in Policy::NAMES {
        assert_eq!(Policy::named(name).map(|policy| policy.name()), Some(name));
    }
    assert_eq!(Policy::named("samuel"), None);
}

#[test]
fn a_root_is_flagged_as_one() {
    let store = Arc::new(RamStore::new());
    search(&mut restarted(&store, Policy::named("bebe").expect("a policy")), &start(1), 7, 3);
    let [Item { key: Key { source, .. }, record: Record { flags, root_ply, game_ply, .. } }] = &roots(&store)[..]
    else {
        panic!("one root")
    };
    assert_eq!((source, *flags, *root_ply, *game_ply), (&engine(), Flags::ROOT, 0, 7));
}

//! Backed-up values, on small graphs drawn by hand and on whole games.

mod common;

use std::num::NonZeroU16;
use std::sync::Arc;

use common::sessions::{engine, fill, restarted, search};
use mnemon_memory::policy::tree::{BackedUpValue, back_up, value};
use mnemon_memory::policy::{Policy, Tree};
use mnemon_memory::recall::{Budget, explore};
use mnemon_memory::{Claim, Item, Key, PROVEN, RamStore, Record, Store, Trust};
use mnemon_search::games::{Rules, Synthetic, TicTacToe};
use mnemon_search::{Game, Outcome, minimax};
use mnemon_table::{Score, Table, Window};

/// A position is a letter; each leads to others.
///
/// ```text
/// A ─► B ─► D ─► A        B and C both lead to D, which leads back to A
///  ├─► C ─► D
///  └─► E ─► F
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Letter(u8);

const EDGES: [&[u8]; 6] = [b"BCE", b"D", b"D", b"A", b"F", b""];

impl Game for Letter {
    type Move = u8;
    const CYCLES: bool = true;
    fn name() -> std::borrow::Cow<'static, str> {
        "letters".into()
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.0 == b'F').then_some(Outcome::Draw)
    }
    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(EDGES[usize::from(self.0 - b'A')]);
    }
    fn play(&self, letter: u8) -> Self {
        Letter(letter)
    }
    fn evaluate(&self) -> Score {
        0
    }
    fn key(&self) -> u64 {
        u64::from(self.0) << 40
    }
    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.push(self.0);
    }
    fn unpack(bytes: &[u8]) -> Option<Self> {
        bytes.first().map(|&letter| Letter(letter))
    }
    fn code(letter: u8) -> NonZeroU16 {
        NonZeroU16::MIN.saturating_add(letter.into())
    }
}

fn code(letter: u8) -> u16 {
    Letter::code(letter).get()
}

fn known(records: &[(u8, Record)]) -> RamStore {
    let store = RamStore::new();
    let game = Letter::name().into();
    let item = |&(letter, record): &(u8, Record)| Item { key: Key::new(&game, [letter], &engine()), record };
    store.merge_many(&records.iter().map(item).collect::<Vec<_>>()).expect("RAM does not fail");
    store
}

fn value_of(letter: u8, records: &[(u8, Record)]) -> BackedUpValue {
    let known = explore(&known(records), &Letter(letter), Budget::UNLIMITED).expect("RAM does not fail");
    value(&known, &Trust::default(), &engine()).expect("something is known")
}

fn exact(score: Score, depth: u8, best: u8) -> Record {
    Record { best: code(best), ..Record::exact(score, depth) }
}

fn window(value: &BackedUpValue) -> (Window, u8) {
    value.record.window()
}

#[test]
fn a_deeper_search_of_the_best_move_changes_its_parent_at_once() {
    let direct = (b'A', exact(30, 10, b'B'));
    let alone = value_of(b'A', &[direct]);
    assert_eq!((window(&alone), alone.line, alone.leaf), ((Window::exact(30), 10), vec![], 0));
    // A deeper search of the child has a better score: the value rises.
    let better = value_of(b'A', &[direct, (b'B', exact(-80, 12, b'D'))]);
    assert_eq!(better.record.lower, Claim::new(80, 13));
    assert_eq!((window(&better).0, better.line, better.leaf), (Window::exact(80), vec![code(b'B')], 1));
    // A worse score: the lower bound falls to it, and the upper bound stays that of the other moves at depth 10.
    let worse = value_of(b'A', &[direct, (b'B', exact(50, 12, b'D'))]);
    assert_eq!(window(&worse).0, Window { lower: -50, upper: 30 });
    // A search of another move makes that the best.
    let other = value_of(b'A', &[direct, (b'B', exact(50, 12, b'D')), (b'C', exact(-20, 12, b'D'))]);
    assert_eq!((other.record.lower, other.record.best), (Claim::new(20, 13), code(b'C')));
}

#[test]
fn a_deep_look_at_a_bad_move_changes_nothing_above_it() {
    let value = value_of(b'A', &[(b'A', exact(30, 10, b'B')), (b'E', exact(700, 30, b'F'))]);
    assert_eq!((value.record.lower, value.record.best), (Claim::new(30, 10), code(b'B')));
    assert_eq!(value.record.upper.score, 30);
}

#[test]
fn the_direct_search_counts_where_it_is_deeper() {
    let value = value_of(b'A', &[(b'A', exact(30, 10, b'B')), (b'B', exact(50, 6, b'D')), (b'C', exact(-90, 6, b'D'))]);
    assert_eq!(window(&value), (Window::exact(30), 10));
    assert_eq!((value.line, value.leaf), (vec![], 0));
}

#[test]
fn with_every_move_known_more_deeply_the_direct_search_is_forgotten() {
    let records = [
        (b'A', exact(30, 5, b'B')),
        (b'B', exact(10, 12, b'D')),
        (b'C', exact(-5, 12, b'D')),
        (b'E', Record { best: code(b'F'), ..Record::exact(40, 11) }),
    ];
    assert_eq!(window(&value_of(b'A', &records)), (Window::exact(5), 12), "the depth is that of the shallowest move");
}

#[test]
fn wins_come_nearer_by_one_ply_a_move() {
    let lost_in_4 = Record::exact(-16_000 + 4, PROVEN);
    let value = value_of(b'A', &[(b'B', lost_in_4)]);
    assert_eq!(value.record.lower, Claim::new(16_000 - 5, PROVEN));
}

#[test]
fn a_cycle_gives_nothing_and_ends() {
    // A and D lead to each other through B and C, and D's score is too high to be kept by going round.
    let records = [(b'A', exact(10, 8, b'B')), (b'B', exact(0, 3, b'D')), (b'D', exact(60, 9, b'A'))];
    for letter in *b"ABD" {
        let value = value_of(letter, &records);
        assert!(value.line.len() <= 4, "{value:?}");
        assert!(value.record.lower.depth <= 12, "no depth is gained by going round: {value:?}");
    }
    let from_a = value_of(b'A', &records);
    assert_eq!(from_a.record.lower, Claim::new(60, 11), "through B, which is worth -60 by D's own search");
    assert_eq!((from_a.line, from_a.leaf), (vec![code(b'B'), code(b'D')], 2));
}

/// D's lower bound is A's upper bound, which comes from A's own search of the moves without records, and not from B, however
/// deep.
#[test]
fn a_line_ends_where_its_bound_was_searched() {
    let records = [(b'D', exact(-5, 3, b'A')), (b'A', exact(30, 10, b'B')), (b'B', exact(50, 12, b'D'))];
    let value = value_of(b'D', &records);
    assert_eq!(value.record.lower, Claim::new(-30, 11));
    assert_eq!((value.line, value.leaf), (vec![code(b'A')], 1));
}

#[test]
fn nothing_known_has_no_value() {
    let known = explore(&RamStore::new(), &Letter(b'A'), Budget::UNLIMITED).expect("RAM does not fail");
    assert_eq!(value(&known, &Trust::default(), &engine()), None);
}

/// Every backed-up bound holds: with a whole game searched to different depths, proven bounds agree with the game's value.
#[test]
fn proven_values_backed_up_are_the_games_own() {
    let store = Arc::new(RamStore::new());
    let mut session = restarted(&store, Policy::Tree(Tree::default()));
    for depth in [3, 9, 5] {
        search(&mut session, &TicTacToe::new(), 0, depth);
    }
    let known = explore(&*store, &TicTacToe::new(), Budget::UNLIMITED).expect("RAM does not fail");
    let values = back_up(&known, &Trust::default(), &engine());
    let mut proven = 0;
    for (node, value) in known.nodes.iter().zip(values).filter(|(node, _)| node.position.outcome().is_none()) {
        let truth = minimax::alpha_beta(&node.position, 9);
        if value.lower.is_known() && value.lower.depth == PROVEN {
            assert!(value.lower.score <= truth, "{:?}", node.position);
            proven += 1;
        }
        if value.upper.is_known() && value.upper.depth == PROVEN {
            assert!(value.upper.score >= truth, "{:?}", node.position);
            proven += 1;
        }
    }
    assert!(proven > 500, "{proven} proven bounds");
}

/// After a search of the best move, the root's value has changed without a new search of the root.
#[test]
fn the_root_learns_from_the_variations() {
    let mut changed = 0;
    for seed in 0..20 {
        let root = Synthetic::new(Rules { gain: 60, ..Rules::noise(seed, 4, 20, 40) });
        let store = Arc::new(RamStore::new());
        let policy = Policy::Tree(Tree::default());
        let mut session = restarted(&store, policy);
        let first = search(&mut session, &root, 0, 4).search;
        let best = root.play(first.best.expect("the game goes on"));
        let below = search(&mut session, &best, 1, 8).search;
        let table: Table = Table::new(4 << 20).expect("four megabytes");
        fill(&*store, &policy, &root, &table, Budget::UNLIMITED);
        let entry = table.probe(root.key()).expect("recalled");
        assert!(entry.window.lower >= -below.score, "seed {seed}: at least what the best move is now worth");
        changed += usize::from(entry.window.lower != first.score);
    }
    assert!(changed >= 15, "{changed} of 20 changed");
}

//! Two threads on a table so small that all keys collide: every entry that a probe returns must be one that was stored
//! for its key, whole.
//!
//! `MNEMON_STRESS_OPERATIONS` is the number of operations of the longest test (10^8 if unset); the others make a tenth.

mod common;

use std::thread;

use common::{kept, mix};
use mnemon_table::replace::{Aged, Replace, SchemeVisitor, TwoDeep, each_scheme};
use mnemon_table::{Compact, Dense, Entry, Full, Layout, Score, Table, Wide, Window};

/// Small scores, five bits of move, six of depth, six of work.
type Small = Compact<31, 5, 6, 6>;

const THREADS: u64 = 2;
const KEYS: u64 = 12;

fn operations() -> u64 {
    let wanted = std::env::var("MNEMON_STRESS_OPERATIONS").ok();
    wanted.map_or(100_000_000, |wanted| wanted.parse().expect("MNEMON_STRESS_OPERATIONS is a number"))
}

/// An entry that is stored for this key only, as the layout keeps it. Its variants (up to 4) differ in depth, so that
/// their windows are never intersected.
fn variant<L: Layout>(key: u64, number: u64) -> Entry {
    let bits = mix(key ^ mix(number));
    let score = (bits % 32) as Score;
    let entry = Entry {
        window: Window { lower: score - (bits >> 8 & 15) as Score, upper: score },
        depth: 4 * (bits >> 16 & 7) as u8 + number as u8,
        best: (bits >> 24 & 30) as u16 + 1,
        eval: Some((bits >> 32 & 0xfff) as Score),
        nodes: bits >> 40,
        tainted: number == 3,
        ..Entry::default()
    };
    kept::<L>(key, &entry)
}

/// Makes `operations` random probes and stores of `KEYS` keys, each key stored with any of its first `variants` entries,
/// and returns the number of hits.
fn stress<L: Layout, R: Replace>(variants: u64, operations: u64) -> u64 {
    let table: Table<L, R> = Table::new(64).expect("one line fits");
    assert!((table.capacity() as u64) < KEYS, "everything collides");
    let known: Vec<(u64, Vec<Entry>)> =
        (0..KEYS).map(mix).map(|key| (key, (0..variants).map(|number| variant::<L>(key, number)).collect())).collect();
    let (table, known) = (&table, &known);
    thread::scope(|scope| {
        let workers: Vec<_> =
            (0..THREADS).map(|seed| scope.spawn(move || work(table, known, seed, operations / THREADS))).collect();
        workers.into_iter().map(|worker| worker.join().expect("no foreign entry")).sum()
    })
}

/// One thread's share. It starts a new generation now and then, so that old entries age and are replaced.
fn work<L: Layout, R: Replace>(table: &Table<L, R>, known: &[(u64, Vec<Entry>)], seed: u64, operations: u64) -> u64 {
    let mut hits = 0;
    let mut state = mix(seed);
    for operation in 0..operations {
        state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        let (key, entries) = &known[(state >> 32 & 0xffff) as usize % known.len()];
        if state >> 63 == 0 {
            table.store(*key, entries[(state >> 48 & 0xff) as usize % entries.len()]);
        } else if let Some(found) = table.probe(*key) {
            let found = Entry { age: 0, ..found };
            assert!(entries.contains(&found), "{key:x} got {found:?}");
            hits += 1;
        }
        if operation % 4096 == 0 {
            table.new_generation();
        }
    }
    hits
}

/// As [`stress`], and requires many hits: a test without hits proves nothing.
fn stressed<L: Layout, R: Replace>(variants: u64, operations: u64) {
    let hits = stress::<L, R>(variants, operations);
    println!("{} {}: {operations} operations, {hits} hits", L::name(), R::NAME);
    assert!(hits > operations / 100, "only {hits} hits in {operations} operations");
}

#[test]
fn wide_aged() {
    stressed::<Wide, Aged>(1, operations());
}

#[test]
fn wide_two_deep() {
    stressed::<Wide, TwoDeep>(1, operations() / 10);
}

#[test]
fn full_and_dense_aged() {
    stressed::<Full, Aged>(1, operations() / 10);
    stressed::<Full, Aged>(4, operations() / 10);
    stressed::<Dense, Aged>(1, operations() / 10);
}

#[test]
fn compact_aged() {
    stressed::<Small, Aged>(1, operations() / 10);
}

#[test]
fn compact_two_deep() {
    stressed::<Small, TwoDeep>(1, operations() / 10);
}

#[test]
fn one_key_with_several_entries() {
    stressed::<Wide, Aged>(4, operations() / 10);
    stressed::<Wide, TwoDeep>(4, operations() / 10);
    stressed::<Small, Aged>(4, operations() / 10);
    stressed::<Small, TwoDeep>(4, operations() / 10);
}

struct Stressed;

impl SchemeVisitor for Stressed {
    fn visit<R: Replace>(&mut self, _scheme: R) {
        stressed::<Wide, R>(2, operations() / 100);
        stressed::<Small, R>(2, operations() / 100);
    }
}

#[test]
fn every_scheme() {
    each_scheme(&mut Stressed);
}

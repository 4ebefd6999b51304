//! Every access to shared memory, on tables of a few lines: small enough for Miri and ThreadSanitizer.
//!
//! ```text
//! cargo +nightly miri test -p mnemon-table --test small
//! ```

mod common;

use std::thread;

use common::{kept, mix};
use mnemon_table::replace::{Aged, Replace, SchemeVisitor, TwoDeep, each_scheme};
use mnemon_table::{Compact, Entry, Layout, Lookup, Score, Table, Wide, Window};

type Small = Compact<31, 5, 6, 6>;

const OPERATIONS: u64 = if cfg!(miri) { 150 } else { 100_000 };

fn entry(key: u64) -> Entry {
    let score = (key % 31) as Score;
    Entry {
        window: Window::exact(score),
        depth: 1 + (key >> 8 & 15) as u8,
        best: 1 + (key >> 16 & 15) as u16,
        ..Entry::default()
    }
}

fn table<L: Layout, R: Replace>(lines: usize) -> Table<L, R> {
    Table::new(64 * lines).expect("a few lines fit")
}

/// Two threads probe and store a few keys; no probe returns another key's entry.
fn shared<L: Layout, R: Replace>(lines: usize) {
    let table = table::<L, R>(lines);
    let work = |seed: u64| {
        for number in 0..OPERATIONS {
            let random = mix(mix(seed) ^ number);
            let key = mix(random % 6);
            table.prefetch(key);
            if random >> 63 == 0 {
                table.store(key, entry(key));
            } else if let Some(found) = table.probe(key) {
                assert_eq!(Entry { age: 0, ..found }, kept::<L>(key, &entry(key)));
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| work(1));
        work(2);
    });
}

#[test]
fn two_threads_share_a_wide_table() {
    shared::<Wide, Aged>(1);
    shared::<Wide, TwoDeep>(1);
    shared::<Wide, Aged>(3);
}

#[test]
fn two_threads_share_a_compact_table() {
    shared::<Small, Aged>(1);
    shared::<Small, TwoDeep>(1);
    shared::<Small, Aged>(3);
}

struct Stored;

impl SchemeVisitor for Stored {
    fn visit<R: Replace>(&mut self, _scheme: R) {
        let table = table::<Wide, R>(2);
        for key in (0..20).map(mix) {
            table.store(key, entry(key));
        }
        let found = (0..20).map(mix).filter(|&key| table.probe(key) == Some(entry(key))).count();
        assert!(found >= 2, "{}: {found} found", R::NAME);
    }
}

#[test]
fn every_scheme_stores() {
    each_scheme(&mut Stored);
}

#[test]
fn a_displaced_entry_moves_to_the_second_slot() {
    let table = table::<Wide, TwoDeep>(1);
    let [first, second, third] = [1, 2, 3].map(|depth| (depth as u64, Entry { depth, ..entry(9) }));
    for (key, entry) in [first, second, third] {
        table.store(key, entry);
    }
    assert_eq!(table.probe(first.0), None, "moved down, then displaced");
    assert_eq!(table.probe(second.0), Some(second.1), "moved down");
    assert_eq!(table.probe(third.0), Some(third.1));
}

#[test]
fn a_store_during_a_clear_does_no_harm() {
    let table = table::<Wide, Aged>(3);
    thread::scope(|scope| {
        scope.spawn(|| (0..20).map(mix).for_each(|key| table.store(key, entry(key))));
        table.clear(2);
    });
    for key in (0..20).map(mix) {
        assert!(table.probe(key).is_none_or(|found| found == entry(key)));
    }
    table.clear(1);
    assert!((0..20).map(mix).all(|key| table.probe(key).is_none()));
}

#[test]
fn a_generation_begins_while_others_store() {
    let table = table::<Wide, Aged>(1);
    thread::scope(|scope| {
        scope.spawn(|| (0..20).for_each(|_| table.new_generation()));
        (0..20).map(mix).for_each(|key| table.store(key, entry(key)));
    });
    let found = (0..20).map(mix).filter_map(|key| table.probe(key)).count();
    assert_eq!(found, table.capacity());
}

#[test]
fn a_lookup_distinguishes_a_full_bucket() {
    let table = table::<Wide, Aged>(1);
    for key in 0..4 {
        assert_eq!(table.lookup(9), Lookup::Vacant);
        table.store(key, entry(key));
    }
    assert_eq!(table.lookup(9), Lookup::Full);
    assert_eq!(table.lookup(2), Lookup::Hit(entry(2)));
}

#[test]
fn a_resized_table_is_empty() {
    let mut table = table::<Wide, Aged>(1);
    table.store(5, entry(5));
    table.resize(3 * 64).expect("three lines fit");
    assert_eq!((table.probe(5), table.bytes(), table.capacity()), (None, 192, 12));
    table.store(5, entry(5));
    assert_eq!(table.probe(5), Some(entry(5)));
}

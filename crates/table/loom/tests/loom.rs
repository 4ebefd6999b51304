//! Every interleaving of two writers and a reader of one bucket that the memory model of relaxed atomics allows,
//! explored by the model checker loom:
//!
//! ```text
//! cargo test --release --manifest-path crates/table/loom/Cargo.toml
//! ```
//!
//! All of them take some minutes; `LOOM_MAX_PREEMPTIONS=3` leaves out the rarest and takes a few seconds.

use loom::sync::Arc;
use loom::thread;
use mnemon_table::replace::{Aged, Replace, TwoDeep};
use mnemon_table::{Compact, Entry, Layout, Table, Wide, Window};

/// Small scores and moves, as below.
type Small = Compact<30, 5, 5, 5>;

/// A store: the key and the entry.
type Stored = (u64, Entry);

/// The table: one line, all keys in the same bucket of it.
const LINE: usize = 64;

const RESIDENT: u64 = 0x9d39_247e_3377_6d41;
const FIRST: u64 = 0x9d97_3980_05aa_a5c7;
const SECOND: u64 = 0x9d1b_0150_2462_3547;

/// An entry with `number` in every field. The depths of two numbers differ, so that their windows are never intersected.
fn entry(number: u8) -> Entry {
    let score = number as i16;
    Entry {
        window: Window { lower: -score, upper: 2 * score },
        depth: number,
        best: number as u16 + 10,
        nodes: (1 << number) - 1,
        ..Entry::default()
    }
}

/// Two writers store into a bucket that has a resident; a reader probes all keys meanwhile, and again after both are
/// done. Every entry it gets must be one of the `allowed` stores, whole.
fn race<L: Layout, R: Replace>(writes: [Stored; 2], allowed: &'static [Stored]) {
    loom::model(move || {
        let table: Arc<Table<L, R>> = Arc::new(Table::new(LINE).expect("one line fits"));
        table.store(RESIDENT, entry(1));
        let writers = writes.map(|(key, entry)| {
            let table = Arc::clone(&table);
            thread::spawn(move || table.store(key, entry))
        });
        let read = || {
            for key in [RESIDENT, FIRST, SECOND] {
                if let Some(found) = table.probe(key) {
                    assert!(allowed.contains(&(key, found)), "{key:x} got {found:?}");
                }
            }
        };
        read();
        writers.into_iter().for_each(|writer| writer.join().expect("a store does not panic"));
        read();
    });
}

fn other_keys<L: Layout, R: Replace>() {
    let writes = [(FIRST, entry(3)), (SECOND, entry(2))];
    let allowed = vec![(RESIDENT, entry(1)), writes[0], writes[1]];
    race::<L, R>(writes, allowed.leak());
}

fn same_key<L: Layout, R: Replace>() {
    let writes = [(FIRST, entry(3)), (FIRST, entry(2))];
    let allowed = vec![(RESIDENT, entry(1)), writes[0], writes[1]];
    race::<L, R>(writes, allowed.leak());
}

/// The writers store the two bounds of one window at the same depth: a probe finds either bound, or both.
fn joined<L: Layout, R: Replace>() {
    let (low, high) = (Window::at_least(-5), Window::at_most(9));
    let both = Window { lower: -5, upper: 9 };
    let [low, high, both] = [low, high, both].map(|window| (FIRST, Entry { window, ..entry(3) }));
    race::<L, R>([low, high], vec![(RESIDENT, entry(1)), low, high, both].leak());
}

macro_rules! races {
    ($($name:ident: $scene:ident, $layout:ty, $scheme:ty;)*) => {
        $(#[test] fn $name() { $scene::<$layout, $scheme>(); })*
    };
}

races! {
    wide_aged_other_keys: other_keys, Wide, Aged;
    wide_aged_same_key: same_key, Wide, Aged;
    wide_aged_joined: joined, Wide, Aged;
    wide_two_deep_other_keys: other_keys, Wide, TwoDeep;
    wide_two_deep_same_key: same_key, Wide, TwoDeep;
    wide_two_deep_joined: joined, Wide, TwoDeep;
    compact_aged_other_keys: other_keys, Small, Aged;
    compact_aged_same_key: same_key, Small, Aged;
    compact_aged_joined: joined, Small, Aged;
    compact_two_deep_other_keys: other_keys, Small, TwoDeep;
    compact_two_deep_same_key: same_key, Small, TwoDeep;
    compact_two_deep_joined: joined, Small, TwoDeep;
}

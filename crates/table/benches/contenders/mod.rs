//! The contenders (the bare memory read, a plain array, this crate's tables, concurrent hash maps) and the loops that they all run.

mod bare;
mod maps;
mod plain;
mod tables;

pub(crate) use bare::Bare;
pub(crate) use maps::{Dash, Sharded};
pub(crate) use plain::Plain;
pub(crate) use tables::{CompactTable, DenseTable, FullTable, WideTable};

use std::hint::black_box;

use mnemon_table::{Entry, Window};

/// A container of entries with a memory budget.
pub(crate) trait Contender: Send + Sync + Sized {
    #[allow(dead_code, reason = "only the table of ratios prints it")]
    const NAME: &'static str;

    /// An empty container of about `bytes` bytes.
    fn with_bytes(bytes: usize) -> Self;

    /// The number of entries that [`filled`] stores: what the bytes allow at the contender's usual load.
    fn held(&self) -> u64;

    /// A number that depends on every field that a search would use of the key's entry; 0 on a miss.
    fn probe(&self, key: u64) -> u64;

    fn store(&self, key: u64);

    /// Prefetches the key's entry, where the contender can.
    fn prefetch(&self, _key: u64) {}
}

/// One access pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// Each key depends on the result of the last probe, as in a search: this measures latency. (The result of a miss
    /// is constant, so there is no chained miss.)
    HitChained,
    /// The keys are known beforehand, so that the processor overlaps the probes.
    Hit,
    Miss,
    Store,
    /// As `Hit`, and each key is prefetched [`AHEAD`] keys before it is used.
    HitPrefetched,
    MissPrefetched,
    StorePrefetched,
}

impl Case {
    pub(crate) const ALL: [Case; 7] = [
        Case::HitChained,
        Case::Hit,
        Case::Miss,
        Case::Store,
        Case::HitPrefetched,
        Case::MissPrefetched,
        Case::StorePrefetched,
    ];

    fn misses(self) -> bool {
        matches!(self, Case::Miss | Case::MissPrefetched)
    }
}

/// The distance of a prefetch from its probe, in keys.
const AHEAD: u64 = 12;

/// A contender of `bytes` bytes with all its entries stored.
pub(crate) fn filled<C: Contender>(bytes: usize) -> C {
    let contender = C::with_bytes(bytes);
    let half = contender.held() / 2;
    std::thread::scope(|scope| {
        scope.spawn(|| (0..half).for_each(|number| contender.store(key(number))));
        (half..contender.held()).for_each(|number| contender.store(key(number)));
    });
    contender
}

/// Makes `times` operations of this case.
pub(crate) fn run<C: Contender>(contender: &C, case: Case, seed: u64, times: u64) {
    let first = if case.misses() { contender.held() } else { 0 };
    let mut keys = Keys { state: seed, first, count: contender.held() };
    match case {
        Case::HitChained => {
            for _ in 0..times {
                let key = keys.next();
                keys.state = keys.state.wrapping_add(contender.probe(key));
            }
            black_box(keys.state);
        }
        Case::Hit | Case::Miss => {
            black_box((0..times).fold(0, |sum: u64, _| sum.wrapping_add(contender.probe(keys.next()))));
        }
        Case::HitPrefetched | Case::MissPrefetched => {
            let mut ahead = keys.prefetched(contender);
            let probe = |sum: u64, _| {
                contender.prefetch(ahead.next());
                sum.wrapping_add(contender.probe(keys.next()))
            };
            black_box((0..times).fold(0, probe));
        }
        Case::Store => (0..times).for_each(|_| contender.store(keys.next())),
        Case::StorePrefetched => {
            let mut ahead = keys.prefetched(contender);
            for _ in 0..times {
                contender.prefetch(ahead.next());
                contender.store(keys.next());
            }
        }
    }
}

/// Random keys among the `count` keys whose numbers start at `first`.
#[derive(Clone)]
struct Keys {
    state: u64,
    first: u64,
    count: u64,
}

impl Keys {
    #[inline]
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(0x6d6e_656d_6f6e);
        let number = ((self.state as u128 * self.count as u128) >> 64) as u64;
        key(self.first + number)
    }

    /// The same sequence of keys, [`AHEAD`] keys further, all keys up to there prefetched.
    fn prefetched<C: Contender>(&self, contender: &C) -> Keys {
        let mut ahead = self.clone();
        (0..AHEAD).for_each(|_| contender.prefetch(ahead.next()));
        ahead
    }
}

/// The key of a number: all keys differ, and consecutive numbers spread evenly.
#[inline]
fn key(number: u64) -> u64 {
    (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The entry that is stored for a key.
#[inline]
fn entry(key: u64) -> Entry {
    Entry { window: Window::at_least((key >> 60) as i16), depth: (key >> 58) as u8, best: 1, ..Entry::default() }
}

/// A number that depends on every field that a search uses of an entry.
#[inline]
fn used(entry: Entry) -> u64 {
    (entry.window.lower ^ entry.window.upper) as u64 ^ entry.depth as u64 ^ (entry.best as u64) << 8
}

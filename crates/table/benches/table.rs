//! Each contender alone, case by case, with divan.
//!
//! ```text
//! cargo bench -p mnemon-table --bench table
//! MNEMON_BENCH_LARGE=1 cargo bench -p mnemon-table --bench table -- WideTable
//! ```
//!
//! The 4 GiB tables are measured only if `MNEMON_BENCH_LARGE` is set, and stay in memory until the end: choose one
//! contender at a time. For ratios between contenders, see `ratios.rs`.

mod contenders;

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use contenders::{
    Bare, Case, CompactTable, Contender, Dash, DenseTable, FullTable, Plain, Sharded, WideTable, filled, run,
};
use divan::Bencher;
use divan::counter::ItemsCount;

/// Operations in one timed call.
const BATCH: u64 = 10_000;

fn main() {
    divan::main();
}

/// Filled contenders, by type and size.
type Cache = HashMap<(TypeId, usize), Arc<dyn Any + Send + Sync>>;

/// The contender of this size, filled on first use.
fn shared<C: Contender + 'static>(mebibytes: usize) -> Arc<C> {
    static CACHE: Mutex<Option<Cache>> = Mutex::new(None);
    let mut cache = CACHE.lock().expect("no thread panics");
    let cache = cache.get_or_insert_default();
    let make = || Arc::new(filled::<C>(mebibytes << 20)) as Arc<dyn Any + Send + Sync>;
    let known = cache.entry((TypeId::of::<C>(), mebibytes)).or_insert_with(make);
    Arc::clone(known).downcast().expect("kept by its type")
}

/// Every case of every size.
fn cases() -> Vec<String> {
    let sizes: &[usize] = if std::env::var_os("MNEMON_BENCH_LARGE").is_some() { &[16, 4096] } else { &[16] };
    let of_size = |size: &usize| Case::ALL.map(|case| format!("{case:?} {size} MiB"));
    sizes.iter().flat_map(of_size).collect()
}

/// The case and size that [`cases`] wrote.
fn parsed(argument: &str) -> (Case, usize) {
    let mut words = argument.split(' ');
    let (name, size) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let case = Case::ALL.into_iter().find(|case| format!("{case:?}") == name).expect("a case of ours");
    (case, size.parse().expect("a size of ours"))
}

#[divan::bench(types = [Bare, Plain, WideTable, FullTable, DenseTable, CompactTable, Dash, Sharded], args = cases(), threads = [1, 2])]
fn operations<C: Contender + 'static>(bencher: Bencher, argument: &str) {
    static SEED: AtomicU64 = AtomicU64::new(1);
    let (case, mebibytes) = parsed(argument);
    let contender = shared::<C>(mebibytes);
    let batch = || run(&*contender, case, SEED.fetch_add(1 << 20, Ordering::Relaxed), BATCH);
    bencher.counter(ItemsCount::new(BATCH)).bench(batch);
}

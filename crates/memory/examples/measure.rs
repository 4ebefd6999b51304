//! Measures the store in a file: `cargo run --release -p mnemon-memory --example measure -- DIRECTORY [RECORDS]`.
//!
//! Random positions of 20 bytes, as chess positions are when packed, with the one-sided bounds that a search leaves.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use mnemon_memory::{Flags, Item, Key, Origins, Range, Record, Result, Source, SqliteStore, Store};
use mnemon_search::random::{Random, mix};
use mnemon_table::Window;

fn main() -> Result {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().expect("a directory to measure in");
    let records = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(1_000_000);
    let directory = Path::new(&directory);
    let parts = arguments.next().unwrap_or_else(|| "space upserts merging lookups".to_owned());
    if parts.contains("space") {
        space(directory, 1_000_000)?;
    }
    if parts.contains("upserts") {
        upserts(directory, 1_000_000, 1_000)?;
    }
    if parts.contains("merging") {
        merging(directory, 1_000_000)?;
    }
    if parts.contains("lookups") {
        lookups(directory, records)?;
    }
    Ok(())
}

/// A stretch of time, by the clock and, where the system tells it, as this thread's share of a processor: the two
/// differ when the machine is busy with other things.
struct Stretch {
    clock: Instant,
    processor: f64,
}

impl Stretch {
    fn start() -> Self {
        Stretch { clock: Instant::now(), processor: processor_seconds() }
    }

    fn report(&self, what: &str, operations: u64) {
        let (seconds, processor) = (self.clock.elapsed().as_secs_f64(), processor_seconds() - self.processor);
        let rate = operations as f64 / seconds;
        let [each, busy] = [seconds, processor].map(|seconds| seconds * 1e6 / operations as f64);
        println!("{what:<46} {rate:>10.0} a second, {each:>6.2} µs each, {busy:>6.2} µs of a processor");
    }
}

fn processor_seconds() -> f64 {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: Option<f64> = statistics.split(' ').next().and_then(|number| number.parse().ok());
    nanoseconds.unwrap_or(f64::NAN) / 1e9
}

/// The position with this number.
fn position(number: u64) -> [u8; 20] {
    let mut bytes = [0; 20];
    bytes[..8].copy_from_slice(&mix(number).to_be_bytes());
    bytes[8..16].copy_from_slice(&mix(number ^ 1 << 60).to_be_bytes());
    bytes[16..].copy_from_slice(&(mix(number ^ 1 << 61) as u32).to_be_bytes());
    bytes
}

/// The item with this number: nine of ten are one-sided, one of a thousand is a root.
fn item(game: &Arc<str>, source: &Source, number: u64, random: &mut Random) -> Item {
    let score = random.below(400) as i16 - 200;
    let window = match random.below(10) {
        0 => Window::exact(score),
        1..=5 => Window::at_least(score),
        _ => Window::at_most(score),
    };
    let root_ply = random.below(12) as u16;
    let record = Record {
        best: random.below(1 << 15) as u16,
        origins: Origins::SEARCH,
        flags: if random.below(1000) == 0 { Flags::ROOT } else { Flags::NONE },
        game_ply: 20 + root_ply,
        root_ply,
        nodes: 1 << random.below(24),
        time: 1_770_000_000 + random.below(10_000_000) as u32,
        ..Record::between(window, 6 + random.below(12) as u8)
    };
    Item { key: Key::new(game, position(number), source), record }
}

fn items(numbers: std::ops::Range<u64>, seed: u64) -> impl Iterator<Item = Item> {
    let (game, source): (Arc<str>, _) = ("chess".into(), Source::engine("mnemon", "0.1.0"));
    let mut random = Random::new(seed);
    numbers.map(move |number| item(&game, &source, number, &mut random))
}

fn fresh(directory: &Path, name: &str) -> Result<SqliteStore> {
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(directory.join(format!("{name}{ending}")));
    }
    SqliteStore::open(directory.join(name))
}

fn bytes(store: &SqliteStore) -> u64 {
    std::fs::metadata(store.path()).map_or(0, |file| file.len())
}

fn fill(store: &SqliteStore, numbers: std::ops::Range<u64>, batch: usize, seed: u64) -> Result {
    let mut items = items(numbers, seed);
    loop {
        let batch: Vec<_> = items.by_ref().take(batch).collect();
        if batch.is_empty() {
            return Ok(());
        }
        store.merge_many(&batch)?;
    }
}

fn space(directory: &Path, records: u64) -> Result {
    let store = fresh(directory, "space")?;
    fill(&store, 0..records, 1_000, 1)?;
    let path = store.path().to_owned();
    drop(store);
    let store = SqliteStore::open(path)?;
    println!("bytes a record after random upserts: {:.1}", bytes(&store) as f64 / records as f64);
    let since = Stretch::start();
    let compacted = store.compact()?;
    println!("bytes a record compacted: {:.1} ({:?})", bytes(&store) as f64 / records as f64, compacted);
    since.report("compaction", records);
    let since = Stretch::start();
    assert!(store.verify(&mut |_, _| ())?.is_sound());
    since.report("verification", records);
    Ok(())
}

/// Batches into a file that has as many records already: half of them are new, the others change what is there.
fn upserts(directory: &Path, records: u64, batch: usize) -> Result {
    let store = fresh(directory, "upserts")?;
    fill(&store, 0..records, 100_000, 1)?;
    let mut random = Random::new(9);
    let (game, source): (Arc<str>, _) = ("chess".into(), Source::engine("mnemon", "0.1.0"));
    let batches: Vec<Vec<_>> = (0..200)
        .map(|_| (0..batch).map(|_| item(&game, &source, random.bits() % (2 * records), &mut random.clone())).collect())
        .collect();
    let since = Stretch::start();
    for batch in &batches {
        store.merge_many(batch)?;
        store.sync()?;
    }
    since.report(&format!("random upserts in synced batches of {batch}"), 200 * batch as u64);
    Ok(())
}

/// One memory into another, half of whose positions it shares.
fn merging(directory: &Path, records: u64) -> Result {
    let (into, from) = (fresh(directory, "into")?, fresh(directory, "from")?);
    fill(&into, 0..records, 200_000, 1)?;
    fill(&from, records / 2..records / 2 + records, 200_000, 2)?;
    let since = Stretch::start();
    let mut batch = Vec::new();
    let mut failure = Ok(());
    from.scan(&Range::default(), &mut |item| {
        batch.push(item);
        if batch.len() == 100_000 {
            failure = into.merge_many(&batch).map(drop);
            batch.clear();
        }
        if failure.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    failure?;
    into.merge_many(&batch)?;
    since.report("merging one memory into another, half shared", records);
    let since = Stretch::start();
    let mut visited = 0;
    into.scan(&Range::default(), &mut |_| {
        visited += 1;
        ControlFlow::Continue(())
    })?;
    since.report("scanning", visited);
    Ok(())
}

fn lookups(directory: &Path, records: u64) -> Result {
    let path = directory.join(format!("lookups-{records}"));
    if !path.exists() {
        let since = Stretch::start();
        fill(&SqliteStore::open(&path)?, 0..records, 200_000, 1)?;
        since.report("filling in batches of 200,000", records);
    }
    let store = SqliteStore::open_read_only(&path)?;
    println!("{records} records, {:.1} bytes each", bytes(&store) as f64 / records as f64);
    for (what, first) in [("warming", 0), ("hits", 0), ("misses", records)] {
        for batch in [1, 64, 1_000, 100_000] {
            let since = Stretch::start();
            look(&store, records, first, batch, 400_000, 3)?;
            since.report(&format!("{what}, {batch} at a time"), 400_000);
        }
    }
    let since = Stretch::start();
    std::thread::scope(|scope| {
        let look = |seed| look(&store, records, 0, 1_000, 400_000, seed);
        let threads = [4, 5].map(|seed| scope.spawn(move || look(seed)));
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })?;
    since.report("hits, 1000 at a time, two threads", 800_000);
    Ok(())
}

fn look(store: &SqliteStore, records: u64, first: u64, batch: usize, lookups: usize, seed: u64) -> Result {
    let mut random = Random::new(seed);
    let mut hits = 0;
    for _ in 0..lookups / batch {
        let positions: Vec<_> = (0..batch).map(|_| position(first + random.bits() % records)).collect();
        let positions: Vec<&[u8]> = positions.iter().map(|position| &position[..]).collect();
        store.get_many("chess", &positions, &mut |_, _, _| hits += 1)?;
    }
    assert_eq!(hits, if first == 0 { lookups / batch * batch } else { 0 });
    Ok(())
}

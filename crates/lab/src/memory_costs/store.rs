//! The store by itself: a large memory is filled, looked up, updated and merged.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use mnemon_memory::{Access, Item, Range, Store, open};
use mnemon_search::Game;

use super::Measurement;
use super::positions::Positions;
use crate::Result;
use crate::console::{Console, ProgressBar};

/// The batches in which it is filled, as in a merge.
const LARGE_BATCH: usize = 200_000;
const SMALL_BATCH: usize = 1_000;
const SMALL_BATCHES: usize = 100;
const LOOKUPS: usize = 1_000_000;
/// The batches in which it is looked up, as in a recall.
const LOOKUP_BATCH: usize = 1_000;

pub(super) fn measure(console: &dyn Console, folder: &Path, records: u64) -> Result<Vec<Measurement>> {
    let path = folder.join("large.mnemon");
    let store = open(&path, Access::Create)?;
    let mut measurements = fill(console, &*store, records)?;
    measurements.push(scan(&*store)?);
    measurements.extend(look_up(&*store, records)?);
    measurements.push(upsert(&*store, records)?);
    measurements.push(merge(folder, records.min(1_000_000))?);
    Ok(measurements)
}

/// Fills the store, and measures the memory of the process on the way.
fn fill(console: &dyn Console, store: &dyn Store, records: u64) -> Result<Vec<Measurement>> {
    let progress = ProgressBar::of(console, "filling", records);
    let mut positions = Positions::new(1);
    let mut small = None;
    let start = Instant::now();
    let mut filled = 0;
    while filled < records {
        let batch = positions.batch(LARGE_BATCH.min((records - filled) as usize));
        store.merge_many(&batch)?;
        filled += batch.len() as u64;
        progress.advance(batch.len() as u64);
        if small.is_none() && filled >= records / 10 {
            small = Some((filled, resident()));
        }
    }
    drop(progress);
    let time = start.elapsed();
    let (count, before) = small.unwrap_or_default();
    let after = resident();
    let statistics = store.statistics()?;
    let each = statistics.bytes as f64 / statistics.records() as f64;
    Ok(vec![
        Measurement::new(
            format!("filled with {records} records in batches of {LARGE_BATCH}, positions in random order"),
            format!("{} records a second, {each:.1} bytes each", rate(records as usize, time)),
        ),
        Measurement::new(
            format!("memory of the process at {count} records and at {records}"),
            format!("{before} MiB and {after} MiB"),
        )
        .with_goal("does not grow with the memory", after <= before + 16),
    ])
}

/// The anonymous memory of the process in MiB, without pages of files.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kibibytes.unwrap_or(0) / 1024
}

fn rate(count: usize, time: Duration) -> String {
    let rate = count as f64 / time.as_secs_f64();
    format!("{:.0}", rate)
}

/// Reads everything through, twice: the second time counts.
fn scan(store: &dyn Store) -> Result<Measurement> {
    let (mut records, mut time) = (0_u64, Duration::ZERO);
    for _warm in 0..2 {
        let start = processor_time();
        records = 0;
        store.scan(&Range::default(), &mut |item| {
            records += u64::from(!item.record.is_empty());
            ControlFlow::Continue(())
        })?;
        time = processor_time().saturating_sub(start);
    }
    let each = time.as_secs_f64() * 1e6 / records.max(1) as f64;
    let what = format!("a scan of all {records} records, processor time");
    Ok(Measurement::new(what, format!("{each:.2} µs a record")).with_goal("0.4 µs a record", each <= 0.4))
}

/// The processor time of this thread, as Linux counts it; 0 elsewhere.
fn processor_time() -> Duration {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split(' ').next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// Looks up hits and misses in turns, both in random order.
fn look_up(store: &dyn Store, records: u64) -> Result<Vec<Measurement>> {
    let hits = sample(records);
    let misses: Vec<Box<[u8]>> = hits.iter().map(|position| missing(position)).collect();
    let (mut hit_time, mut miss_time, mut found) = (Duration::ZERO, Duration::ZERO, 0);
    for _warm in 0..2 {
        (hit_time, miss_time, found) = (Duration::ZERO, Duration::ZERO, 0);
        for (hits, misses) in hits.chunks(LOOKUP_BATCH).zip(misses.chunks(LOOKUP_BATCH)) {
            hit_time += timed(store, hits, &mut found)?;
            miss_time += timed(store, misses, &mut found)?;
        }
    }
    let rate_of = |time: Duration| hits.len() as f64 / time.as_secs_f64();
    Ok(vec![
        Measurement::new(
            format!("{found} lookups in a warm memory of {records} records, {LOOKUP_BATCH} at once, random order"),
            format!("{} a second", rate(hits.len(), hit_time)),
        )
        .with_goal("400,000 a second", rate_of(hit_time) >= 400_000.0),
        Measurement::new(
            "lookups of positions that are not there",
            format!("{} a second", rate(misses.len(), miss_time)),
        )
        .with_goal("at most a quarter of a hit's cost", rate_of(miss_time) >= 4.0 * rate_of(hit_time)),
    ])
}

/// Positions of the large memory, spread over it.
fn sample(records: u64) -> Vec<Box<[u8]>> {
    let step = (records as usize / LOOKUPS).max(1);
    let mut sample: Vec<_> =
        Positions::new(1).take(records as usize).step_by(step).map(|item| item.key.position).collect();
    // The order of their hashes is as good as random.
    sample.sort_by_cached_key(|position| crc32fast::hash(position));
    sample
}

/// A position with its bytes in another order: it is not in the memory, and its key lies elsewhere in the file.
fn missing(position: &[u8]) -> Box<[u8]> {
    let mut bytes = position.to_vec();
    let last = bytes.len() - 1;
    bytes[..8].rotate_left(1);
    bytes[last] ^= 0x5a;
    bytes.into()
}

fn timed(store: &dyn Store, positions: &[Box<[u8]>], found: &mut usize) -> Result<Duration> {
    let positions: Vec<&[u8]> = positions.iter().map(|position| &**position).collect();
    let start = Instant::now();
    store.get_many(&mnemon_chess::Position::name(), &positions, &mut |_, _, record| {
        *found += usize::from(!record.is_empty());
    })?;
    Ok(start.elapsed())
}

/// Small batches, each synced before the next, half of whose positions are in the memory already.
fn upsert(store: &dyn Store, records: u64) -> Result<Measurement> {
    let (mut known, mut new) = (Positions::new(1), Positions::new(3));
    let step = (records as usize / (SMALL_BATCH * SMALL_BATCHES / 2)).max(1);
    let mut batches: Vec<Vec<Item>> = Vec::new();
    for _ in 0..SMALL_BATCHES {
        let mut batch = new.batch(SMALL_BATCH / 2);
        batch.extend(known.by_ref().step_by(step).take(SMALL_BATCH / 2).map(deeper));
        batches.push(batch);
    }
    let start = Instant::now();
    for batch in &batches {
        store.merge_many(batch)?;
        store.sync()?;
    }
    let (count, time) = (SMALL_BATCH * SMALL_BATCHES, start.elapsed());
    let what = format!("random upserts into it in batches of {SMALL_BATCH}, each batch synced");
    let met = count as f64 / time.as_secs_f64() >= 40_000.0;
    Ok(Measurement::new(what, format!("{} a second", rate(count, time))).with_goal("40,000 a second", met))
}

fn deeper(mut item: Item) -> Item {
    item.record.lower.depth += u8::from(item.record.lower.is_known());
    item.record.upper.depth += u8::from(item.record.upper.is_known());
    item
}

/// Merges two memories that share half of their positions.
fn merge(folder: &Path, records: u64) -> Result<Measurement> {
    let [into, from] = ["into.mnemon", "from.mnemon"].map(|name| open(folder.join(name), Access::Create));
    let (into, from) = (into?, from?);
    let half = records as usize / 2;
    for (store, seeds) in [(&into, [4, 5]), (&from, [5, 6])] {
        for seed in seeds {
            store.merge_many(&Positions::new(seed).batch(half))?;
        }
    }
    let start = Instant::now();
    let mut merged = mnemon_memory::Merged::default();
    let mut batch: Vec<Item> = Vec::with_capacity(LARGE_BATCH);
    let mut failed = Ok(());
    let mut write = |batch: &mut Vec<Item>| -> mnemon_memory::Result {
        merged += into.merge_many(batch)?;
        batch.clear();
        Ok(())
    };
    from.scan(&Range::default(), &mut |item| {
        batch.push(item);
        if batch.len() == LARGE_BATCH {
            failed = write(&mut batch);
        }
        if failed.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    failed?;
    write(&mut batch)?;
    let (count, time) = ((merged.added + merged.changed + merged.known) as usize, start.elapsed());
    let what = format!("a memory of {count} records merged into another, {} of them new to it", merged.added);
    let met = count as f64 / time.as_secs_f64() >= 200_000.0;
    Ok(Measurement::new(what, format!("{} records a second", rate(count, time))).with_goal("200,000 a second", met))
}

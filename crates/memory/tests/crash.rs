//! A writer is killed at random instants: what it was told to be safe is there, and nothing is half-written.
//!
//! `MNEMON_CRASH_ROUNDS=1000 cargo test --release -p mnemon-memory --test crash` for more rounds than usual.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::time::Duration;

use common::children::{BATCH, SHARED, batch, orders, start};
use mnemon_memory::{Record, SqliteStore, Store};
use mnemon_search::random::Random;

/// The writer: merges batch after batch, and says so when each is safe.
#[test]
#[ignore = "run by the tests here as a process of its own"]
fn writer() {
    let Some(orders) = orders() else { return };
    let store = SqliteStore::open(&orders.path).expect("the memory opens");
    for number in orders.first..orders.first + orders.count {
        store.merge_many(&batch(number)).expect("merged");
        store.sync().expect("synced");
        writeln!(std::io::stdout(), "safe {number}").expect("somebody listens");
    }
}

/// Runs a writer from batch `first`, kills it, and gives the number of batches that it called safe.
fn interrupted(path: &Path, first: u32, random: &mut Random) -> u32 {
    let mut child = start("writer", path, first, 100_000);
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let reader = std::thread::spawn(move || {
        let safe =
            output.lines().map_while(Result::ok).filter_map(|line| line.strip_prefix("safe ")?.parse::<u32>().ok());
        safe.last()
    });
    // From before the file is opened to some hundred batches later.
    std::thread::sleep(Duration::from_micros(random.below(60_000) as u64));
    child.kill().expect("killed");
    child.wait().expect("it is gone");
    reader.join().expect("read").map_or(first, |last| last + 1)
}

/// How many of the first batches are there, whole; nothing else may be.
fn whole_batches(store: &SqliteStore, safe: u32) -> u32 {
    let mut present = 0;
    for number in 0..safe + 2 {
        let items = batch(number);
        let found = records(store, &items[..BATCH as usize]);
        let expected: Vec<Option<Record>> = items[..BATCH as usize].iter().map(|item| Some(item.record)).collect();
        if found == expected {
            assert_eq!(present, number, "no batch is missing before a later one");
            present += 1;
        } else {
            assert!(found.iter().all(Option::is_none), "batch {number} is half-written");
        }
    }
    let deepest = (0..present).map(|number| batch(number)[BATCH as usize].record.lower.depth).max();
    for shared in records(store, &batch(0)[BATCH as usize..]) {
        assert_eq!(shared.map(|record| record.lower.depth), deepest, "shared records know the last whole batch");
    }
    let total = store.statistics().expect("readable").records();
    assert_eq!(total, u64::from(present * BATCH + if present > 0 { SHARED } else { 0 }));
    present
}

fn records(store: &SqliteStore, items: &[mnemon_memory::Item]) -> Vec<Option<Record>> {
    let positions: Vec<&[u8]> = items.iter().map(|item| &*item.key.position).collect();
    let mut found = vec![None; items.len()];
    store.get_many("chess", &positions, &mut |number, _, record| found[number] = Some(record)).expect("readable");
    found
}

#[test]
fn what_was_called_safe_survives_being_killed() {
    let rounds = std::env::var("MNEMON_CRASH_ROUNDS").map_or(50, |rounds| rounds.parse().expect("a number"));
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random::new(std::process::id().into());
    let (mut path, mut present, mut interrupted_at_work) = (folder.path().join("0.mnemon"), 0, 0);
    for round in 0..rounds {
        if round % 10 == 0 {
            // A new file: its making is interrupted too, and checking everything stays quick.
            path = folder.path().join(format!("{round}.mnemon"));
            present = 0;
        }
        let safe = interrupted(&path, present, &mut random);
        interrupted_at_work += usize::from(safe > present);
        let store = SqliteStore::open(&path).expect("it opens again");
        present = whole_batches(&store, safe);
        assert!(present >= safe, "round {round}: {safe} batches were called safe, {present} are there");
        let verified = store.verify(&mut |_, _| {}).expect("readable");
        assert!(verified.is_sound(), "round {round}: {verified:?}");
    }
    assert!(interrupted_at_work * 3 >= rounds, "most writers wrote something: {interrupted_at_work} of {rounds}");
}

//! A writer is killed at random instants: every batch that it acknowledged is in the file, and no batch is there in part.
//!
//! `MNEMON_CRASH_ROUNDS` sets the number of rounds; the default is 50.

#[path = "common/child.rs"]
mod child;

use std::collections::BTreeMap;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mnemon_memory::{Access, Item, Key, Range, Record, Source, Store, open};
use mnemon_search::random::{Random, mix};

const ITEMS: u64 = 50;

/// The items of a batch. Their positions are spread over the file and contain the batch's number; one further position is
/// changed by every batch.
fn batch(number: u64) -> Vec<Item> {
    let (game, engine): (Arc<str>, _) = ("chess".into(), Source::engine("mnemon", "0.1.0"));
    let item = |position: [u8; 24], record| Item { key: Key::new(&game, position, &engine), record };
    let mut items: Vec<_> = (0..ITEMS)
        .map(|which| {
            let words = [mix(number * ITEMS + which), number, which + 1].map(u64::to_be_bytes);
            let record = Record { nodes: number, ..Record::exact(which as i16, 9) };
            item(words.concat().try_into().expect("24 bytes"), record)
        })
        .collect();
    items.push(item([0; 24], Record { nodes: number, ..Record::exact(0, 9) }));
    items
}

#[test]
#[ignore = "the process that is killed"]
fn writer() {
    let Some((path, first)) = child::task() else { return };
    let mut store = open(&path, Access::Create).unwrap();
    for number in first.. {
        store.merge_many(&batch(number)).unwrap();
        store.sync().unwrap();
        child::say(&format!("kept {number}"));
        // The process is also killed during a checkpoint and a compaction.
        match number % 16 {
            5 => {
                drop(store);
                store = open(&path, Access::Create).unwrap();
            }
            11 => drop(store.upkeep().expect("a file store").compact().unwrap()),
            _ => (),
        }
    }
}

/// Runs a writer for a random time; returns the last batch that it acknowledged.
fn killed_writer(path: &Path, first: u64, random: &mut Random) -> Option<u64> {
    let mut writer = child::command(&child::program(), "writer", path, first).spawn().expect("a process");
    std::thread::sleep(Duration::from_micros(random.below(100_000) as u64));
    writer.kill().expect("it can be killed");
    let mut said = String::new();
    writer.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    writer.wait().expect("it is dead");
    // A line without its newline is not an acknowledgement.
    let (whole, _) = said.rsplit_once('\n')?;
    Some(whole.lines().last()?.strip_prefix("kept ").expect(whole).parse().expect("a number"))
}

/// The number of items of each batch, after a check that each is as it was written, and the last batch's number.
fn batches(store: &dyn Store) -> (BTreeMap<u64, u64>, Option<u64>) {
    let (mut batches, mut latest) = (BTreeMap::new(), None);
    let visit = &mut |item: Item| {
        if *item.key.position == [0; 24] {
            latest = Some(item.record.nodes);
        } else {
            assert!(batch(item.record.nodes).contains(&item));
            *batches.entry(item.record.nodes).or_default() += 1;
        }
        ControlFlow::Continue(())
    };
    store.scan(&Range::default(), visit).expect("the memory can be read");
    (batches, latest)
}

#[test]
fn acknowledged_batches_survive_a_kill() {
    let rounds = std::env::var("MNEMON_CRASH_ROUNDS").map_or(50, |rounds| rounds.parse().unwrap());
    let directory = tempfile::tempdir().unwrap();
    let mut random = Random::new(1);
    let (mut next, mut kept) = (0, 0);
    for round in 0..rounds {
        // Every tenth round starts without a file, so that its creation is interrupted, too.
        if round % 10 == 0 {
            next = 0;
        }
        let path = directory.path().join(format!("{}.mnemon", round / 10));
        let acknowledged = killed_writer(&path, next, &mut random);
        kept += acknowledged.map_or(0, |last| last + 1 - next);
        let store = open(&path, Access::Create).unwrap();
        let (batches, latest) = batches(&*store);
        let expected = acknowledged.map_or(next, |last| last + 1);
        let there = batches.len() as u64;
        assert!(there == expected || there == expected + 1, "round {round}: {there} batches, {expected} acknowledged");
        assert!((0..there).all(|number| batches.get(&number) == Some(&ITEMS)), "round {round}: {batches:?}");
        assert_eq!(latest, there.checked_sub(1));
        let verified = store.upkeep().expect("a file store").verify(&mut |_, _| ()).unwrap();
        assert!(verified.is_sound(), "round {round}: {verified:?}");
        assert_eq!(store.statistics().unwrap().records(), verified.records);
        next = there;
    }
    assert!(kept > 0, "no writer lived long enough to be tested");
}

//! Damaged files: every record is returned as it was, or left out, or there is an error; and a verification finds what is
//! left out.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use common::item;
use mnemon_memory::{Access, Age, Flags, Item, Key, MemoryError, Range, Record, Result, Source, Store, open};
use mnemon_search::random::Random;

const POSITIONS: usize = 3_000;

type Truth = BTreeMap<Key, Record>;

/// A closed memory of some fifty pages in several B-tree levels, and its contents.
fn sound_memory(path: &Path) -> Truth {
    let store = open(path, Access::Create).expect("a new memory");
    let mut random = Random::new(1);
    let items: Vec<_> = (0..4_000).map(|_| item(&mut random, POSITIONS)).collect();
    store.merge_many(&items).expect("a sound memory");
    let deleted: Vec<_> = items[..400].iter().map(|item| item.key.clone()).collect();
    store.delete_many(&deleted).expect("a sound memory");
    scanned(&*store, &Range::default()).expect("a sound memory")
}

fn scanned(store: &dyn Store, range: &Range<'_>) -> Result<Truth> {
    let mut items = Truth::new();
    let visit = &mut |Item { key, record }| {
        assert!(items.insert(key, record).is_none(), "nothing is visited twice");
        ControlFlow::Continue(())
    };
    store.scan(range, visit)?;
    Ok(items)
}

fn found(store: &dyn Store, truth: &Truth) -> Result<Truth> {
    let mut items = Truth::new();
    for game in ["chess", "connect4-7x6"] {
        let keys: Vec<&Key> = truth.keys().filter(|key| *key.game == *game).collect();
        let positions: Vec<&[u8]> = keys.iter().map(|key| &*key.position).collect();
        store.get_many(game, &positions, &mut |number, source, record| {
            items.insert(Key::new(&keys[number].game, positions[number], source), record);
        })?;
    }
    Ok(items)
}

fn is_part_of(part: &Truth, truth: &Truth) -> bool {
    part.iter().all(|(key, record)| truth.get(key) == Some(record))
}

/// Reads everything from an opened memory; returns whether all records were there. A wrong record is a failure.
fn read_all(store: &dyn Store, truth: &Truth) -> bool {
    let roots = Range { roots: Some(Age::OldestFirst), ..Range::default() };
    let true_roots: Truth = truth
        .iter()
        .map(|(key, record)| Item { key: key.clone(), record: *record })
        .filter(|item| roots.contains(item))
        .map(|item| (item.key, item.record))
        .collect();
    let answers = [
        (found(store, truth), truth),
        (scanned(store, &Range::default()), truth),
        (scanned(store, &roots), &true_roots),
    ];
    if let (Ok(all), Ok(statistics)) = (&answers[1].0, store.statistics()) {
        let is_said = statistics.damaged + statistics.miscounted > 0;
        assert!(all.len() == truth.len() || is_said, "{} of {} records, in silence", all.len(), truth.len());
    }
    answers.into_iter().fold(true, |all, (answer, expected)| match answer {
        Ok(answer) => {
            assert!(is_part_of(&answer, expected), "a record that was never written");
            all && answer.len() == expected.len()
        }
        Err(error) => {
            assert!(matches!(error, MemoryError::Damaged { .. }), "{error:?}");
            false
        }
    })
}

/// Opens the file for reading and for writing, reads everything, and merges an item. The file may also be refused.
fn examine(path: &Path, truth: &Truth) -> bool {
    let mut is_whole = false;
    if let Ok(store) = open(path, Access::ReadOnly) {
        is_whole = read_all(&*store, truth);
        let is_sound =
            store.upkeep().expect("a file store").verify(&mut |_, _| ()).is_ok_and(|verified| verified.is_sound());
        assert!(is_whole || !is_sound, "a verification that misses damage");
        let _ = store.statistics();
    }
    if let Ok(store) = open(path, Access::Create) {
        read_all(&*store, truth);
        let new = item(&mut Random::new(99), POSITIONS);
        let known = truth.get(&new.key).copied();
        let joined = known.map_or(new.record, |known| mnemon_memory::merge(&known, &new.record));
        let mut now = truth.clone();
        now.insert(new.key.clone(), joined);
        // A damaged record is replaced by the new one.
        let mut renewed = truth.clone();
        renewed.insert(new.key.clone(), new.record);
        if store.merge_many(&[new]).is_ok()
            && let Ok(seen) = scanned(&*store, &Range::default())
        {
            assert!(is_part_of(&seen, &now) || is_part_of(&seen, &renewed));
        }
    }
    is_whole
}

fn write(directory: &Path, bytes: &[u8]) -> PathBuf {
    for name in ["damaged-wal", "damaged-shm", "damaged-journal"] {
        let _ = fs::remove_file(directory.join(name));
    }
    let path = directory.join("damaged");
    fs::write(&path, bytes).expect("a writable directory");
    path
}

#[test]
fn flipped_bits_never_become_scores() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("sound");
    let truth = sound_memory(&path);
    let sound = fs::read(&path).unwrap();
    assert!(examine(&write(directory.path(), &sound), &truth));
    let mut random = Random::new(2);
    let mut noticed = 0;
    for round in 0..300 {
        let mut bytes = sound.clone();
        // The header and the schema are few bytes on which everything depends.
        let end = [100, 4096, bytes.len(), bytes.len()][round % 4];
        for _ in 0..[1, 1, 1, 20][random.below(4)] {
            bytes[random.below(end)] ^= 1 << random.below(8);
        }
        noticed += u32::from(!examine(&write(directory.path(), &bytes), &truth));
    }
    assert!(noticed > 100, "much of the damage has an effect: {noticed}");
}

/// A page whose number of cells is too small loses records, and SQLite notices nothing.
#[test]
fn records_that_a_damaged_page_hides_are_missed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("sound");
    let truth = sound_memory(&path);
    let sound = fs::read(&path).unwrap();
    let store = open(&path, Access::ReadOnly).unwrap();
    assert_eq!(scanned(&*store, &Range::default()).unwrap().len(), truth.len());
    assert_eq!(store.statistics().unwrap().miscounted, 0);
    drop(store);
    let engine = Source::engine("mnemon", "0.1.0");
    let (mut silent, mut of_engine) = (0, 0);
    for page in (4096..sound.len()).step_by(4096) {
        let mut bytes = sound.clone();
        bytes[page + 3..page + 5].copy_from_slice(&1_u16.to_be_bytes());
        let Ok(store) = open(write(directory.path(), &bytes), Access::ReadOnly) else { continue };
        let Ok(seen) = scanned(&*store, &Range::default()) else { continue };
        let missing = (truth.len() - seen.len()) as u64;
        let statistics = store.statistics().unwrap();
        if missing > 0 && statistics.damaged == 0 {
            silent += 1;
            assert!(statistics.miscounted >= missing, "{missing} are missing, not {}", statistics.miscounted);
        }
        let store = open(directory.path().join("damaged"), Access::ReadOnly).unwrap();
        let of_one = Range { source: Some(&engine), game: Some("chess"), ..Range::default() };
        let all = truth.keys().filter(|key| *key.game == *"chess" && key.source == engine).count();
        if scanned(&*store, &of_one).is_ok_and(|seen| seen.len() < all) {
            of_engine += 1;
            let statistics = store.statistics().unwrap();
            assert!(statistics.miscounted + statistics.damaged > 0, "a scan of one source");
        }
    }
    assert!(silent > 10 && of_engine > 5, "pages lost in silence: {silent}, {of_engine}");
}

/// The index of the roots holds the keys of records, and SQLite does not look whether these are roots.
#[test]
fn an_index_that_leads_to_another_record_gives_no_root() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("sound");
    let source = Source::engine("mnemon", "0.1.0");
    // All of one time, as after one search.
    let items: Vec<Item> = (0..200_u8)
        .map(|number| Item {
            key: Key::new(&"chess".into(), [9, 200, 77, number], &source),
            record: Record {
                flags: if number % 5 == 0 { Flags::ROOT } else { Flags::NONE },
                ..Record::exact(number.into(), 7)
            },
        })
        .collect();
    open(&path, Access::Create).unwrap().merge_many(&items).unwrap();
    let sound = fs::read(&path).unwrap();
    let roots = Range { roots: Some(Age::OldestFirst), ..Range::default() };
    let mut led_astray = 0;
    for item in items.iter().filter(|item| roots.contains(item)) {
        for at in (0..sound.len()).filter(|&at| sound[at..].starts_with(&item.key.position)) {
            let mut bytes = sound.clone();
            bytes[at + 3] ^= 1;
            let store = open(write(directory.path(), &bytes), Access::ReadOnly).unwrap();
            let seen = scanned(&*store, &roots).unwrap();
            assert!(seen.values().all(|record| record.flags.contains(Flags::ROOT)), "{at}");
            led_astray += store.statistics().unwrap().damaged;
        }
    }
    assert!(led_astray >= 40, "once for each root: {led_astray}");
}

#[test]
fn truncated_files_and_lost_blocks_never_become_scores() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("sound");
    let truth = sound_memory(&path);
    let sound = fs::read(&path).unwrap();
    let mut random = Random::new(3);
    for round in 0..100 {
        let mut bytes = sound.clone();
        let at = random.below(bytes.len());
        if round % 2 == 0 {
            bytes.truncate(at);
        } else {
            let end = bytes.len().min(at + 512);
            bytes[at..end].fill([0, 255][random.below(2)]);
        }
        let is_whole = examine(&write(directory.path(), &bytes), &truth);
        assert!(!is_whole || round % 2 == 1, "cut at {at}");
    }
}

/// A memory as a killed process leaves it, and the contents and the length of its log after each transaction.
fn memory_with_log(directory: &Path, random: &mut Random) -> ([Vec<u8>; 2], Vec<(Truth, usize)>) {
    let (path, log) = (directory.join("sound"), directory.join("sound-wal"));
    let store = open(&path, Access::Create).expect("a new memory");
    let mut snapshots = vec![(Truth::new(), 0)];
    for number in 0..20 {
        let batch: Vec<_> = (0..30).map(|_| item(random, 200)).collect();
        if number % 5 == 4 {
            let keys: Vec<_> = batch.iter().map(|item| item.key.clone()).collect();
            store.delete_many(&keys).expect("a sound memory");
        } else {
            store.merge_many(&batch).expect("a sound memory");
        }
        let length = fs::metadata(&log).expect("a log").len() as usize;
        snapshots.push((scanned(&*store, &Range::default()).expect("a sound memory"), length));
    }
    ([path, log].map(|path| fs::read(path).expect("a memory")), snapshots)
}

/// Damages the log; returns the first place that is not as it was.
fn damage_log(log: &mut Vec<u8>, round: usize, random: &mut Random) -> usize {
    let at = random.below(log.len());
    let end = log.len().min(at + 1 + random.below(2000));
    match round % 5 {
        0 => log.truncate(at),
        // Each frame begins with a header of 24 bytes, on which the rest of the log depends.
        1 => {
            let frame = 32 + at.saturating_sub(32) / 4120 * 4120;
            let at = frame + random.below(24);
            log[at] ^= 1 << random.below(8);
            return at;
        }
        2 => log[at..end].fill([0, 255][random.below(2)]),
        3 => (at..end).for_each(|at| log[at] ^= random.bits() as u8),
        _ => log[at] ^= 1 << random.below(8),
    }
    at
}

/// Records may be missing from the first damaged frame on, and none before it.
#[test]
fn a_damaged_log_ends_before_the_damage() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = Random::new(4);
    let ([file, log], snapshots) = memory_with_log(directory.path(), &mut random);
    assert!(log.len() > 20 * 4096 && snapshots.last().is_some_and(|last| last.1 == log.len()));
    let rounds = if std::env::var("MNEMON_FAULTS").is_ok_and(|faults| faults == "all") { 5_000 } else { 250 };
    let (mut shortened, mut kept) = (0, 0);
    for round in 0..rounds {
        let mut damaged = log.clone();
        let at = damage_log(&mut damaged, round, &mut random);
        let path = write(directory.path(), &file);
        fs::write(directory.path().join("damaged-wal"), damaged).unwrap();
        let store = open(&path, Access::Create).unwrap();
        let there = scanned(&*store, &Range::default()).unwrap();
        let batches = snapshots.iter().rposition(|(contents, _)| *contents == there);
        let batches =
            batches.unwrap_or_else(|| panic!("round {round}: half a batch, or a wrong record; damage at {at}"));
        let sound = snapshots.iter().rposition(|&(_, length)| length <= at).expect("0 is the first length");
        assert!(batches >= sound, "round {round}: {batches} batches, though {sound} lie before {at}");
        assert!(store.upkeep().expect("a file store").verify(&mut |_, _| ()).unwrap().is_sound());
        shortened += u64::from(batches < snapshots.len() - 1);
        kept += batches;
    }
    println!("{rounds} damaged logs: {shortened} end before the damage, {kept} batches read");
    assert!(shortened > rounds as u64 / 2 && kept > rounds);
}

#[test]
fn records_of_a_damaged_name_are_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("sound");
    let truth = sound_memory(&path);
    let sound = fs::read(&path).unwrap();
    let engine = Source::engine("mnemon", "0.2.0");
    let others: Truth =
        truth.iter().filter(|(key, _)| key.source != engine).map(|(key, r)| (key.clone(), *r)).collect();
    assert!(!others.is_empty() && others.len() < truth.len());
    // Once in the table, once in its index, which only a verification reads.
    let offsets: Vec<_> = (0..sound.len()).filter(|&at| sound[at..].starts_with(b"mnemon0.2.0")).collect();
    assert_eq!(offsets.len(), 2);
    let mut seen = Vec::new();
    for at in offsets {
        let mut bytes = sound.clone();
        // Version 0.3.0.
        bytes[at + 8] ^= 1;
        let store = open(write(directory.path(), &bytes), Access::Create).unwrap();
        seen.push(scanned(&*store, &Range::default()).unwrap());
        assert!(!store.upkeep().expect("a file store").verify(&mut |_, _| ()).unwrap().is_sound());
        if seen.last() == Some(&others) {
            assert!(store.statistics().unwrap().damaged as usize > truth.len() - others.len());
            // And the name does not get a second id.
            let mut again = item(&mut Random::new(5), POSITIONS);
            again.key.source = engine.clone();
            again.record = Record::exact(1, 1);
            assert!(matches!(store.merge_many(&[again]), Err(MemoryError::Damaged { .. })));
        }
    }
    assert!(seen.contains(&others) && seen.contains(&truth));
}

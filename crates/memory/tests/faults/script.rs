//! The scripted run: a memory is created, filled, changed, backed up, compacted and restored, and every step is reported.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mnemon_memory::{Access, Flags, Item, Key, MemoryError, Range, Record, Result, Source, Store, open, restore};
use mnemon_search::random::mix;

use crate::shim::REPORT;

/// A step of the run. Merges and deletions are of whole groups or halves of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Opens the memory, and creates it if it is not there.
    Open,
    /// Merges a group of records in one batch; version 1 is the deeper search and replaces version 0.
    Merge { group: usize, version: usize },
    /// Deletes half of a group.
    Delete { group: usize, half: usize },
    /// Reads everything, by a scan and by lookups.
    Read,
    /// Verifies the memory.
    Verify,
    /// Copies the memory to the backup.
    Backup,
    /// Compacts the memory.
    Compact,
    /// Closes the memory, which moves its log into the file.
    Close,
    /// Closes the memory, opens it for reading only, and reads everything.
    ReadOnly,
    /// Closes the memory, and puts the backup in its place.
    Restore,
}

/// The run.
pub(crate) const SCRIPT: [Step; 27] = [
    Step::Open,
    Step::Merge { group: 0, version: 0 },
    Step::Merge { group: 1, version: 1 },
    Step::Read,
    Step::Delete { group: 0, half: 0 },
    Step::Merge { group: 1, version: 0 },
    Step::Merge { group: 0, version: 1 },
    Step::Close,
    Step::Open,
    Step::Merge { group: 2, version: 0 },
    Step::Verify,
    Step::Delete { group: 1, half: 1 },
    Step::Backup,
    Step::Merge { group: 3, version: 0 },
    Step::Compact,
    Step::Merge { group: 2, version: 1 },
    Step::Delete { group: 3, half: 1 },
    Step::ReadOnly,
    Step::Merge { group: 4, version: 0 },
    Step::Close,
    Step::Restore,
    Step::Read,
    Step::Merge { group: 5, version: 0 },
    Step::Delete { group: 2, half: 0 },
    Step::Compact,
    Step::Merge { group: 6, version: 1 },
    Step::Close,
];

const GROUPS: usize = 8;
/// Some twenty pages in all, and less than what is looked up by two threads.
const HALF: usize = 40;
const GAME: &str = "chess";

/// The bit for a half of a group, in one version.
pub(crate) fn bit(group: usize, half: usize, version: usize) -> u64 {
    1 << (group * 4 + half * 2 + version)
}

/// The items of a half of a group, which are spread over the file.
fn half(group: usize, half: usize, version: usize) -> impl Iterator<Item = Item> {
    let (game, engine): (Arc<str>, _) = (GAME.into(), Source::engine("mnemon", "0.1.0"));
    (0..HALF).map(move |which| {
        let number = ((group * 2 + half) * HALF + which) as u64;
        let position = [mix(number), number, 0].map(u64::to_be_bytes).concat();
        let flags = if which % 8 == 0 { Flags::ROOT } else { Flags::NONE };
        let (score, depth) = ((which + version) as i16, 9 + version as u8);
        let record = Record { nodes: number + version as u64, flags, ..Record::exact(score, depth) };
        Item { key: Key::new(&game, position, &engine), record }
    })
}

/// A batch of both halves.
pub(crate) fn group(group: usize, version: usize) -> Vec<Item> {
    (0..2).flat_map(|which| half(group, which, version)).collect()
}

/// What is in the store, as bits. A record that was never written and a part of a batch are failures.
pub(crate) fn observe(store: &dyn Store) -> Result<u64> {
    let mut items = HashMap::new();
    let visit = &mut |Item { key, record }| {
        assert!(items.insert(key, record).is_none(), "nothing is visited twice");
        ControlFlow::Continue(())
    };
    store.scan(&Range::default(), visit)?;
    let mut bits = 0;
    let mut explained = 0;
    for (group, which, version) in all_halves() {
        let there = half(group, which, version).filter(|item| items.get(&item.key) == Some(&item.record)).count();
        assert!(there == 0 || there == HALF, "{there} records of half {which} of group {group}");
        if there > 0 {
            bits |= bit(group, which, version);
            explained += there;
        }
    }
    assert_eq!(explained, items.len(), "a record that was never written");
    assert_eq!(found(store)?, items.len(), "a lookup and a scan differ");
    Ok(bits)
}

fn all_halves() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..GROUPS * 4).map(|number| (number / 4, number / 2 % 2, number % 2))
}

/// The number of records that lookups of every position find, after a check that each is one of its two versions.
fn found(store: &dyn Store) -> Result<usize> {
    let mut number = 0;
    for of_group in 0..GROUPS {
        let versions = [group(of_group, 0), group(of_group, 1)];
        let positions: Vec<&[u8]> = versions[0].iter().map(|item| &*item.key.position).collect();
        store.get_many(GAME, &positions, &mut |index, source, record| {
            let is_written = |items: &Vec<Item>| items[index].record == record && items[index].key.source == *source;
            assert!(versions.iter().any(is_written), "a record that was never written: {record:?}");
            number += 1;
        })?;
    }
    Ok(number)
}

/// The memory in the directory of a run.
pub(crate) fn memory_path(directory: &Path) -> PathBuf {
    directory.join("memory")
}

/// Its backup.
pub(crate) fn backup_path(directory: &Path) -> PathBuf {
    directory.join("backup")
}

/// Runs every step, also after one has failed, and reports each: `begin N`, then `ok N [BITS]` or `error N VARIANT TEXT`.
pub(crate) fn run(directory: &Path) {
    let mut report = OpenOptions::new().append(true).create(true).open(directory.join(REPORT)).expect("a report");
    let mut run = Run { directory, store: None };
    for (number, step) in SCRIPT.into_iter().enumerate() {
        say(&mut report, &format!("begin {number}"));
        match run.step(step) {
            Ok(None) => say(&mut report, &format!("ok {number}")),
            Ok(Some(bits)) => say(&mut report, &format!("ok {number} {bits}")),
            Err(error) => {
                let debug = format!("{error:?}");
                let variant = debug.split([' ', '{']).next().unwrap_or_default();
                say(&mut report, &format!("error {number} {variant} {error}").replace('\n', " "));
            }
        }
    }
}

/// One write for each line, so that it is one event of the trace.
fn say(report: &mut File, line: &str) {
    report.write_all(format!("{line}\n").as_bytes()).expect("the report never fails");
}

struct Run<'a> {
    directory: &'a Path,
    store: Option<Arc<dyn Store>>,
}

impl Run<'_> {
    /// The open memory. A step after one that could not open it tries again.
    fn store(&mut self) -> Result<Arc<dyn Store>> {
        if self.store.is_none() {
            self.store = Some(open(memory_path(self.directory), Access::Create)?);
        }
        Ok(Arc::clone(self.store.as_ref().expect("opened above")))
    }

    /// Runs a step; returns what it read.
    fn step(&mut self, step: Step) -> Result<Option<u64>> {
        match step {
            Step::Open => drop(self.store()?),
            Step::Merge { group: number, version } => drop(self.store()?.merge_many(&group(number, version))?),
            Step::Delete { group, half: which } => {
                let keys: Vec<_> = half(group, which, 0).map(|item| item.key).collect();
                self.store()?.delete_many(&keys)?;
            }
            Step::Read => return observe(&*self.store()?).map(Some),
            Step::Verify => {
                let store = self.store()?;
                let verified = store.upkeep().expect("a file store").verify(&mut |_, _| ())?;
                if let Some(damage) = verified.damage.first() {
                    let location = memory_path(self.directory).display().to_string();
                    return Err(MemoryError::Damaged { location, detail: damage.clone() });
                }
            }
            Step::Backup => {
                let store = self.store()?;
                let upkeep = store.upkeep().expect("a file store");
                upkeep.backup(&backup_path(self.directory), &mut |_, _| ())?;
            }
            Step::Compact => drop(self.store()?.upkeep().expect("a file store").compact()?),
            Step::Close => self.store = None,
            Step::ReadOnly => {
                self.store = None;
                return observe(&*open(memory_path(self.directory), Access::ReadOnly)?).map(Some);
            }
            Step::Restore => {
                self.store = None;
                restore(memory_path(self.directory), &backup_path(self.directory), &mut |_, _| ())?;
            }
        }
        Ok(None)
    }
}

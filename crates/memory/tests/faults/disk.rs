//! A disk without power: what may be left of a run's files when it ends after some event of its trace.
//!
//! What was synced is there. Of what was not, any part may be: whole writes and truncations, or single sectors of a write.
//! Bytes beside those that were written are never changed. A name is created, removed or replaced as a whole, and for good
//! when the directory was synced; before that each name may be the old or the new one. What was written before a sync that
//! failed may be lost for good, whatever is synced later: Linux drops such pages and reports the failure once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use mnemon_search::random::Random;

use crate::trace::{Event, FileNumber};

const SECTOR: usize = 512;

/// What is left of the changes that were not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// Nothing: neither data nor names.
    Everything,
    /// Everything, as after a kill.
    Nothing,
    /// All data, and no name.
    Names,
    /// All names, and no data.
    Data,
    /// Everything but a part of the last write.
    LastTorn,
    /// Each change, and each name, is there or not.
    SomeWrites,
    /// Each sector of each write, and each name, is there or not.
    SomeSectors,
}

impl Loss {
    pub(crate) const ALL: [Loss; 7] =
        [Loss::Everything, Loss::Nothing, Loss::Names, Loss::Data, Loss::LastTorn, Loss::SomeWrites, Loss::SomeSectors];

    /// Whether it differs from one time to the next.
    pub(crate) fn is_random(self) -> bool {
        matches!(self, Loss::LastTorn | Loss::SomeWrites | Loss::SomeSectors)
    }
}

/// A change of a file.
struct Change<'a> {
    event: &'a Event,
    fate: Fate,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Not synced yet.
    Pending,
    /// Synced: certainly there.
    Synced,
    /// A sync failed: it may be lost, also after a later sync.
    Doubtful,
}

/// The disk after some events.
#[derive(Default)]
pub(crate) struct Disk<'a> {
    files: BTreeMap<FileNumber, Vec<Change<'a>>>,
    /// The names as the process sees them, and as they were when the directory was synced.
    names: BTreeMap<String, FileNumber>,
    synced_names: BTreeMap<String, FileNumber>,
    /// The file that was written last.
    last: FileNumber,
    /// Whether the last sync of the directory failed.
    is_unprotected: bool,
}

impl<'a> Disk<'a> {
    /// The disk after these events.
    pub(crate) fn after(events: &'a [Event]) -> Self {
        let mut disk = Disk::default();
        for event in events {
            match event {
                Event::Open { file, name } => drop(disk.names.insert(name.clone(), *file)),
                Event::Unlink { name } => drop(disk.names.remove(name)),
                Event::Write { file, .. } | Event::Truncate { file, .. } => {
                    disk.last = *file;
                    disk.files.entry(*file).or_default().push(Change { event, fate: Fate::Pending });
                }
                Event::Sync { file, is_failed } => disk.sync(*file, *is_failed),
                Event::SyncDirectory { names, is_failed } => {
                    disk.names = names.iter().map(|(file, name)| (name.clone(), *file)).collect();
                    disk.is_unprotected = *is_failed;
                    if !is_failed {
                        disk.synced_names = disk.names.clone();
                    }
                }
                Event::Refused | Event::Read | Event::Lock | Event::Failed { .. } | Event::Said(_) => (),
            }
        }
        disk
    }

    fn sync(&mut self, file: FileNumber, is_failed: bool) {
        let fate = if is_failed { Fate::Doubtful } else { Fate::Synced };
        let changes = self.files.entry(file).or_default();
        changes.iter_mut().filter(|change| change.fate == Fate::Pending).for_each(|change| change.fate = fate);
    }

    /// Whether names are not on the disk because a sync of the directory failed. SQLite does not notice that, so that its
    /// rollback journal may be lost together with the file that it protects: a memory that is just being created.
    pub(crate) fn is_unprotected(&self) -> bool {
        self.is_unprotected
    }

    /// Whether every loss leaves the same files.
    pub(crate) fn is_certain(&self) -> bool {
        let is_lasting = |name: &str| !is_volatile(name);
        let changes =
            self.names.iter().filter(|(name, _)| is_lasting(name)).filter_map(|(_, file)| self.files.get(file));
        changes.flatten().all(|change| change.fate == Fate::Synced)
            && self
                .names
                .iter()
                .filter(|(name, _)| is_lasting(name))
                .eq(self.synced_names.iter().filter(|(name, _)| is_lasting(name)))
    }

    /// Writes the files that are left into the directory.
    pub(crate) fn write(&self, loss: Loss, random: &mut Random, directory: &Path) {
        for name in self.names.keys().chain(self.synced_names.keys()) {
            let is_new = match loss {
                Loss::Everything | Loss::Names => false,
                Loss::Nothing | Loss::Data | Loss::LastTorn => true,
                Loss::SomeWrites | Loss::SomeSectors => random.below(2) == 0,
            };
            let names = if is_new { &self.names } else { &self.synced_names };
            let path = directory.join(name);
            if let Some(file) = names.get(name).filter(|_| !is_volatile(name) && !path.exists()) {
                fs::write(path, self.contents(*file, loss, random)).expect("a directory for images");
            }
        }
    }

    fn contents(&self, file: FileNumber, loss: Loss, random: &mut Random) -> Vec<u8> {
        let mut contents = Vec::new();
        let changes = self.files.get(&file).map_or(&[][..], Vec::as_slice);
        let last = changes.len() - usize::from(file == self.last && !changes.is_empty());
        for (index, Change { event, fate }) in changes.iter().enumerate() {
            let left = match loss {
                _ if *fate == Fate::Synced => Left::Whole,
                Loss::Nothing | Loss::Names => Left::Whole,
                Loss::Everything | Loss::Data => Left::Nothing,
                Loss::LastTorn if index == last => Left::Sectors,
                Loss::LastTorn => Left::Whole,
                Loss::SomeWrites if random.below(2) == 0 => Left::Whole,
                Loss::SomeWrites => Left::Nothing,
                Loss::SomeSectors => Left::Sectors,
            };
            apply(&mut contents, event, left, random);
        }
        contents
    }
}

/// What is left of a change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    Nothing,
    Whole,
    /// Each sector of it, or not.
    Sectors,
}

fn apply(contents: &mut Vec<u8>, event: &Event, left: Left, random: &mut Random) {
    match event {
        _ if left == Left::Nothing => (),
        Event::Truncate { length, .. } if left == Left::Whole || random.below(2) == 0 => contents.resize(*length, 0),
        Event::Write { offset, bytes, .. } => {
            let mut at = 0;
            while at < bytes.len() {
                let to = offset + at;
                let end = bytes.len().min(at + SECTOR - to % SECTOR);
                if left == Left::Whole || random.below(2) == 0 {
                    if contents.len() < offset + end {
                        contents.resize(offset + end, 0);
                    }
                    contents[to..offset + end].copy_from_slice(&bytes[at..end]);
                }
                at = end;
            }
        }
        _ => (),
    }
}

/// The index of a log is rebuilt from it by the first process that opens it, and the layer does not see its mapped pages.
fn is_volatile(name: &str) -> bool {
    name.ends_with("-shm")
}

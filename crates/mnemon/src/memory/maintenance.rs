//! `mnemon memory verify`, `compact`, `backup` and `restore`: maintenance of a memory's file.

use std::path::PathBuf;

use clap::Args;
use indicatif::HumanBytes;
use mnemon_memory::{Store, Upkeep, Verified};
use serde::Serialize;

use super::merge::is_same;
use crate::format;
use crate::memory_location::{self, MemoryLocation};
use crate::progress::{self, DelayedBar};
use crate::{Result, output};

/// The form of the output.
#[derive(Args)]
pub(crate) struct Verify {
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

/// The target of a backup.
#[derive(Args)]
pub(crate) struct Backup {
    /// The copy, a file that is not there yet
    #[arg(value_name = "TO")]
    to: PathBuf,
}

/// The backup to restore.
#[derive(Args)]
#[command(after_help = "\
The backup is verified first and only read. The memory's contents are replaced whole or not at all: a command that is \
killed leaves the old memory or the new. A file that is copied over the memory by hand has no such safety, since the \
old memory's log may still lie beside it. No other program may have the memory open.")]
pub(crate) struct Restore {
    /// The backup, a memory that 'mnemon memory backup' made
    #[arg(value_name = "BACKUP")]
    backup: PathBuf,
}

/// The members of the JSON object.
#[derive(Serialize)]
struct VerifiedObject<'a> {
    memory: &'a str,
    sound: bool,
    records: u64,
    damaged: u64,
    /// Descriptions of the damage; the first hundred.
    damage: &'a [String],
}

fn upkeep(store: &dyn Store) -> Result<&dyn Upkeep> {
    store.upkeep().ok_or_else(|| "this memory is not kept in a file of its own".into())
}

/// Checks everything; true when nothing is wrong.
pub(crate) fn verify(arguments: &Verify, location: &MemoryLocation) -> Result<bool> {
    let store = location.for_reading()?;
    let verified = {
        let bar = DelayedBar::new(0, "verify");
        upkeep(&*store)?.verify(&mut |done, total| bar.set(done, total))?
    };
    let Verified { records, damage, damaged } = &verified;
    let memory = &location.path().display().to_string();
    if arguments.json {
        let object =
            VerifiedObject { memory, sound: verified.is_sound(), records: *records, damaged: *damaged, damage };
        output::say(output::json_line(&object)?)?;
        return Ok(verified.is_sound());
    }
    let good = format::records(*records);
    if verified.is_sound() {
        output::show(&format!("{memory}: {good}, all sound\n"))?;
        return Ok(true);
    }
    for damage in damage {
        output::show(&format!("{damage}\n"))?;
    }
    let unlisted = damaged.saturating_sub(damage.len() as u64);
    let more = if unlisted > 0 { format!(" ({unlisted} not listed)") } else { String::new() };
    output::show(&format!("{memory}: {good} sound, {damaged} damaged{more}\n"))?;
    Ok(false)
}

/// Makes the file as small as it can be.
pub(crate) fn compact(location: &MemoryLocation) -> Result<bool> {
    let store = location.for_changing()?;
    let upkeep = upkeep(&*store)?;
    let compacted = progress::during("compact", || upkeep.compact())?;
    let (before, after) = (HumanBytes(compacted.before), HumanBytes(compacted.after));
    output::show(&format!("{}: {before} before, {after} now\n", location.path().display()))?;
    memory_location::is_sound(&*store)
}

/// Replaces the memory's contents with those of a backup.
pub(crate) fn restore(arguments: &Restore, location: &MemoryLocation) -> Result<bool> {
    let Restore { backup } = arguments;
    if is_same(backup, location.path()) {
        return Err(format!("{}: this is the memory itself; nothing was done", backup.display()).into());
    }
    location.create_default_folder()?;
    let records = {
        let bar = DelayedBar::new(0, "restore");
        mnemon_memory::restore(location.path(), backup, &mut |done, total| bar.set(done, total))?
    };
    let (memory, records) = (location.path().display(), format::records(records));
    output::show(&format!("{memory}: {records} restored from {}\n", backup.display()))?;
    Ok(true)
}

/// Copies the memory as it is at this moment.
pub(crate) fn backup(arguments: &Backup, location: &MemoryLocation) -> Result<bool> {
    let store = location.for_reading()?;
    let bytes = {
        let bar = DelayedBar::new(0, "backup");
        upkeep(&*store)?.backup(&arguments.to, &mut |done, total| bar.set(done, total))?
    };
    output::show(&format!("{}: {} copied\n", arguments.to.display(), HumanBytes(bytes)))?;
    memory_location::is_sound(&*store)
}

//! `mnemon memory verify`, `compact` and `backup`: maintenance of a memory's file.

use std::path::PathBuf;

use clap::Args;
use indicatif::HumanBytes;
use mnemon_memory::{Store, Upkeep, Verified};
use serde::Serialize;

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

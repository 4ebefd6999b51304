//! `mnemon memory merge`: merges the records of other memories into this one.

use std::path::{Path, PathBuf};

use clap::Args;

use super::batch;
use crate::memory_location::{self, MemoryLocation};
use crate::progress::DelayedBar;
use crate::{Result, output};

/// The memories to merge.
#[derive(Args)]
#[command(after_help = "\
What comes from another memory keeps its name, its label, for ever: 'mnemon memory contributors' lists them, and 'forget \
--contributor' takes everything of one out again. Its moves are searched first, and its scores shown; they are believed \
only after 'mnemon memory trust'.")]
pub(crate) struct Arguments {
    /// Memories, which are only read
    #[arg(required = true, value_name = "OTHER")]
    others: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, location: &MemoryLocation) -> Result<bool> {
    if let Some(same) = arguments.others.iter().find(|other| is_same(other, location.path())) {
        return Err(format!("{}: this is the memory to merge into; nothing was done", same.display()).into());
    }
    // Every memory is opened, and a wrong name found, before anything is merged.
    let others =
        arguments.others.iter().map(|other| memory_location::open_for_reading(other)).collect::<Result<Vec<_>>>()?;
    let store = location.for_adding()?;
    let mut is_fine = true;
    for (path, other) in arguments.others.iter().zip(&others) {
        let bar = DelayedBar::new(other.statistics()?.records(), "merge");
        let merged = mnemon_memory::merge_memory(&**other, &*store, &mut || bar.steps(1))?;
        drop(bar);
        output::show(&format!("{}: {}\n", path.display(), batch::summary(merged)))?;
        is_fine &= memory_location::is_sound(&**other)?;
    }
    Ok(memory_location::is_sound(&*store)? && is_fine)
}

/// Whether two paths lead to one file.
pub(crate) fn is_same(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |path: &Path| path.metadata().ok().map(|data| (data.dev(), data.ino()));
        identity(a).is_some_and(|found| identity(b) == Some(found))
    }
    #[cfg(not(unix))]
    {
        a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
    }
}

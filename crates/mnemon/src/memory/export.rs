//! `mnemon memory export`: records as JSON lines, or as a memory of their own.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use mnemon_memory::{Access, Batch, Item, Key, Range, Store, open};
use tempfile::NamedTempFile;

use super::batch;
use super::import::MEMORY;
use super::{filter, subtree};
use crate::format;
use crate::memory_location::{self, MemoryLocation};
use crate::notation::{self, Games};
use crate::progress::Patient;
use crate::record_json::Line;
use crate::{Result, UsageError, output};

/// What to export, and where to.
#[derive(Args)]
#[command(after_help = "\
Without --to the lines go to stdout. A file is written under another name first and then renamed: it is there whole, \
or not at all. A file whose name ends in .mnemon becomes a memory, which 'mnemon memory merge' takes elsewhere.")]
pub(crate) struct Arguments {
    /// Only this position and everything that can be reached from it through positions that the memory knows
    #[arg(long, num_args = 1.., value_name = "POSITION")]
    from: Vec<String>,
    /// Only this game; with --from, the game of the position
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
    /// Only what this source says: 'mnemon', 'mnemon 0.1.0', or a person's name
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// Write to this file
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, location: &MemoryLocation) -> Result<bool> {
    let root = (!arguments.from.is_empty()).then(|| notation::read(&arguments.from, arguments.game.as_deref()));
    let root = root.transpose().map_err(|fault| UsageError(format!("--from: {fault}")))?;
    let store = location.for_reading()?;
    let export = Export { arguments, store: &*store, root: root.as_deref() };
    match &arguments.to {
        None => {
            let mut lines = Lines::new(BufWriter::new(io::stdout().lock()));
            export.each(&mut |item| lines.write(&item))?;
            lines.to.flush()?;
            if lines.count == 0 {
                eprintln!("there is nothing to export");
            }
        }
        Some(path) if is_memory(path) => export.to_memory(path)?,
        Some(path) => export.to_file(path)?,
    }
    memory_location::is_sound(&*store)
}

/// Whether the file is to be a memory.
fn is_memory(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "mnemon")
}

struct Export<'a> {
    arguments: &'a Arguments,
    store: &'a dyn Store,
    root: Option<&'a dyn notation::Position>,
}

impl Export<'_> {
    /// Hands every record that is wanted to `take`.
    fn each(&self, take: &mut dyn FnMut(Item) -> Result) -> Result {
        let source = self.arguments.source.as_deref();
        let is_in_the_way = self.arguments.to.is_none() && io::stdout().is_terminal();
        let bar = Patient::new(self.store.statistics()?.records(), "export").hidden_if(is_in_the_way);
        if let Some(root) = self.root {
            let game = root.game();
            return subtree::walk(self.store, root, &bar, &mut |packed, views| {
                let meant = views.into_iter().filter(|(view, _)| filter::is_meant(view, source));
                let mut items = meant.map(|(view, record)| Item { key: Key::new(&game, packed, &view), record });
                items.try_for_each(&mut *take)
            });
        }
        let range = Range { game: self.arguments.game.as_deref(), ..Range::default() };
        batch::each(self.store, &range, |item| {
            bar.steps(1);
            if filter::is_meant(&item.key.source, source) { take(item) } else { Ok(()) }
        })
    }

    fn to_file(&self, path: &Path) -> Result {
        let cannot = |error: &dyn std::fmt::Display| format!("cannot write {}: {error}", path.display());
        may_be_replaced(path)?;
        let draft = draft_of(path).map_err(|error| cannot(&error))?;
        let mut lines = Lines::new(BufWriter::new(draft.as_file()));
        let mut failed = None;
        let result = self.each(&mut |item| lines.write(&item).inspect_err(|error| failed = Some(error.to_string())));
        if let Some(error) = failed {
            return Err(cannot(&error).into());
        }
        result?;
        let count = lines.count;
        lines.to.flush().map_err(|error| cannot(&error))?;
        drop(lines);
        draft.as_file().sync_all().map_err(|error| cannot(&error))?;
        draft.persist(path).map_err(|error| cannot(&error.error))?;
        Ok(output::show(&format!("{} written to {}\n", format::records(count), path.display()))?)
    }

    fn to_memory(&self, path: &Path) -> Result {
        let cannot = |error: &io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => is_there(path),
            _ => format!("cannot write {}: {error}", path.display()),
        };
        if path.exists() {
            return Err(is_there(path).into());
        }
        let draft = draft_of(path).map_err(|error| cannot(&error))?;
        let made = open(draft.path(), Access::Create)?;
        let mut batch = Batch::new(&*made);
        self.each(&mut |item| Ok(batch.add(item)?))?;
        let merged = batch.finish()?;
        drop(made);
        draft.persist_noclobber(path).map_err(|error| cannot(&error.error))?;
        Ok(output::show(&format!("{} written to {}\n", format::records(merged.added), path.display()))?)
    }
}

/// Only lines take the place of what is there: never a memory, whatever it is called, and no device.
fn may_be_replaced(path: &Path) -> Result {
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(format!("cannot write {}: it is no ordinary file; stdout needs no --to", path.display()).into());
    }
    let mut start = [0; MEMORY.len()];
    let is_memory = File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == MEMORY;
    if is_memory { Err(is_there(path).into()) } else { Ok(()) }
}

fn is_there(path: &Path) -> String {
    format!("{}: this file is there already; name a new one, or let 'mnemon memory merge' add to it", path.display())
}

/// A file beside the other, which takes its place when it is whole and is removed otherwise.
fn draft_of(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".mnemon-").suffix(".unfinished");
    // As readable as any file that a user makes, where the default would be a secret one.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Records as lines of JSON.
struct Lines<W> {
    to: W,
    games: Games,
    count: u64,
}

impl<W: Write> Lines<W> {
    fn new(to: W) -> Self {
        Lines { to, games: Games::new(), count: 0 }
    }

    fn write(&mut self, item: &Item) -> Result {
        let position = self.games.unpack(&item.key.game, &item.key.position);
        self.count += 1;
        Ok(writeln!(self.to, "{}", output::json_line(&Line::new(position.as_deref(), item))?)?)
    }
}

//! `mnemon memory export`: records as JSON lines, or as a memory of their own.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use mnemon_memory::{Access, Batch, Item, Range, Store, open};
use mnemon_table::file::{FileError, FileKind, OwnKind, PendingFile};

use super::batch;
use super::{filter, subtree};
use crate::format;
use crate::memory_location::{self, MemoryLocation};
use crate::notation::{self, Games};
use crate::progress::{self, DelayedBar};
use crate::record_json::RecordLine;
use crate::{Result, UsageError, output};

/// The records to export, and where to.
#[derive(Args)]
#[command(after_help = "\
Without --to, or with --to -, the lines go to stdout. A file is written under another name first and then renamed: it is \
there whole, or not at all. Of the files that are there, only an empty one or a former export is replaced. A file \
whose name ends in .mnemon becomes a memory, which 'mnemon memory merge' takes elsewhere.

The sub-tree of a position is every known position to which a shortest line of known positions passes it; 'forget \
--subtree' takes only those to which every shortest line does. A transposition of equal length is in both sub-trees, and \
moves back and forth lead to no other variation.")]
pub(crate) struct Arguments {
    /// Only the sub-tree of this position; 'startpos moves e4 c5' says more of what stood before it than a FEN
    #[arg(long, num_args = 1.., value_name = "POSITION")]
    from: Vec<String>,
    /// Only this game; with --from, the game of the position
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
    /// Only what this source says: 'mnemon', 'mnemon 0.1.0', or a person's name
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// Write to this file; '-' is stdout
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
}

impl Arguments {
    /// The file to write; `None` for stdout.
    fn file(&self) -> Option<&Path> {
        self.to.as_deref().filter(|path| path.as_os_str() != "-")
    }
}

/// The files of lines that this command writes.
const JSON_LINES: OwnKind = OwnKind::new("an export of records", |start| start.starts_with(b"{\"game\":"));

pub(crate) fn run(arguments: &Arguments, location: &MemoryLocation) -> Result<bool> {
    let root = (!arguments.from.is_empty()).then(|| notation::read(&arguments.from, arguments.game.as_deref()));
    let root = root.transpose().map_err(|error| UsageError(format!("--from: {error}")))?;
    let store = location.for_reading()?;
    let export = Export { arguments, store: &*store, root: root.as_deref() };
    match arguments.file() {
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
    /// Calls `take` for every record to export.
    fn each(&self, take: &mut dyn FnMut(Item) -> Result) -> Result {
        let source = self.arguments.source.as_deref();
        let shows_lines = self.arguments.file().is_none() && io::stdout().is_terminal();
        let bar = DelayedBar::new(self.store.statistics()?.records(), "export").hidden_if(shows_lines);
        if let Some(root) = self.root {
            let found = progress::during("look", || root.subtree(self.store))?;
            return subtree::each(self.store, &root.game(), &found, |_, item| {
                bar.steps(1);
                if filter::matches(&item.key.source, source) { take(item) } else { Ok(()) }
            });
        }
        let range = Range { game: self.arguments.game.as_deref(), ..Range::default() };
        batch::each(self.store, &range, |item| {
            bar.steps(1);
            if filter::matches(&item.key.source, source) { take(item) } else { Ok(()) }
        })
    }

    fn to_file(&self, path: &Path) -> Result {
        let cannot = |error: &dyn std::fmt::Display| format!("cannot write {}: {error}", path.display());
        let pending = PendingFile::replacing(path, &JSON_LINES).map_err(|error| refused(path, error))?;
        let mut lines = Lines::new(BufWriter::new(pending.as_file()));
        let mut failed = None;
        let result = self.each(&mut |item| lines.write(&item).inspect_err(|error| failed = Some(error.to_string())));
        if let Some(error) = failed {
            return Err(cannot(&error).into());
        }
        result?;
        let count = lines.count;
        lines.to.flush().map_err(|error| cannot(&error))?;
        drop(lines);
        pending.replace().map_err(|error| refused(path, error))?;
        Ok(output::show(&format!("{} written to {}\n", format::records(count), path.display()))?)
    }

    fn to_memory(&self, path: &Path) -> Result {
        if path.exists() {
            return Err(exists_already(path).into());
        }
        let pending = PendingFile::create(path).map_err(|error| refused(path, error))?;
        let made = open(pending.temporary_path(), Access::Create)?;
        let mut batch = Batch::new(&*made);
        self.each(&mut |item| Ok(batch.add(item)?))?;
        let merged = batch.finish()?;
        drop(made);
        pending.create_new().map_err(|error| refused(path, error))?;
        Ok(output::show(&format!("{} written to {}\n", format::records(merged.added), path.display()))?)
    }
}

/// Why the file is not written, with what to do where a memory stands in its place.
fn refused(path: &Path, error: FileError) -> String {
    match error {
        FileError::WrongKind { kind: FileKind::Database, .. } => exists_already(path),
        FileError::Io { source, .. } if source.kind() == io::ErrorKind::AlreadyExists => exists_already(path),
        FileError::Io { source, .. } => format!("cannot write {}: {source}", path.display()),
        error => error.to_string(),
    }
}

fn exists_already(path: &Path) -> String {
    format!("{}: this file is there already; name a new one, or let 'mnemon memory merge' add to it", path.display())
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
        Ok(writeln!(self.to, "{}", output::json_line(&RecordLine::new(position.as_deref(), item))?)?)
    }
}

//! `mnemon memory export`: records as JSON lines, or as a memory of their own.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use mnemon_explore::notation::{self, Games};
use mnemon_explore::record_json::{AnnotationLine, Entry, Names, RecordLine};
use mnemon_memory::{Access, Batch, Contributor, Item, MemoryId, Range, Store, open};
use mnemon_table::file::{FileError, FileKind, OwnKind, PendingFile};

use super::filter::{SourceArgs, SourceFilter};
use super::{batch, subtree};
use crate::format;
use crate::memory_location::{self, MemoryLocation};
use crate::progress::{self, DelayedBar};
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
    #[command(flatten)]
    sources: SourceArgs,
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
    let filter = arguments.sources.filter(&*store)?;
    let export = Export { arguments, store: &*store, root: root.as_deref(), filter };
    match arguments.file() {
        None => {
            let mut lines = Lines::new(BufWriter::new(io::stdout().lock()), &*store)?;
            export.each(&mut |entry| lines.write(&entry))?;
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
    filter: SourceFilter<'a>,
}

impl Export<'_> {
    /// Calls `take` for every record to export, then for every annotation.
    fn each(&self, take: &mut dyn FnMut(Entry) -> Result) -> Result {
        let shows_lines = self.arguments.file().is_none() && io::stdout().is_terminal();
        let bar = DelayedBar::new(self.store.statistics()?.records(), "export").hidden_if(shows_lines);
        let mut visit = |item: Item| {
            bar.steps(1);
            if self.filter.matches(&item.key.source) { take(Entry::Record(item)) } else { Ok(()) }
        };
        let found = self.root.map(|root| progress::during("look", || root.subtree(self.store))).transpose()?;
        let game = self.root.map(|root| root.game().to_string()).or_else(|| self.arguments.game.clone());
        let range = Range { game: game.as_deref(), ..Range::default() };
        match &found {
            Some(found) => subtree::each(self.store, &game.clone().unwrap_or_default(), found, |_, item| visit(item))?,
            None => batch::each(self.store, &range, visit)?,
        }
        batch::each_annotation(self.store, &range, |annotation| {
            let key = &annotation.key;
            let is_inside = found.as_ref().is_none_or(|found| found.find(&key.position).is_some());
            if is_inside && self.filter.matches(&key.source) { take(Entry::Annotation(annotation)) } else { Ok(()) }
        })
    }

    fn to_file(&self, path: &Path) -> Result {
        let cannot = |error: &dyn std::fmt::Display| format!("cannot write {}: {error}", path.display());
        let pending = PendingFile::replacing(path, &JSON_LINES).map_err(|error| refused(path, error))?;
        let mut lines = Lines::new(BufWriter::new(pending.as_file()), self.store)?;
        let mut failed = None;
        let result = self.each(&mut |entry| lines.write(&entry).inspect_err(|error| failed = Some(error.to_string())));
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
        let label = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        made.set_label(&label)?;
        let mut batch = Batch::from_memory(self.store, &*made)?;
        self.each(&mut |entry| match entry {
            Entry::Record(item) => Ok(batch.add(item)?),
            Entry::Annotation(annotation) => Ok(batch.annotate(annotation)?),
        })?;
        let merged = batch.finish()?;
        self.copy_trust(&*made)?;
        drop(made);
        pending.create_new().map_err(|error| refused(path, error))?;
        Ok(output::show(&format!("{} written to {}\n", format::records(merged.added), path.display()))?)
    }
}

impl Export<'_> {
    /// Who opens the new memory by itself believes what its maker believes; who merges it decides anew.
    fn copy_trust(&self, made: &dyn Store) -> Result {
        let (own, known) = (self.store.identity()?, self.store.contributors()?);
        let is_trusted = |id: MemoryId| id == own.id || known.iter().any(|other| other.id == id && other.trusted);
        for contributor in made.contributors()?.into_iter().filter(|contributor| is_trusted(contributor.id)) {
            made.set_contributor(&Contributor { trusted: true, ..contributor })?;
        }
        Ok(())
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

/// Records and annotations as lines of JSON.
struct Lines<W> {
    to: W,
    games: Games,
    names: Names,
    /// The number of records.
    count: u64,
}

impl<W: Write> Lines<W> {
    fn new(to: W, store: &dyn Store) -> Result<Self> {
        Ok(Lines { to, games: Games::new(), names: Names::abroad(store)?, count: 0 })
    }

    fn write(&mut self, entry: &Entry) -> Result {
        let key = match entry {
            Entry::Record(item) => &item.key,
            Entry::Annotation(annotation) => &annotation.key,
        };
        let position = self.games.unpack(&key.game, &key.position);
        let line = match entry {
            Entry::Record(item) => {
                self.count += 1;
                output::json_line(&RecordLine::new(position.as_deref(), item, &self.names))
            }
            Entry::Annotation(annotation) => {
                output::json_line(&AnnotationLine::new(position.as_deref(), annotation, &self.names))
            }
        };
        Ok(writeln!(self.to, "{}", line?)?)
    }
}

//! `mnemon memory export`: records as JSON lines or EPD, a part of the memory as a memory, the known tree as PGN or a book.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use mnemon_explore::exchange::EpdLines;
use mnemon_memory::{Access, Batch, Contributor, Item, MemoryId, Range, Store, open};
use mnemon_table::file::{FileError, FileKind, OwnKind, PendingFile};

use super::filter::{SourceArgs, SourceFilter};
use super::{batch, export_tree, subtree};
use crate::format;
use crate::memory_location::{self, MemoryLocation};
use crate::progress::{self, DelayedBar};
use crate::{Result, UsageError, output};
use mnemon_explore::notation::{self, Games};
use mnemon_explore::record_json::{AnnotationLine, Entry, Names, RecordLine};

/// The records to export, and where to.
#[derive(Args)]
#[command(after_help = "\
Without --to, or with --to -, the lines go to stdout. The ending of the file's name gives its format: .pgn is the known tree \
as a game with variations, .epd a line for each record, .bin an opening book (Polyglot), .mnemon a memory, which 'mnemon \
memory merge' takes elsewhere; everything else is JSON lines.

A file is written under another name first and then renamed: it is there whole, or not at all. Of the files that are there, \
only an empty one or a former export as JSON lines or as a tree is replaced.

The sub-tree of a position is every known position to which a shortest line of known positions passes it; 'forget \
--subtree' takes only those to which every shortest line does. A transposition of equal length is in both sub-trees, and \
moves back and forth lead to no other variation. A tree (.pgn, .bin) is what is reached from the position by known moves; a \
position that several lines lead to is continued once, and the others refer to it.")]
pub(crate) struct Arguments {
    /// Only the sub-tree of this position; 'startpos moves e4 c5' says more of what stood before it than a FEN
    #[arg(long, num_args = 1.., value_name = "POSITION")]
    pub(super) from: Vec<String>,
    /// Only this game; with --from, the game of the position
    #[arg(long, value_name = "NAME")]
    pub(super) game: Option<String>,
    #[command(flatten)]
    pub(super) sources: SourceArgs,
    /// Write to this file; '-' is stdout
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// The format, where the file's name does not tell it
    #[arg(long, value_name = "NAME")]
    format: Option<Format>,
    #[command(flatten)]
    pub(super) tree: export_tree::TreeArgs,
}

/// The formats by their names.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Json,
    Mnemon,
    Pgn,
    Epd,
    Polyglot,
}

impl Arguments {
    /// The file to write; `None` for stdout.
    fn file(&self) -> Option<&Path> {
        self.to.as_deref().filter(|path| path.as_os_str() != "-")
    }

    /// The format: as it is given, or else by the file's name.
    fn format(&self) -> Format {
        let ending = self.file().and_then(Path::extension).map(|ending| ending.to_string_lossy().to_lowercase());
        self.format.unwrap_or(match ending.as_deref() {
            Some("mnemon") => Format::Mnemon,
            Some("pgn") => Format::Pgn,
            Some("epd") => Format::Epd,
            Some("bin") => Format::Polyglot,
            _ => Format::Json,
        })
    }
}

/// The files of lines that this command writes.
const JSON_LINES: OwnKind = OwnKind::new("an export of records", |start| start.starts_with(b"{\"game\":"));

/// Files without a mark of their own: none is replaced.
const NEW_FILE: OwnKind = OwnKind::new("an empty file", |_| false);

pub(crate) fn run(arguments: &Arguments, location: &MemoryLocation) -> Result<bool> {
    let format = arguments.format();
    if matches!(format, Format::Pgn | Format::Polyglot) {
        return export_tree::run(arguments, arguments.file(), format == Format::Pgn, location);
    }
    let root = (!arguments.from.is_empty()).then(|| notation::read(&arguments.from, arguments.game.as_deref()));
    let root = root.transpose().map_err(|error| UsageError(format!("--from: {error}")))?;
    let store = location.for_reading()?;
    let filter = arguments.sources.filter(&*store)?;
    let export = Export { arguments, store: &*store, root: root.as_deref(), filter };
    match (arguments.file(), format) {
        (None, Format::Mnemon) => return Err(UsageError("a memory needs a file: add --to FILE".to_owned()).into()),
        (None, format) => {
            let mut lines = Lines::new(BufWriter::new(io::stdout().lock()), &*store, format == Format::Epd)?;
            export.each(&mut |entry| lines.write(&entry))?;
            lines.to.flush()?;
            if lines.count == 0 {
                eprintln!("there is nothing to export");
            }
        }
        (Some(path), Format::Mnemon) => export.to_memory(path)?,
        (Some(path), format) => export.to_file(path, format == Format::Epd)?,
    }
    memory_location::is_sound(&*store)
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

    fn to_file(&self, path: &Path, is_epd: bool) -> Result {
        let own = if is_epd { NEW_FILE } else { JSON_LINES };
        let pending = PendingFile::replacing(path, &own).map_err(|error| refused(path, error))?;
        let mut lines = Lines::new(BufWriter::new(pending.as_file()), self.store, is_epd)?;
        let mut failed = None;
        let result = self.each(&mut |entry| lines.write(&entry).inspect_err(|error| failed = Some(error.to_string())));
        if let Some(error) = failed {
            return Err(cannot_write(path, &error).into());
        }
        result?;
        let (count, left_out) = (lines.count, lines.left_out);
        lines.to.flush().map_err(|error| cannot_write(path, &error))?;
        drop(lines);
        pending.replace().map_err(|error| refused(path, error))?;
        let mut said = format!("{} written to {}", format::records(count), path.display());
        if left_out > 0 {
            said += &format!("; {} left out, for which EPD has no form", format::records(left_out));
        }
        Ok(output::show(&(said + "\n"))?)
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

fn cannot_write(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("cannot write {}: {error}", path.display())
}

/// Why the file is not written, with what to do where a memory stands in its place.
pub(super) fn refused(path: &Path, error: FileError) -> String {
    match error {
        FileError::WrongKind { kind: FileKind::Database, .. } => exists_already(path),
        FileError::Io { source, .. } if source.kind() == io::ErrorKind::AlreadyExists => exists_already(path),
        FileError::Io { source, .. } => cannot_write(path, &source),
        error => error.to_string(),
    }
}

fn exists_already(path: &Path) -> String {
    format!("{}: this file is there already; name a new one, or let 'mnemon memory merge' add to it", path.display())
}

/// Records and annotations as lines of JSON or EPD.
struct Lines<'s, W> {
    to: W,
    games: Games,
    names: Names,
    /// For EPD.
    epd: Option<EpdLines<'s>>,
    /// The number of records.
    count: u64,
    /// The number of records that have no line.
    left_out: u64,
}

impl<'s, W: Write> Lines<'s, W> {
    fn new(to: W, store: &'s dyn Store, is_epd: bool) -> Result<Self> {
        let epd = is_epd.then(|| EpdLines::new(store));
        Ok(Lines { to, games: Games::new(), names: Names::abroad(store)?, epd, count: 0, left_out: 0 })
    }

    fn write(&mut self, entry: &Entry) -> Result {
        let is_record = matches!(entry, Entry::Record(_));
        let line = match &self.epd {
            Some(epd) => epd.line(entry)?,
            None => Some(self.json(entry)?),
        };
        self.count += u64::from(is_record && line.is_some());
        self.left_out += u64::from(is_record && line.is_none());
        line.map_or(Ok(()), |line| Ok(writeln!(self.to, "{line}")?))
    }

    fn json(&self, entry: &Entry) -> Result<String> {
        let unpacked = |key: &mnemon_memory::Key| self.games.unpack(&key.game, &key.position);
        Ok(match entry {
            Entry::Record(item) => {
                output::json_line(&RecordLine::new(unpacked(&item.key).as_deref(), item, &self.names))?
            }
            Entry::Annotation(annotation) => {
                output::json_line(&AnnotationLine::new(unpacked(&annotation.key).as_deref(), annotation, &self.names))?
            }
        })
    }
}

//! `mnemon memory import`: records from JSON lines, games, analyses and opening books.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use mnemon_chess::Position;
use mnemon_explore::exchange::{ExchangeError, FileFormat, Input, Intake, Report, Stop};
use mnemon_memory::{Identity, MemoryId, Store};
use mnemon_search::Notation;

use super::batch;
use crate::format;
use crate::memory_location::{self, MemoryLocation};
use crate::progress::DelayedBar;
use crate::{Result, UsageError, output};

/// The files to import.
#[derive(Args)]
#[command(after_help = "\
A file's name or its contents tell its format: JSON lines of 'mnemon memory export', games (PGN), positions with analyses \
(EPD), evaluations of lichess's database (.jsonl), or an opening book (Polyglot .bin). Files that zstd has compressed \
(.zst) are read as they are.

Records that name no contributor have the file as such, by its name. At a line or a game that is wrong the import stops; \
what stands before it is kept, and importing a file again does no harm. With --keep-going it is left out, and the rest is \
read.")]
pub(crate) struct Arguments {
    /// The files; '-' is stdin
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The format of the files, where they do not tell it
    #[arg(long, value_name = "NAME")]
    format: Option<Format>,
    /// The position from which an opening book is walked [default: startpos]
    #[arg(long, num_args = 1.., value_name = "POSITION")]
    from: Vec<String>,
    /// Leave out what is wrong, name it, and read the rest; the exit code is 1 then
    #[arg(long)]
    keep_going: bool,
}

/// The formats by their names.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    Json,
    Pgn,
    Epd,
    Lichess,
    Polyglot,
}

impl From<Format> for FileFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Json => FileFormat::Json,
            Format::Pgn => FileFormat::Pgn,
            Format::Epd => FileFormat::Epd,
            Format::Lichess => FileFormat::Lichess,
            Format::Polyglot => FileFormat::Polyglot,
        }
    }
}

/// The first bytes of a memory's file, which is an SQLite database.
const MEMORY_MAGIC: [u8; 16] = *b"SQLite format 3\0";

pub(crate) fn run(arguments: &Arguments, location: &MemoryLocation) -> Result<bool> {
    let root = match &arguments.from[..] {
        [] => Position::start(),
        words => Position::read(&words.join(" ")).map_err(|error| UsageError(format!("--from: {error}")))?,
    };
    let files = arguments.files.iter().map(|path| ImportFile::open(path)).collect::<Result<Vec<_>>>()?;
    let store = location.for_adding()?;
    let mut is_fine = true;
    for file in files {
        is_fine &= file.import(&*store, &root, arguments)?;
    }
    Ok(memory_location::is_sound(&*store)? && is_fine)
}

/// A file that can be read.
struct ImportFile {
    path: PathBuf,
    name: String,
    reader: Box<dyn BufRead>,
    bytes: u64,
}

impl ImportFile {
    fn open(path: &Path) -> Result<Self> {
        if path.as_os_str() == "-" {
            let reader = Box::new(BufReader::new(io::stdin()));
            return Ok(ImportFile { path: path.to_owned(), name: "stdin".to_owned(), reader, bytes: 0 });
        }
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| format!("{name}: {error}"))?;
        let bytes = file.metadata().map_or(0, |data| data.len());
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let start = reader.fill_buf().map_err(|error| format!("{name}: {error}"))?;
        if start.starts_with(&MEMORY_MAGIC) {
            return Err(format!("{name}: this is a memory, no file to import; 'mnemon memory merge' takes it").into());
        }
        Ok(ImportFile { path: path.to_owned(), name, reader: Box::new(reader), bytes })
    }

    /// The contributor of what names none: the file, by its name.
    fn identity(&self) -> Identity {
        let name = Path::new(&self.name).file_name().unwrap_or_default().to_string_lossy().into_owned();
        Identity { id: MemoryId::of_text(&format!("file:{name}")), label: name }
    }

    /// Imports the file; false if something in it was wrong and left out.
    fn import(self, store: &dyn Store, root: &Position, arguments: &Arguments) -> Result<bool> {
        let named = |error: ExchangeError| match error {
            ExchangeError::Memory(error) => error.to_string(),
            error => format!("{}: {error}", self.name),
        };
        let mut intake = Intake::new(self.identity(), store).map_err(named)?;
        let counted = Counted { reader: self.reader, bar: DelayedBar::new(self.bytes, "import") };
        let input = Input::new(&self.path, counted, arguments.format.map(FileFormat::from));
        let input = input.map_err(|error| format!("{}: {error}", self.name))?;
        let is_book = input.format() == FileFormat::Polyglot;
        let mut faults = Faults { name: &self.name, keep_going: arguments.keep_going, broken: 0, first: None };
        let outcome = input.import(root, &mut intake, &mut faults);
        let (merged, notes) = intake.finish().map_err(named)?;
        let all = merged.added + merged.changed + merged.known;
        let kept = format::records(all);
        let stopped = faults.first.filter(|_| !arguments.keep_going);
        if let Some((line, error)) = stopped {
            return Err(format!("{}: line {line}: {error}; {kept} before it kept, nothing after it", self.name).into());
        }
        outcome.map_err(named)?;
        let mut said = format!("{}: {}", self.name, batch::summary(merged));
        if notes > 0 {
            said += &format!("; {notes} note{}", format::plural(notes));
        }
        if faults.broken > 0 {
            said += &format!("; {} left out", faults.broken);
        }
        output::show(&format!("{said}\n"))?;
        if is_book && all == 0 {
            return Err(format!("{}: this book does not know the position; --from names another", self.name).into());
        }
        Ok(faults.broken == 0)
    }
}

/// What cannot be read of a file.
struct Faults<'n> {
    name: &'n str,
    keep_going: bool,
    broken: u64,
    first: Option<(u64, String)>,
}

impl Report for Faults<'_> {
    fn broken(&mut self, line: u64, error: &str) -> std::result::Result<(), Stop> {
        /// The rest is only counted: a file of another format would fill the screen.
        const MOST_NAMED: u64 = 20;
        self.broken += 1;
        if !self.keep_going {
            self.first = Some((line, error.to_owned()));
            return Err(Stop);
        }
        if self.broken <= MOST_NAMED {
            let words = output::escape_controls(&format!("{}: line {line}: {error}", self.name));
            eprintln!("mnemon: {words}; left out");
        } else if self.broken == MOST_NAMED + 1 {
            eprintln!("mnemon: {}: there are more such lines, which are not named", self.name);
        }
        Ok(())
    }

    fn left_out(&mut self, line: u64, what: &str) {
        if self.keep_going {
            eprintln!("mnemon: {}: line {line}: {}", self.name, output::escape_controls(what));
        }
    }
}

/// A reader whose bytes move a bar.
struct Counted {
    reader: Box<dyn BufRead>,
    bar: DelayedBar,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.reader.read(buffer)?;
        self.bar.steps(bytes as u64);
        Ok(bytes)
    }
}

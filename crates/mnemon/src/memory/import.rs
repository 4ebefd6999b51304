//! `mnemon memory import`: merges records from lines of JSON.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::Args;
use mnemon_explore::notation::Games;
use mnemon_explore::record_json::{self, Entry, JsonError};
use mnemon_memory::{Batch, Identity, MemoryId, Merged, Origins, Store};

use super::batch;
use crate::format;
use crate::memory_location::{self, MemoryLocation};
use crate::progress::DelayedBar;
use crate::{Result, output};
use mnemon_search::lines::read_line;

/// The files to import.
#[derive(Args)]
#[command(after_help = "\
Lines are those that 'mnemon memory export' writes. Records that name no contributor have the file as such, by its name. \
At a line that is wrong the import stops; what stands before it is \
kept, and importing a file again does no harm.")]
pub(crate) struct Arguments {
    /// Files of JSON lines; '-' is stdin
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Longer lines are refused: no record, and no set of lines that a search gives, needs as much.
const MAX_LINE_BYTES: usize = 256 << 10;

/// The first bytes of a memory's file, which is an SQLite database.
const MEMORY_MAGIC: [u8; 16] = *b"SQLite format 3\0";

pub(crate) fn run(arguments: &Arguments, location: &MemoryLocation) -> Result<bool> {
    let mut files = arguments.files.iter().map(|path| Input::open(path)).collect::<Result<Vec<_>>>()?;
    let store = location.for_adding()?;
    for file in &mut files {
        let merged = file.import(&*store)?;
        output::show(&format!("{}: {}\n", file.name, batch::summary(merged)))?;
    }
    memory_location::is_sound(&*store)
}

/// A file of lines.
struct Input {
    name: String,
    reader: Box<dyn BufRead>,
    bytes: u64,
}

impl Input {
    fn open(path: &Path) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Input { name: "stdin".to_owned(), reader: Box::new(BufReader::new(io::stdin())), bytes: 0 });
        }
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| format!("{name}: {error}"))?;
        let bytes = file.metadata().map_or(0, |data| data.len());
        let mut reader = BufReader::new(file);
        let start = reader.fill_buf().map_err(|error| format!("{name}: {error}"))?;
        if start.starts_with(&MEMORY_MAGIC) {
            return Err(
                format!("{name}: this is a memory, no file of JSON lines; 'mnemon memory merge' takes it").into()
            );
        }
        Ok(Input { name, reader: Box::new(reader), bytes })
    }

    /// The contributor of records that name none: the file, by its name.
    fn identity(&self) -> Identity {
        let name = Path::new(&self.name).file_name().unwrap_or_default().to_string_lossy().into_owned();
        Identity { id: MemoryId::of_text(&format!("file:{name}")), label: name }
    }

    /// Imports every line up to the first that is wrong.
    fn import(&mut self, store: &dyn Store) -> Result<Merged> {
        let (games, bar) = (Games::new(), DelayedBar::new(self.bytes, "import"));
        let (mut batch, mut number) = (Batch::contributed_by(self.identity(), store)?, 0_u64);
        let error = loop {
            number += 1;
            match read_line(&mut self.reader, MAX_LINE_BYTES) {
                Err(error) => break Some(error.to_string()),
                Ok(None) => break None,
                Ok(Some(line)) => {
                    bar.steps(line.len() as u64 + 1);
                    match entry(&line, &games) {
                        Ok(Some((entry, contributors))) => {
                            contributors.into_iter().for_each(|identity| batch.introduce(identity));
                            add(&mut batch, entry)?;
                        }
                        Ok(None) => {}
                        Err(error) => break Some(error.to_string()),
                    }
                }
            }
        };
        let merged = batch.finish()?;
        let Some(error) = error else { return Ok(merged) };
        let kept = format::records(merged.added + merged.changed + merged.known);
        Err(format!("{}: line {number}: {error}; {kept} before it kept, nothing after it", self.name).into())
    }
}

/// Adds what a line describes.
fn add(batch: &mut Batch<'_>, entry: Entry) -> mnemon_memory::Result {
    match entry {
        Entry::Record(mut item) => {
            if !item.record.origins.contains(Origins::ADVICE) {
                item.record.origins = item.record.origins.union(Origins::IMPORT);
            }
            batch.add(item)
        }
        Entry::Annotation(annotation) => batch.annotate(annotation),
    }
}

/// What a line describes, and the contributors that it names; `None` for an empty line.
fn entry(line: &[u8], games: &Games) -> std::result::Result<Option<(Entry, Vec<Identity>)>, JsonError> {
    if line.len() > MAX_LINE_BYTES {
        return Err(JsonError::TooLong(MAX_LINE_BYTES));
    }
    if line.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    record_json::read(line, games).map(Some)
}

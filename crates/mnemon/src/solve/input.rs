//! Where positions come from: the command line, files, or stdin, read line by line with a bound on memory.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;

use mnemon_connect4::sequence::MAX_LINE_BYTES;
use mnemon_search::lines::read_line;

/// A source of lines.
pub(crate) enum Source {
    Arguments(Vec<OsString>),
    File(PathBuf),
    Stdin,
}

/// The number of a line and its file, as errors name them.
#[derive(Clone)]
pub(crate) struct LineNumber {
    /// The file; `None` for arguments.
    pub(crate) file: Option<String>,
    /// Counted from 1.
    pub(crate) number: u64,
}

impl fmt::Display for LineNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(formatter, "{file}: line {}", self.number),
            None => write!(formatter, "position {}", self.number),
        }
    }
}

impl Source {
    /// The name, for messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Arguments(_) => "arguments".to_owned(),
            Self::File(path) => path.display().to_string(),
            Self::Stdin => "stdin".to_owned(),
        }
    }

    /// Opens it for reading.
    pub(crate) fn lines(self) -> io::Result<Lines> {
        let file = if matches!(self, Self::Arguments(_)) { None } else { Some(self.name()) };
        let supply = match self {
            Self::Arguments(words) => Supply::Words(words.into_iter()),
            Self::File(path) => Supply::Reader(Box::new(BufReader::new(File::open(path)?))),
            Self::Stdin => Supply::Reader(Box::new(io::stdin().lock())),
        };
        Ok(Lines { at: LineNumber { file, number: 0 }, supply })
    }
}

/// The lines of a source.
pub(crate) struct Lines {
    at: LineNumber,
    supply: Supply,
}

enum Supply {
    Words(std::vec::IntoIter<OsString>),
    Reader(Box<dyn BufRead>),
}

impl Lines {
    /// The next line and its number, without the end of the line; `None` after the last.
    pub(crate) fn next(&mut self) -> io::Result<Option<(LineNumber, Vec<u8>)>> {
        let line = match &mut self.supply {
            Supply::Words(words) => words.next().map(argument),
            Supply::Reader(reader) => read_line(reader, MAX_LINE_BYTES)?,
        };
        self.at.number += 1;
        Ok(line.map(|line| (self.at.clone(), line)))
    }
}

/// An argument as a line; an empty one can only have been meant as the empty board.
fn argument(word: OsString) -> Vec<u8> {
    let bytes = word.into_encoded_bytes();
    if bytes.is_empty() { mnemon_connect4::sequence::EMPTY_BOARD.into() } else { bytes }
}

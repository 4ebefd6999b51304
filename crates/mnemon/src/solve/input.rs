//! Where positions come from: the command line, files, or stdin, read line by line with a bound on memory.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;

use super::position::LONGEST_LINE;

/// Something that has lines.
pub(crate) enum Source {
    Arguments(Vec<OsString>),
    File(PathBuf),
    Stdin,
}

/// A line's place, as errors name it.
#[derive(Clone)]
pub(crate) struct Place {
    /// The file; `None` for arguments.
    pub(crate) file: Option<String>,
    /// Counted from 1.
    pub(crate) number: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(formatter, "{file}: line {}", self.number),
            None => write!(formatter, "position {}", self.number),
        }
    }
}

impl Source {
    /// What to call it.
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
        Ok(Lines { place: Place { file, number: 0 }, supply })
    }
}

/// The lines of a source.
pub(crate) struct Lines {
    place: Place,
    supply: Supply,
}

enum Supply {
    Words(std::vec::IntoIter<OsString>),
    Reader(Box<dyn BufRead>),
}

impl Lines {
    /// The next line and its place, without the end of the line; `None` after the last.
    pub(crate) fn next(&mut self) -> io::Result<Option<(Place, Vec<u8>)>> {
        let line = match &mut self.supply {
            Supply::Words(words) => words.next().map(argument),
            Supply::Reader(reader) => read_line(reader, LONGEST_LINE)?,
        };
        self.place.number += 1;
        Ok(line.map(|line| (self.place.clone(), line)))
    }
}

/// An argument as a line; an empty one can only have been meant as the empty board.
fn argument(word: OsString) -> Vec<u8> {
    let bytes = word.into_encoded_bytes();
    if bytes.is_empty() { super::position::EMPTY_BOARD.into() } else { bytes }
}

/// Reads one line. Of a line that is longer than `longest` only the start is kept, one byte too many, so that it shows.
pub(crate) fn read_line(reader: &mut impl BufRead, longest: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    reader.by_ref().take(longest as u64 + 1).read_until(b'\n', &mut line)?;
    match line.last() {
        None => return Ok(None),
        Some(b'\n') => _ = line.pop(),
        Some(_) if line.len() > longest => _ = reader.skip_until(b'\n')?,
        Some(_) => {}
    }
    Ok(Some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut text: &[u8]) -> Vec<Vec<u8>> {
        std::iter::from_fn(|| read_line(&mut text, LONGEST_LINE).unwrap()).collect()
    }

    #[test]
    fn lines_end_at_newlines_and_at_the_end() {
        assert_eq!(lines(b"44\n\n45"), [&b"44"[..], b"", b"45"]);
        assert_eq!(lines(b"44\n"), [b"44"]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn of_a_long_line_only_the_start_is_kept() {
        let text = [&[b'1'; 1 << 20][..], b"\n45"].concat();
        let lines = lines(&text);
        assert_eq!((lines.len(), lines[0].len()), (2, LONGEST_LINE + 1));
        assert_eq!(lines[1], b"45");
        let exact = [&[b'1'; LONGEST_LINE][..], b"\n45\n"].concat();
        assert_eq!(self::lines(&exact).len(), 2);
    }
}

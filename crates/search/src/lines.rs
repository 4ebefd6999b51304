//! Lines of text of bounded length: an input without line ends must not exhaust RAM.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// The number of a line in an input, as errors show it: `positions.txt: line 3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineNumber {
    /// The input: a file's path, or `stdin`.
    pub input: String,
    /// Counted from 1.
    pub number: u64,
}

impl fmt::Display for LineNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: line {}", self.input, self.number)
    }
}

/// The lines of an input, with their numbers.
pub struct Lines {
    input: String,
    reader: Box<dyn BufRead>,
    max_len: usize,
    number: u64,
}

impl Lines {
    /// The lines of a file, of at most `max_len` bytes each.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(path: &Path, max_len: usize) -> io::Result<Self> {
        Ok(Self::new(path.display().to_string(), Box::new(BufReader::new(File::open(path)?)), max_len))
    }

    /// The lines of stdin, of at most `max_len` bytes each.
    pub fn stdin(max_len: usize) -> Self {
        Self::new("stdin".to_owned(), Box::new(io::stdin().lock()), max_len)
    }

    fn new(input: String, reader: Box<dyn BufRead>, max_len: usize) -> Self {
        Lines { input, reader, max_len, number: 0 }
    }

    /// The next line and its number, as [`read_line`] gives it; `None` after the last.
    ///
    /// # Errors
    /// The input cannot be read.
    #[expect(clippy::should_implement_trait, reason = "a line that cannot be read is an error, not an item")]
    pub fn next(&mut self) -> io::Result<Option<(LineNumber, Vec<u8>)>> {
        let line = read_line(&mut self.reader, self.max_len)?;
        self.number += 1;
        Ok(line.map(|line| (LineNumber { input: self.input.clone(), number: self.number }, line)))
    }
}

/// Reads one line without its line end; `None` after the last. Of a line longer than `max_len` bytes it returns the first
/// `max_len + 1`, so that the caller sees that it is too long, and skips the rest.
///
/// # Errors
/// The reader's errors.
pub fn read_line(reader: &mut impl BufRead, max_len: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    reader.by_ref().take(max_len as u64 + 1).read_until(b'\n', &mut line)?;
    match line.last() {
        None => return Ok(None),
        Some(b'\n') => _ = line.pop(),
        Some(_) if line.len() > max_len => _ = reader.skip_until(b'\n')?,
        Some(_) => {}
    }
    Ok(Some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_LEN: usize = 1000;

    fn lines(mut text: &[u8]) -> Vec<Vec<u8>> {
        std::iter::from_fn(|| read_line(&mut text, MAX_LEN).unwrap()).collect()
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
        assert_eq!((lines.len(), lines[0].len()), (2, MAX_LEN + 1));
        assert_eq!(lines[1], b"45");
        let exact = [&[b'1'; MAX_LEN][..], b"\n45\n"].concat();
        assert_eq!(self::lines(&exact).len(), 2);
    }
}

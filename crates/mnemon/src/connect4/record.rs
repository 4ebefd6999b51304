//! The book's file: a head line, then lines of moves, score and check.
//!
//! ```text
//! # mnemon connect4 book 1: board 7x6; moves, score for the side to move (+ it wins), CRC-32 of both
//! 4455 3 0a1b2c3d
//! ```
//!
//! The check is the CRC-32 (IEEE), as eight hexadecimal digits, of the line up to the space before it. A last line
//! without its end was being written when the writer was stopped, and does not count.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::{fs, str};

use mnemon_connect4::Board;

use super::book::Book;
use crate::Result;
use mnemon_connect4::sequence::MoveSequence;

/// The first line.
const HEAD: &str =
    "# mnemon connect4 book 1: board 7x6; moves, score for the side to move (+ it wins), CRC-32 of both\n";

/// A line of the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Moves that lead to the position.
    pub(crate) moves: String,
    pub(crate) board: Board,
    /// For the side to move.
    pub(crate) score: i32,
}

/// What a file holds.
#[derive(Default)]
pub(crate) struct Contents {
    pub(crate) entries: Vec<Entry>,
    /// The numbers of the lines that are not what was written.
    pub(crate) damaged: Vec<usize>,
    /// True when more can be added behind the last line.
    pub(crate) is_whole: bool,
}

impl Contents {
    /// Says on stderr which lines are not used.
    pub(crate) fn complain(&self, path: &Path) {
        for line in &self.damaged {
            eprintln!("mnemon: {}: line {line}: damaged, not used", path.display());
        }
    }
}

impl Entry {
    /// The entry as a line with its end.
    pub(crate) fn line(&self) -> String {
        let moves = if self.moves.is_empty() { "-" } else { &self.moves };
        let content = format!("{moves} {}", self.score);
        format!("{content} {:08x}\n", crc32fast::hash(content.as_bytes()))
    }

    /// Reads a line without its end; `None` when it is not what was written.
    fn read(line: &[u8]) -> Option<Self> {
        let (content, check) = str::from_utf8(line).ok()?.rsplit_once(' ')?;
        let position = MoveSequence::read(content.as_bytes()).ok()?;
        let entry = Self { moves: position.moves, board: position.board, score: position.expected? };
        (entry.line().trim_end().rsplit_once(' ') == Some((content, check))).then_some(entry)
    }
}

/// Reads a book's file.
pub(crate) fn read(path: &Path) -> Result<Contents> {
    let cannot_read = |error| format!("cannot read the book {}: {error}", path.display());
    // A device or a pipe may never end, and cannot be added to.
    if !fs::metadata(path).map_err(cannot_read)?.is_file() {
        return Err(format!("{} is no book but a folder or a device", path.display()).into());
    }
    let text = fs::read(path).map_err(cannot_read)?;
    // Stopped before the head was written: nothing yet.
    if HEAD.as_bytes().starts_with(&text) && text.len() < HEAD.len() {
        return Ok(Contents::default());
    }
    let lines = text.strip_prefix(HEAD.as_bytes()).ok_or_else(|| {
        format!("{} is no book of this version: it does not begin with {:?}", path.display(), HEAD.trim_end())
    })?;
    let mut contents = Contents { is_whole: text.ends_with(b"\n"), ..Contents::default() };
    let mut known = Book::default();
    for (number, line) in lines.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let Some(line) = line.strip_suffix(b"\n") else { break };
        let number = number + 2;
        let Some(entry) = Entry::read(line) else {
            contents.damaged.push(number);
            continue;
        };
        if known.score(&entry.board).is_some_and(|score| score != entry.score) {
            return Err(format!("{}: line {number} contradicts a line before it", path.display()).into());
        }
        known.insert(&entry.board, entry.score);
        contents.entries.push(entry);
    }
    Ok(contents)
}

/// Reads a book that is to be added to, and mends its file: afterwards it ends with a whole line and has no damage.
pub(crate) fn read_and_mend(path: &Path) -> Result<Contents> {
    let contents = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Contents::default(),
        _ => read(path)?,
    };
    contents.complain(path);
    if !contents.is_whole || !contents.damaged.is_empty() {
        rewrite(path, &contents.entries).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(contents)
}

/// Writes the file anew, in one step: it is never there in part.
fn rewrite(path: &Path, entries: &[Entry]) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".tmp");
    let mut file = io::BufWriter::new(fs::File::create(&beside)?);
    file.write_all(HEAD.as_bytes())?;
    for entry in entries {
        file.write_all(entry.line().as_bytes())?;
    }
    file.into_inner()?.sync_all()?;
    fs::rename(beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(moves: &str, score: i32) -> Entry {
        Entry { moves: moves.to_owned(), board: Board::parse(moves).unwrap(), score }
    }

    fn file(text: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, text).unwrap();
        file
    }

    #[test]
    fn entries_survive_the_text() {
        for entry in [entry("", 1), entry("4455", 3), entry("4", -2)] {
            assert_eq!(Entry::read(entry.line().trim_end().as_bytes()), Some(entry));
        }
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let line = entry("4455", 3).line();
        for index in 0..line.len() - 1 {
            for bit in 0..8 {
                let mut bytes = line.trim_end().as_bytes().to_vec();
                bytes[index] ^= 1 << bit;
                assert_eq!(Entry::read(&bytes), None, "byte {index}, bit {bit}");
            }
        }
    }

    #[test]
    fn a_file_cut_anywhere_keeps_its_whole_lines_and_can_be_added_to() {
        let whole = [HEAD, &entry("44", 1).line(), &entry("45", 2).line()].concat();
        for length in 0..=whole.len() {
            let file = file(&whole.as_bytes()[..length]);
            let lines = whole[..length].matches('\n').count().saturating_sub(1);
            assert_eq!(read_and_mend(file.path()).unwrap().entries.len(), lines, "{length} bytes");
            let mended = read(file.path()).unwrap();
            assert!(mended.is_whole && mended.damaged.is_empty() && mended.entries.len() == lines, "{length} bytes");
        }
    }

    #[test]
    fn what_is_no_book_is_not_touched() {
        let file = file(b"my letters\n");
        assert!(read_and_mend(file.path()).is_err());
        assert_eq!(fs::read(&file).unwrap(), b"my letters\n");
    }

    #[test]
    fn lines_that_contradict_each_other_are_refused() {
        let file = file([HEAD, &entry("1", 1).line(), &entry("7", 2).line()].concat().as_bytes());
        assert!(read(file.path()).is_err_and(|error| error.to_string().contains("line 3 contradicts")));
    }
}

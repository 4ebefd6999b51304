//! Opening books in the Polyglot format (`.bin`): [`Book`] reads one, [`BookWriter`] makes one.
//!
//! A book is a sequence of 16-byte entries, sorted by key. All numbers are big-endian:
//!
//! ```text
//! bytes   0 .. 7   8 .. 9   10 .. 11   12 .. 15
//!         key      move     weight     learn
//! ```
//!
//! The [key](crate::Position::polyglot_key) stands for the position, so a book cannot be listed, only looked up. A move is as
//! likely as its share of its position's weights; one of weight 0 is never played. `learn` is another program's affair and
//! not read.

mod entry;
mod key;
mod random64;
mod write;

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use cozy_chess::Move;
use mnemon_table::file::{FileError, open_regular};

use crate::Position;
use entry::{ENTRY_BYTES, Entry};

pub use write::BookWriter;

/// The largest file that is read, in bytes: 67 million entries.
const MAX_BYTES: u64 = 1 << 30;

/// Why a file gives no book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file is missing, is no regular file, or cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is no book.
    #[error("{} is no Polyglot book: {problem}", path.display())]
    NotABook {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: BookProblem,
    },
}

/// Why bytes are no book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BookProblem {
    /// There is no entry.
    #[error("it is empty")]
    Empty,
    /// The last entry is cut off.
    #[error("its size, {0} bytes, is no multiple of 16")]
    Size(u64),
    /// There are more entries than are read.
    #[error("its size, {0} bytes, is more than the largest that is read, {MAX_BYTES} bytes")]
    TooLarge(u64),
    /// A key is smaller than the one before.
    #[error("its entries are not sorted by key: entry {0} is out of order")]
    Unsorted(u64),
}

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, which is legal.
    pub mv: Move,
    /// How often it is to be played, relative to the position's other moves; never 0.
    pub weight: u32,
}

/// An opening book.
///
/// The whole file is read into RAM and checked when it is opened, and then closed: most books have some megabytes, a lookup
/// needs no disk and cannot fail, and a file that is replaced meanwhile does no harm. Nothing is ever written to it.
///
/// ```
/// use mnemon_chess::Position;
/// use mnemon_chess::polyglot::{Book, BookWriter};
///
/// let start = Position::start();
/// let mut writer = BookWriter::new();
/// writer.add(&start, start.parse_uci("e2e4")?, 3).add(&start, start.parse_uci("d2d4")?, 1);
/// let book = Book::from_bytes(writer.finish())?;
/// let moves: Vec<_> = book.moves(&start).into_iter().map(|found| (start.uci(found.mv), found.weight)).collect();
/// assert_eq!(moves, [("e2e4".to_owned(), 3), ("d2d4".to_owned(), 1)]);
/// assert!(book.moves(&start.play_uci("e2e4")?).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Book {
    bytes: Vec<u8>,
}

impl Book {
    /// Reads a book from a file.
    ///
    /// # Errors
    /// [`BookError`], with the file and what is wrong with it.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let cannot_read = |source| FileError::Io { action: "read", path: path.to_owned(), source };
        let not_a_book = |problem| BookError::NotABook { path: path.to_owned(), problem };
        let file = open_regular(path)?;
        let size = file.metadata().map_err(cannot_read)?.len();
        check_size(size).map_err(not_a_book)?;
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(cannot_read)?;
        Self::from_bytes(bytes).map_err(not_a_book)
    }

    /// The book that these bytes are.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, BookProblem> {
        check_size(bytes.len() as u64)?;
        let book = Book { bytes };
        match (1..book.len()).find(|&index| book.key(index) < book.key(index - 1)) {
            Some(index) => Err(BookProblem::Unsorted(index as u64 + 1)),
            None => Ok(book),
        }
    }

    /// The number of entries.
    #[allow(clippy::len_without_is_empty, reason = "a book has an entry")]
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() / ENTRY_BYTES
    }

    /// The moves to play in a position, the heaviest first; none if the book does not know it. Entries whose move is not
    /// legal or has weight 0 are left out, and those of one move are added up.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        self.moves_by_keys(position, &[position.polyglot_key()])
    }

    /// As [`moves`](Self::moves), under whichever of its [keys](Position::polyglot_keys) the book has the position.
    #[must_use]
    pub fn moves_by_any_key(&self, position: &Position) -> Vec<BookMove> {
        self.moves_by_keys(position, &position.polyglot_keys())
    }

    fn moves_by_keys(&self, position: &Position, keys: &[u64]) -> Vec<BookMove> {
        let mut moves: Vec<BookMove> = Vec::new();
        for entry in keys.iter().flat_map(|&key| self.entries(key)).filter(|entry| entry.weight > 0) {
            let Some(mv) = entry.legal_move(position) else { continue };
            let weight = u32::from(entry.weight);
            match moves.iter_mut().find(|known| known.mv == mv) {
                Some(known) => known.weight = known.weight.saturating_add(weight),
                None => moves.push(BookMove { mv, weight }),
            }
        }
        moves.sort_by_key(|found| std::cmp::Reverse(found.weight));
        moves
    }

    /// The entries with this key.
    fn entries(&self, key: u64) -> impl Iterator<Item = Entry> {
        let (mut first, mut end) = (0, self.len());
        while first < end {
            let middle = first + (end - first) / 2;
            if self.key(middle) < key { first = middle + 1 } else { end = middle }
        }
        (first..self.len()).map(|index| self.entry(index)).take_while(move |entry| entry.key == key)
    }

    fn entry(&self, index: usize) -> Entry {
        Entry::read(&self.bytes[index * ENTRY_BYTES..])
    }

    fn key(&self, index: usize) -> u64 {
        self.entry(index).key
    }
}

impl fmt::Debug for Book {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Book({} entries)", self.len())
    }
}

fn check_size(bytes: u64) -> Result<(), BookProblem> {
    match bytes {
        0 => Err(BookProblem::Empty),
        _ if !bytes.is_multiple_of(ENTRY_BYTES as u64) => Err(BookProblem::Size(bytes)),
        _ if bytes > MAX_BYTES => Err(BookProblem::TooLarge(bytes)),
        _ => Ok(()),
    }
}

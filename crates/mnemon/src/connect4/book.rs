//! Opening books: memories that hold the exact scores of solved positions.
//!
//! A position of a book is a proven record of the source [`SOURCE`]: the exact score, the best move, and the nodes of
//! the search. Of a position and its mirror image only one need be in the book; both are found. Whatever else a memory holds
//! (other games, other sources, advice, unproven scores) is no part of the book and is left alone.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use mnemon_connect4::Board;
use mnemon_memory::{Access, Item, Key, MemoryError, PROVEN, Range, Record, Source, Store, Trust};
use mnemon_search::{Game, Notation};
use mnemon_table::Score;
use mnemon_table::file::open_regular;

use crate::memory_hints;

/// The name of the solver as a source. Records of all its versions count: exact scores do not depend on the version.
pub(crate) const SOURCE: &str = "mnemon-connect4";

/// The first bytes of the text files that were books in earlier versions.
const OUTDATED: &[u8] = b"# mnemon connect4 book";

/// Why a file cannot be used as a book.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BookError {
    #[error("cannot read the book {location}: there is no such file")]
    Missing { location: String },
    #[error("cannot make the book {location}: there is no folder {folder}")]
    NoFolder { location: String, folder: String },
    #[error(
        "{location} is no book any more: it is a text file of an earlier version, and books are memories now; make it \
         anew under another name with 'mnemon solve book --out'"
    )]
    Outdated { location: String },
    #[error("{location} is no book: it is no mnemon memory ({found}); 'mnemon solve book' makes one")]
    Foreign { location: String, found: String },
    #[error("{location}: two records of {position} contradict each other: the score is {one} or {other}")]
    Contradiction { location: String, position: String, one: i32, other: i32 },
    #[error("{}", memory_hints::explain(.0, memory_hints::Interface::CommandLine))]
    Memory(#[from] MemoryError),
}

/// Opens the memory of a book. No folder is made for it, and an empty book is a memory without records.
pub(crate) fn open(path: &Path, access: Access) -> Result<Arc<dyn Store>, BookError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    let location = || path.display().to_string();
    if let Some(folder) = folder.filter(|_| access == Access::Create) {
        return Err(BookError::NoFolder { location: location(), folder: folder.display().to_string() });
    }
    mnemon_memory::open(path, access).map_err(|error| match error {
        MemoryError::Missing { location } => BookError::Missing { location },
        MemoryError::Foreign { location, .. } if is_outdated(path) => BookError::Outdated { location },
        MemoryError::Foreign { location, found } => BookError::Foreign { location, found },
        error => BookError::Memory(error),
    })
}

fn is_outdated(path: &Path) -> bool {
    use std::io::Read;
    let mut start = Vec::new();
    // A FIFO is not opened: it could block.
    let file = open_regular(path).map(|file| file.take(OUTDATED.len() as u64).read_to_end(&mut start));
    file.is_ok() && start == OUTDATED
}

/// A position of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BookEntry {
    pub(crate) board: Board,
    /// The exact score, for the side to move.
    pub(crate) score: i32,
    /// The best column, counted from 0; `None` for a full board.
    pub(crate) best: Option<usize>,
    /// The nodes of the search; 0 for a score that follows from those of the moves.
    pub(crate) nodes: u64,
}

impl BookEntry {
    /// The entry as a memory keeps it.
    pub(crate) fn item(&self) -> Item {
        let source = Source::engine(SOURCE, env!("CARGO_PKG_VERSION"));
        let mut packed = Vec::new();
        Game::pack(&self.board, &mut packed);
        let best = self.best.map_or(0, |column| <Board>::code(column as u8).get());
        let record = Record {
            best,
            nodes: self.nodes,
            game_ply: self.board.stones() as u16,
            time: mnemon_memory::unix_time(),
            ..Record::exact(self.score as Score, PROVEN)
        };
        Item { key: Key::new(&<Board>::name().into(), packed, &source), record }
    }

    /// The entry that a memory keeps; `None` for what is no part of a book.
    fn from_item(item: &Item) -> Option<Self> {
        let Item { key, record } = item;
        let is_ours = !key.source.is_person() && key.source.name() == SOURCE && record.is_proven();
        let board = <Board as Game>::unpack(&key.position).filter(|_| is_ours)?;
        let best = board.columns().find(|&column| <Board>::code(column as u8).get() == record.best);
        Some(BookEntry { board, score: record.lower.score.into(), best, nodes: record.nodes })
    }

    /// The position as a user would type it.
    pub(crate) fn moves(&self) -> String {
        self.board.write().unwrap_or_else(|| "a position that no game reaches".to_owned())
    }
}

/// The positions of a book, in the order of their keys: its own, and those of contributors who are trusted. Damaged records
/// are left out; the store counts them.
pub(crate) fn entries(store: &dyn Store) -> Result<Vec<BookEntry>, MemoryError> {
    let (game, trust) = (<Board>::name(), Trust::recorded(&store.contributors()?));
    let mut entries = Vec::new();
    store.scan(&Range { game: Some(&game), ..Range::default() }, &mut |item| {
        entries.extend(BookEntry::from_item(&item).filter(|_| trust.believes(&item.key.source)));
        ControlFlow::Continue(())
    })?;
    Ok(entries)
}

/// The exact scores of a book by position, in RAM.
#[derive(Default)]
pub(crate) struct Book(HashMap<u64, i32>);

impl Book {
    /// All scores of the book in a memory.
    pub(crate) fn read(store: &dyn Store) -> Result<Self, BookError> {
        let mut book = Book::default();
        for entry in entries(store)? {
            match book.0.entry(mirror_key(&entry.board)) {
                Entry::Occupied(known) if *known.get() != entry.score => {
                    return Err(BookError::Contradiction {
                        location: store.statistics()?.location.unwrap_or_default(),
                        position: entry.moves(),
                        one: *known.get(),
                        other: entry.score,
                    });
                }
                place => _ = place.insert_entry(entry.score),
            }
        }
        Ok(book)
    }

    /// The exact score of a position, for the side to move; `None` when neither it nor its mirror image is in the book.
    pub(crate) fn score(&self, board: &Board) -> Option<i32> {
        self.0.get(&mirror_key(board)).copied()
    }

    pub(crate) fn insert(&mut self, entry: &BookEntry) {
        self.0.insert(mirror_key(&entry.board), entry.score);
    }
}

/// A number that a position shares with its mirror image only.
pub(crate) fn mirror_key(board: &Board) -> u64 {
    board.pack().min(board.mirror().pack())
}

#[cfg(test)]
mod tests {
    use mnemon_memory::{Origins, RamStore};

    use super::*;

    fn entry(moves: &str, score: i32, best: usize) -> BookEntry {
        BookEntry { board: Board::parse(moves).unwrap(), score, best: Some(best), nodes: 7 }
    }

    fn memory(items: &[Item]) -> RamStore {
        let store = RamStore::default();
        store.merge_many(items).unwrap();
        store
    }

    #[test]
    fn entries_survive_the_memory() {
        for entry in [entry("", 1, 3), entry("4455", 3, 0), entry("4", -2, 3)] {
            assert_eq!(BookEntry::from_item(&entry.item()), Some(entry));
            assert_eq!(entries(&memory(&[entry.item()])).unwrap(), [entry]);
        }
    }

    #[test]
    fn a_mirror_image_is_found_too() {
        let book = Book::read(&memory(&[entry("12", 5, 3).item()])).unwrap();
        let score = |moves: &str| book.score(&Board::parse(moves).unwrap());
        assert_eq!((score("12"), score("76"), score("13")), (Some(5), Some(5), None));
    }

    #[test]
    fn what_no_solver_has_proven_is_no_part_of_a_book() {
        let item = entry("44", 2, 3).item();
        let with = |change: &dyn Fn(&mut Item)| {
            let mut item = item.clone();
            change(&mut item);
            entries(&memory(&[item])).unwrap().len()
        };
        assert_eq!(with(&|_| ()), 1);
        assert_eq!(with(&|item| item.key.source = Source::engine(SOURCE, "0.0.9")), 1, "another version");
        assert_eq!(with(&|item| item.key.source = Source::engine("guesser", "1")), 0);
        assert_eq!(with(&|item| item.key.game = "connect4-6x5".into()), 0);
        assert_eq!(with(&|item| item.record.upper.score += 1), 0, "not exact");
        assert_eq!(with(&|item| item.record = Record::exact(2, 40)), 0, "not proven");
        assert_eq!(with(&|item| item.key.position = [255; 8].into()), 0, "no position");
        let advice = |item: &mut Item| {
            item.key.source = Source::person(SOURCE);
            item.record.origins = Origins::ADVICE;
        };
        assert_eq!(with(&advice), 0);
    }

    #[test]
    fn records_that_contradict_each_other_are_refused() {
        let store = memory(&[entry("1", 1, 3).item(), entry("7", 2, 3).item()]);
        let error = Book::read(&store).err().expect("a contradiction").to_string();
        assert!(error.contains("contradict each other: the score is "), "{error}");
    }
}

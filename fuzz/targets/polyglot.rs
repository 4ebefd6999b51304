//! Opening books: bytes are refused as a book, or every move that the book gives is legal, heaviest first and named once.
//!
//! The bytes are a book by themselves, and once more with the keys of positions: of 16 bytes each, the first two choose a
//! position of a game of the book's own moves, and the rest is an entry for it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mnemon_chess::Position;
use mnemon_chess::polyglot::{Book, BookProblem};
use mnemon_fuzz::scratch;

const ENTRY_BYTES: usize = 16;
const MAX_ENTRIES: usize = 64;

fuzz_target!(|data: &[u8]| {
    let file = scratch().join("book.bin");
    std::fs::write(&file, data).expect("a writable folder");
    match (Book::from_bytes(data.to_vec()), Book::open(&file)) {
        (Ok(book), Ok(opened)) => {
            check(&book, &Position::start());
            assert_eq!(book.moves(&Position::start()), opened.moves(&Position::start()));
        }
        (Err(problem), Err(error)) => assert!(error.to_string().contains(&problem.to_string())),
        (bytes, file) => panic!("{bytes:?} is {file:?}"),
    }
    let (bytes, positions) = keyed(data);
    match Book::from_bytes(bytes) {
        Ok(book) => positions.iter().for_each(|position| check(&book, position)),
        Err(problem) => assert!(positions.is_empty() && problem == BookProblem::Empty),
    }
});

/// The entries with the keys of positions, sorted, and the positions.
fn keyed(data: &[u8]) -> (Vec<u8>, Vec<Position>) {
    let (mut entries, mut positions) = (Vec::new(), Vec::new());
    let mut position = Position::start();
    for bytes in data.chunks_exact(ENTRY_BYTES).take(MAX_ENTRIES) {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let chosen = usize::from(u16::from_be_bytes([bytes[0], bytes[1]]));
        position = match moves.get(chosen % moves.len().max(1)) {
            Some(&mv) if chosen < 60_000 => position.after(mv),
            // The same position again: several moves of one position.
            Some(_) => position,
            None => Position::start(),
        };
        entries.push([&position.polyglot_key().to_be_bytes()[..], &bytes[8..]].concat());
        positions.push(position.clone());
    }
    entries.sort();
    (entries.concat(), positions)
}

fn check(book: &Book, position: &Position) {
    let moves = book.moves(position);
    for (index, found) in moves.iter().enumerate() {
        assert!(position.is_legal(found.mv), "{position}: {}", found.mv);
        assert!(found.weight > 0 && moves[..index].iter().all(|other| other.mv != found.mv));
    }
    assert!(moves.is_sorted_by_key(|found| std::cmp::Reverse(found.weight)));
}

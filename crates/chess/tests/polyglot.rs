//! Polyglot books: what is read, what is refused, and books in use where there are any.

use std::collections::HashSet;
use std::path::Path;

use mnemon_chess::Position;
use mnemon_chess::polyglot::{Book, BookProblem, BookWriter};
use mnemon_chess::random_games::walk;

fn play(moves: &str) -> Position {
    moves.split_whitespace().fold(Position::start(), |position, mv| position.play_uci(mv).expect("legal"))
}

/// The moves of a position and their weights.
fn moves(book: &Book, position: &Position) -> Vec<(String, u32)> {
    book.moves(position).into_iter().map(|found| (position.uci(found.mv), found.weight)).collect()
}

fn writer(position: &Position, entries: &[(&str, u16)]) -> BookWriter {
    let mut writer = BookWriter::new();
    for (mv, weight) in entries {
        writer.add(position, position.parse_uci(mv).expect("legal"), *weight);
    }
    writer
}

fn said(path: &Path) -> String {
    Book::open(path).expect_err("no book").to_string()
}

#[test]
fn entries_of_one_move_are_added_up_and_weight_0_is_left_out() {
    let start = Position::start();
    let bytes = writer(&start, &[("c2c4", 60_000), ("a2a3", 0), ("e2e4", 40_000), ("e2e4", 40_000)]).finish();
    let book = Book::from_bytes(bytes).expect("a book");
    assert_eq!(book.len(), 4);
    assert_eq!(moves(&book, &start), [("e2e4".to_owned(), 80_000), ("c2c4".to_owned(), 60_000)]);
}

#[test]
fn every_move_of_random_games_is_found_again() {
    let mut writer = BookWriter::new();
    let mut expected = Vec::new();
    walk(5, 2_000, |position, legal, random| {
        let mv = legal[random.below(legal.len())];
        let weight = 1 + random.below(1_000) as u16;
        writer.add(position, mv, weight);
        expected.push((position.clone(), mv));
    });
    let book = Book::from_bytes(writer.finish()).expect("a book");
    for (position, mv) in expected {
        let found = book.moves(&position);
        assert!(found.iter().any(|found| found.mv == mv), "{position}: {mv}");
        assert!(found.iter().all(|found| position.is_legal(found.mv)), "{position}");
    }
}

#[test]
fn illegal_moves_are_left_out() {
    let start = Position::start();
    let other = play("e2e4 e7e5");
    let mut bytes = writer(&other, &[("e1e2", 9)]).finish();
    bytes[..8].copy_from_slice(&start.polyglot_key().to_be_bytes());
    assert_eq!(moves(&Book::from_bytes(bytes).expect("a book"), &start), []);
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.bin");
    assert!(said(&file).starts_with(&format!("cannot open {}: ", file.display())), "{}", said(&file));
    let directory = said(folder.path());
    assert!(directory.contains("is a directory"), "{directory}");
    let sound = writer(&Position::start(), &[("e2e4", 1), ("d2d4", 1)]).finish();
    let mut unsorted = [&sound[..], &sound[..]].concat();
    unsorted[48] ^= 0x40;
    for (bytes, problem) in [
        (&sound[..31], "its size, 31 bytes, is no multiple of 16"),
        (&[][..], "it is empty"),
        (&unsorted, "its entries are not sorted by key: entry 4 is out of order"),
    ] {
        std::fs::write(&file, bytes).expect("writable");
        assert_eq!(said(&file), format!("{} is no Polyglot book: {problem}", file.display()));
    }
    std::fs::write(&file, &sound).expect("writable");
    assert_eq!(Book::open(&file).expect("a book").len(), 2);
    assert_eq!(Book::from_bytes(vec![0; 17]).err(), Some(BookProblem::Size(17)));
}

/// Walks the books of the folder `POLYGLOT_BOOKS`, if that is set. Many of their entries are to be reached from the starting
/// position: with wrong keys none would be.
#[test]
fn books_in_use_are_read() {
    let folder = std::env::var_os("POLYGLOT_BOOKS");
    let files = folder.iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder")).flatten();
    for file in files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|end| end == "bin")) {
        let book = Book::open(&file).unwrap_or_else(|error| panic!("{error}"));
        let found = reached(&book);
        println!("{}: {found} of {} entries reached", file.display(), book.len());
        let begins_at_start = !book.moves(&Position::start()).is_empty();
        assert!(!begins_at_start || found * 4 > book.len(), "{}: {found} of {}", file.display(), book.len());
    }
}

/// How many moves of the book are played in positions that follow each other from the start on: after a move of the book
/// any reply is made.
fn reached(book: &Book) -> usize {
    let (mut keys, mut found) = (HashSet::new(), 0);
    let mut waiting = vec![Position::start()];
    while let Some(position) = waiting.pop() {
        let moves = book.moves(&position);
        if moves.is_empty() || !keys.insert(position.polyglot_key()) {
            continue;
        }
        found += moves.len();
        for after in moves.iter().map(|found| position.after(found.mv)) {
            let mut replies = Vec::new();
            after.legal_moves(&mut replies);
            waiting.extend(replies.into_iter().map(|reply| after.after(reply)));
            waiting.push(after);
        }
    }
    found
}

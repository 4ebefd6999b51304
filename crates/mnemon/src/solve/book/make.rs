//! Making a book: the deepest positions are solved, the others follow from them.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use mnemon_connect4::{Board, Precision, Solver};

use super::Arguments;
use super::layers::{self, Place};
use crate::connect4::book::Book;
use crate::connect4::record::{self, Entry};
use crate::{Result, output, progress};
use mnemon_connect4::sequence::MoveSequence;

/// Makes the book, or the rest of it.
pub(crate) fn run(arguments: &Arguments, depth: u8) -> Result {
    let root = MoveSequence::from_moves(&arguments.from).map_err(|error| format!("--from: {error}"))?;
    let layers = layers::below(&root, depth)?;
    let path = &arguments.out;
    let mut maker = Maker::open(path, arguments.engine.solver()?)?;
    let total: usize = layers.iter().map(Vec::len).sum();
    let bar = progress::bar(total as u64, "book");
    for place in layers.iter().rev().flatten() {
        maker.add(place)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    maker.file.sync_all().map_err(|error| cannot_write(path, &error))?;
    let Maker { solved, derived, .. } = maker;
    let known = total as u64 - solved - derived;
    Ok(output::say(format_args!(
        "{}: {total} positions to {depth} plies below {}: {solved} solved, {derived} by their moves, {known} known before",
        path.display(),
        root.text(),
    ))?)
}

struct Maker<'a> {
    path: &'a Path,
    file: File,
    solver: Solver,
    book: Book,
    solved: u64,
    derived: u64,
}

impl<'a> Maker<'a> {
    /// Begins a book, or opens it where it ends.
    fn open(path: &'a Path, solver: Solver) -> Result<Self> {
        let mut book = Book::default();
        for entry in record::read_and_mend(path)?.entries {
            book.insert(&entry.board, entry.score);
        }
        let file = OpenOptions::new().append(true).open(path).map_err(|error| cannot_write(path, &error))?;
        Ok(Self { path, file, solver, book, solved: 0, derived: 0 })
    }

    /// Finds the score of a position that the book does not have yet, and writes it down.
    fn add(&mut self, place: &Place) -> Result {
        if self.book.score(&place.board).is_some() {
            return Ok(());
        }
        let score = if let Some(score) = self.best_of_moves(&place.board) {
            self.derived += 1;
            score
        } else {
            self.solved += 1;
            self.solver.solve(&place.board, Precision::Strong)?.score
        };
        let entry = Entry { moves: place.moves.clone(), board: place.board, score };
        // One write a line: a kill leaves at most its last line torn.
        self.file.write_all(entry.line().as_bytes()).map_err(|error| cannot_write(self.path, &error))?;
        self.book.insert(&place.board, score);
        Ok(())
    }

    /// The score as the best of the moves' scores; `None` when the book does not have all of them.
    fn best_of_moves(&self, board: &Board) -> Option<i32> {
        let after = |column| {
            if board.wins_by(column) {
                return Some(board.score_of_win_now());
            }
            Some(-self.book.score(&board.play(column))?)
        };
        let scores: Option<Vec<i32>> = board.columns().map(after).collect();
        // A full board has no moves and is a draw.
        scores.map(|scores| scores.into_iter().max().unwrap_or(0))
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}

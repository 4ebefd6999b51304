//! Opening books: positions with their exact scores in a plain text file.
//!
//! The file is Pons' format with a head line, and a check on each line (see [`record`]), so that `mnemon solve --file`
//! reads it too. It only ever grows by whole lines; whatever interrupts its making, the lines that were written stay.

mod layers;
mod make;
mod record;
mod verify;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::Args;
use mnemon_connect4::Board;

use super::engine::Settings;
use crate::Result;

/// Which book to make. Scores in it are for the side to move.
#[derive(Args)]
#[command(after_long_help = "\
The book holds every position that can be reached in so many plies and is not over, mirror images once. Interrupted, \
the same command goes on where it stopped; with another --depth or --from it adds to the book.")]
pub(crate) struct Arguments {
    /// How many plies the book goes below its root
    #[arg(long, required_unless_present = "verify", value_parser = clap::value_parser!(u8).range(0..=42))]
    depth: Option<u8>,
    /// The root: the moves that every position begins with; '-' for the empty board
    #[arg(long, default_value = "-", value_name = "MOVES")]
    from: String,
    /// The file, which is made or added to
    #[arg(long, default_value = "connect4.book", value_name = "FILE")]
    out: PathBuf,
    /// Then solve so many of the book's positions again, taken at random, and compare
    #[arg(long, value_name = "COUNT")]
    verify: Option<usize>,
    /// Which positions --verify takes
    #[arg(long, default_value_t = 1, requires = "verify")]
    seed: u64,
    #[command(flatten)]
    engine: Settings,
}

/// Makes the book and verifies it, as far as asked; true when it is right.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    if let Some(depth) = arguments.depth {
        make::run(arguments, depth)?;
    }
    arguments.verify.map_or(Ok(true), |count| verify::run(arguments, count))
}

/// The scores of a book by position.
#[derive(Default)]
pub(crate) struct Book(HashMap<u64, i32>);

impl Book {
    /// Reads a book and complains about its damaged lines, which it leaves out; the second is true when there are none.
    pub(crate) fn open(path: &Path) -> Result<(Self, bool)> {
        let contents = record::read(path)?;
        contents.complain(path);
        let mut book = Self::default();
        for entry in &contents.entries {
            book.insert(&entry.board, entry.score);
        }
        Ok((book, contents.damaged.is_empty()))
    }

    /// The exact score of a position, for the side to move; `None` when the book does not have it.
    pub(crate) fn score(&self, board: &Board) -> Option<i32> {
        self.0.get(&key(board)).copied()
    }

    fn insert(&mut self, board: &Board, score: i32) {
        self.0.insert(key(board), score);
    }
}

/// A number that a position shares with its mirror image only.
fn key(board: &Board) -> u64 {
    board.pack().min(board.mirror().pack())
}

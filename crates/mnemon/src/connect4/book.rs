//! The scores of an opening book.

use std::collections::HashMap;
use std::path::Path;

use mnemon_connect4::Board;

use super::record;
use crate::Result;

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

    pub(crate) fn insert(&mut self, board: &Board, score: i32) {
        self.0.insert(key(board), score);
    }
}

/// A number that a position shares with its mirror image only.
pub(crate) fn key(board: &Board) -> u64 {
    board.pack().min(board.mirror().pack())
}

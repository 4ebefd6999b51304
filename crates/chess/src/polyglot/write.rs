//! Making a book.

use std::cmp::Reverse;

use cozy_chess::Move;

use super::entry::Entry;
use crate::Position;

/// Collects moves, and gives the bytes of a book. [`Book`](super::Book) has an example.
#[derive(Clone, Debug, Default)]
pub struct BookWriter {
    entries: Vec<Entry>,
}

impl BookWriter {
    /// A writer without entries.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a move of a position. Of weight 0 it is in the book and never played.
    pub fn add(&mut self, position: &Position, mv: Move, weight: u16) -> &mut Self {
        self.entries.push(Entry::new(position, mv, weight));
        self
    }

    /// The book's bytes: sorted by key, and the moves of a position by weight, the heaviest first.
    #[must_use]
    pub fn finish(&self) -> Vec<u8> {
        let mut entries = self.entries.clone();
        entries.sort_by_key(|entry| (entry.key, Reverse(entry.weight), entry.mv));
        let mut bytes = Vec::new();
        entries.into_iter().for_each(|entry| entry.write(&mut bytes));
        bytes
    }
}

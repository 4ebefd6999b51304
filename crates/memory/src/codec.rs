//! Records, lines and notes as bytes: what a store keeps of them, and what their checksums cover.
//!
//! docs/format.md is normative; this is its tables in code.

mod annotation;
mod bytes;
mod record;

pub use annotation::{decode_content, encode_content};
pub use record::{decode, encode};

use crate::Content;

/// The kinds of an annotation in a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentKind {
    /// [`Content::Lines`].
    Lines = 1,
    /// [`Content::Note`].
    Note = 2,
}

impl ContentKind {
    /// The kind of a content.
    pub fn of(content: &Content) -> Self {
        match content {
            Content::Lines(_) => ContentKind::Lines,
            Content::Note(_) => ContentKind::Note,
        }
    }

    /// The kind with this number.
    pub fn from_number(number: u8) -> Option<Self> {
        [ContentKind::Lines, ContentKind::Note].into_iter().find(|&kind| kind as u8 == number)
    }
}

/// The checksum that a store keeps behind the bytes of a record (`kind` 0) or of an annotation: a CRC-32 over key and
/// bytes, so that a flipped bit in either is found. `game` and `source` are the ids that the store has given to their names.
pub fn checksum(game: u32, source: u32, kind: u8, position: &[u8], bytes: &[u8]) -> u32 {
    let mut head = [kind; 9];
    head[..4].copy_from_slice(&game.to_le_bytes());
    head[4..8].copy_from_slice(&source.to_le_bytes());
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&head);
    hasher.update(position);
    hasher.update(bytes);
    hasher.finalize()
}

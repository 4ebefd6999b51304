//! One entry of a book, and its move.
//!
//! ```text
//! move:   | 15 |  14 .. 12  |  11 .. 9  |  8 .. 6   |  5 .. 3  |  2 .. 0  |
//!         |  0 | promotion  | from rank | from file | to rank  | to file  |
//! ```
//!
//! The promotion is 0 for none, then knight, bishop, rook, queen. Castling is the king's move onto its own rook.

use std::num::NonZeroU16;

use cozy_chess::Move;

use crate::{Position, from_code, to_code};

/// The size of an entry.
pub(super) const ENTRY_BYTES: usize = 16;

/// An entry of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) mv: u16,
    pub(super) weight: u16,
}

impl Entry {
    /// The entry for a move of the position.
    pub(super) fn new(position: &Position, mv: Move, weight: u16) -> Self {
        Entry { key: position.polyglot_key(), mv: encode(mv), weight }
    }

    /// Reads the first entry of at least [`ENTRY_BYTES`] bytes.
    pub(super) fn read(bytes: &[u8]) -> Self {
        let number = |from: usize, to: usize| bytes[from..to].iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        Entry { key: number(0, 8), mv: number(8, 10) as u16, weight: number(10, 12) as u16 }
    }

    /// Appends the entry, with nothing learned.
    pub(super) fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.key.to_be_bytes());
        bytes.extend(self.mv.to_be_bytes());
        bytes.extend(self.weight.to_be_bytes());
        bytes.extend([0; 4]);
    }

    /// The move, if it is legal in the position. Castling is also read as the king's two steps (`e1g1`).
    pub(super) fn legal_move(self, position: &Position) -> Option<Move> {
        let mv = decode(self.mv)?;
        if position.is_legal(mv) { Some(mv) } else { position.castling_by_king_step(mv) }
    }
}

/// The format's bits are those of [`to_code`] less one, with the two squares exchanged.
fn encode(mv: Move) -> u16 {
    to_code(exchanged(mv)).get() - 1
}

fn decode(bits: u16) -> Option<Move> {
    NonZeroU16::MIN.checked_add(bits).and_then(from_code).map(exchanged)
}

fn exchanged(mv: Move) -> Move {
    Move { from: mv.to, to: mv.from, ..mv }
}

#[cfg(test)]
mod tests {
    use cozy_chess::Square;

    use super::*;

    #[test]
    fn codes_and_moves_are_one_to_one() {
        let moves = (0..=u16::MAX).filter_map(|bits| decode(bits).map(|mv| (bits, mv)));
        assert_eq!(moves.inspect(|&(bits, mv)| assert_eq!(encode(mv), bits)).count(), 64 * 64 * 5);
    }

    #[test]
    fn castling_is_read_in_both_notations_and_written_onto_the_rook() {
        let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -".parse().expect("a position");
        let castling = position.parse_uci("e1g1").expect("legal");
        let entry = Entry::new(&position, castling, 1);
        assert_eq!(decode(entry.mv), Some(Move { from: Square::E1, to: Square::H1, promotion: None }));
        assert_eq!(entry.legal_move(&position), Some(castling));
        let two_steps = encode(Move { from: Square::E1, to: Square::G1, promotion: None });
        assert_eq!(Entry { mv: two_steps, ..entry }.legal_move(&position), Some(castling));
        let nonsense = encode(Move { from: Square::E1, to: Square::E5, promotion: None });
        assert_eq!(Entry { mv: nonsense, ..entry }.legal_move(&position), None);
    }
}

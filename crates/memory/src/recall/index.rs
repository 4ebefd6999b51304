//! Numbers for positions, in the order in which they were found.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use mnemon_search::Game;

/// Every position that was found, with its number. Positions are compared byte for byte; the hash only finds them.
#[derive(Default)]
pub(crate) struct PositionIndex {
    /// The packed forms, one after the other, and where each ends.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// The number of the position with this hash; of two positions with one hash, the second has the next free hash.
    numbers: HashMap<u64, usize, BuildHasherDefault<KeyHasher>>,
}

impl PositionIndex {
    /// The position's number, and whether it is new.
    pub(crate) fn number<G: Game>(&mut self, position: &G) -> (usize, bool) {
        let start = self.bytes.len();
        position.pack(&mut self.bytes);
        let mut hash = position.key();
        while let Some(&number) = self.numbers.get(&hash) {
            if *self.packed(number) == self.bytes[start..] {
                self.bytes.truncate(start);
                return (number, false);
            }
            hash = hash.wrapping_add(1);
        }
        let number = self.ends.len();
        self.numbers.insert(hash, number);
        self.ends.push(self.bytes.len());
        (number, true)
    }

    /// The number of a position that was found before; `None` for another. Only where the hash is known is the position
    /// packed, into `scratch`: most of what is asked for is not here.
    pub(crate) fn find<G: Game>(&self, position: &G, scratch: &mut Vec<u8>) -> Option<usize> {
        let mut hash = position.key();
        let mut number = *self.numbers.get(&hash)?;
        scratch.clear();
        position.pack(scratch);
        while *self.packed(number) != scratch[..] {
            hash = hash.wrapping_add(1);
            number = *self.numbers.get(&hash)?;
        }
        Some(number)
    }

    /// The number of positions.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The packed form of the position with this number.
    pub(crate) fn packed(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[number]]
    }
}

/// For keys that are hashes already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        // The map takes bits from both ends of the hash, and the keys of games are well mixed only at the upper end.
        self.0 = hash ^ hash.rotate_right(32);
    }
}

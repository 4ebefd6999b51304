//! Slots: how an entry is encoded in one or two 64-bit words.
//!
//! A [`Layout`] is pure arithmetic on words and touches no memory, so a further layout needs no `unsafe`. The table reads
//! and writes the words with relaxed atomics, one by one; the verification of a layout of more than one word must
//! therefore cover the whole payload, so that it refuses words of two different stores.

mod compact;
mod wide;

pub use compact::Compact;
pub use wide::Wide;

use crate::sync::{AtomicU64, Ordering};
use crate::{Entry, Score};

/// The 64-bit words of one slot.
pub trait Words: Copy + Eq + std::fmt::Debug {
    /// The number of words.
    const COUNT: usize;

    /// Reads the words of one slot, each atomically.
    fn load(cells: &[AtomicU64]) -> Self;

    /// Writes the words of one slot, each atomically.
    fn store(self, cells: &[AtomicU64]);
}

impl<const N: usize> Words for [u64; N] {
    const COUNT: usize = N;

    #[inline]
    fn load(cells: &[AtomicU64]) -> Self {
        std::array::from_fn(|i| cells[i].load(Ordering::Relaxed))
    }

    #[inline]
    fn store(self, cells: &[AtomicU64]) {
        for (cell, word) in cells.iter().zip(self) {
            cell.store(word, Ordering::Relaxed);
        }
    }
}

/// How entries are laid out in the table's memory.
///
/// All-zero words are a vacant slot in every layout.
pub trait Layout: 'static {
    /// A slot's words: 1, 2, 4 or 8 of them, so that slots fill a cache line evenly.
    type Words: Words;

    /// The layout's name and version, written into snapshots: layouts of one name must encode entries alike.
    fn name() -> String;

    /// Bounds within `±SCORE_LIMIT` are kept exactly; a bound beyond it is weakened or dropped, and stays true.
    const SCORE_LIMIT: Score;

    /// The number of generations that the layout distinguishes; 1 if it keeps no age.
    const GENERATIONS: u8;

    /// The entry as the words of a slot; `None` if nothing that the layout can keep is set, and the entry is not stored.
    fn encode(key: u64, entry: &Entry, generation: u8) -> Option<Self::Words>;

    /// Whether the words are one whole entry of this key: `false` for a vacant slot, for another key, and (but for the
    /// odds that the layout states) for words of two different stores.
    fn verifies(words: Self::Words, key: u64) -> bool;

    /// Whether the slot holds no entry.
    fn is_vacant(words: Self::Words) -> bool;

    /// The entry that the words encode, unverified: it belongs to a key only if [`verifies`](Self::verifies) says so.
    fn decode(words: Self::Words, generation: u8) -> Entry;

    /// The number of slots in a cache line.
    fn slots_per_line() -> usize {
        LINE_WORDS / Self::Words::COUNT
    }
}

/// 64-bit words in a cache line.
pub(crate) const LINE_WORDS: usize = 8;

/// A bit field of a 128-bit payload.
#[derive(Clone, Copy)]
pub(crate) struct Field {
    shift: u32,
    bits: u32,
}

impl Field {
    /// The field of `bits` bits at the bottom of the payload.
    pub(crate) const fn first(bits: u32) -> Self {
        Field { shift: 0, bits }
    }

    /// The field of `bits` bits right above this one.
    pub(crate) const fn then(self, bits: u32) -> Self {
        Field { shift: self.end(), bits }
    }

    /// The first bit above the field.
    pub(crate) const fn end(self) -> u32 {
        self.shift + self.bits
    }

    /// The number of bits.
    pub(crate) const fn width(self) -> u32 {
        self.bits
    }

    /// The largest number that fits.
    pub(crate) const fn max(self) -> u64 {
        (1 << self.bits) - 1
    }

    /// The payload that has `value` in this field and 0 everywhere else.
    #[inline]
    pub(crate) const fn put(self, value: u64) -> u128 {
        debug_assert!(value <= self.max());
        (value as u128) << self.shift
    }

    /// The value of this field in `payload`.
    #[inline]
    pub(crate) const fn get(self, payload: u128) -> u64 {
        (payload >> self.shift) as u64 & self.max()
    }
}

/// The base-2 logarithm of a node count in `bits` bits, rounded down to whole octaves in five bits, half octaves in six,
/// quarter octaves in seven. Counts above about 2^32 share the largest code; with 0 bits every count is 0.
#[inline]
pub(crate) const fn log_code(nodes: u64, bits: u32) -> u64 {
    if bits == 0 {
        return 0;
    }
    let steps = bits.saturating_sub(5);
    // Counts from 2^33 have the largest code anyway; the cap keeps the shift below from overflowing.
    const COUNT_CAP: u64 = 1 << 33;
    let count = if nodes < COUNT_CAP { nodes + 1 } else { COUNT_CAP };
    let octave = count.ilog2();
    let fraction = (count << steps >> octave) & ((1 << steps) - 1);
    let code = ((octave as u64) << steps) | fraction;
    let largest = (1 << bits) - 1;
    if code < largest { code } else { largest }
}

/// The smallest node count whose [`log_code`] is `code`.
#[inline]
pub(crate) const fn log_value(code: u64, bits: u32) -> u64 {
    let steps = bits.saturating_sub(5);
    let octave = (code >> steps) as u32;
    let fraction = code & ((1 << steps) - 1);
    (((1 << steps) | fraction) << octave >> steps) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_counts_round_down_and_keep_their_order() {
        for bits in 1..=8 {
            let mut last = 0;
            for nodes in (0..4000).chain([u32::MAX as u64, 1 << 40, u64::MAX]) {
                let code = log_code(nodes, bits);
                assert!(code >= last && code < 1 << bits);
                assert!(log_value(code, bits) <= nodes);
                last = code;
            }
        }
    }

    #[test]
    fn node_counts_are_kept_within_half_an_octave_in_six_bits() {
        for nodes in 1..100_000_u64 {
            let kept = log_value(log_code(nodes, 6), 6);
            assert!(3 * (kept + 1) >= 2 * (nodes + 1) - 2, "{nodes} kept as {kept}");
            assert_eq!(log_code(kept, 6), log_code(nodes, 6));
        }
        assert_eq!(log_value(log_code(0, 6), 6), 0);
    }
}

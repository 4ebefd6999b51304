//! Slots: how an entry becomes one or two 64-bit words, and back.
//!
//! A [`Layout`] is pure arithmetic over words: it touches no memory, so another engine's author can add one in safe
//! code. The table moves the words with relaxed atomics; a layout of more than one word must therefore make its
//! verification cover the whole payload, so that words of two different stores never pass for one entry.

mod compact;
mod wide;

pub use compact::Compact;
pub use wide::Wide;

use crate::sync::{AtomicU64, Ordering};
use crate::{Entry, Score};

/// The 64-bit words of one slot.
pub trait Words: Copy + Eq + std::fmt::Debug {
    /// How many there are.
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

    /// A name that a snapshot carries, with the layout's version in it: two layouts of one name hold the same bits.
    fn name() -> String;

    /// Scores within `±SCORE_LIMIT` are kept exactly; ends beyond it are weakened, never falsified.
    const SCORE_LIMIT: Score;

    /// How many generations can be told apart; 1 if the layout keeps no age.
    const GENERATIONS: u8;

    /// The entry as words, or `None` if the layout has nothing to keep of it.
    fn encode(key: u64, entry: &Entry, generation: u8) -> Option<Self::Words>;

    /// Whether the words are an entry of this key, whole and not torn.
    fn verifies(words: Self::Words, key: u64) -> bool;

    /// Whether the slot holds nothing.
    fn is_vacant(words: Self::Words) -> bool;

    /// The entry in the words, which are taken as they are: only [`verifies`](Self::verifies) says whose it is.
    fn decode(words: Self::Words, generation: u8) -> Entry;

    /// How many slots share a cache line.
    fn slots_per_line() -> usize {
        LINE_WORDS / Self::Words::COUNT
    }
}

/// 64-bit words in a cache line.
pub(crate) const LINE_WORDS: usize = 8;

/// A run of bits in a 128-bit payload: where a field lives, said once.
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

    /// How many bits it has.
    pub(crate) const fn width(self) -> u32 {
        self.bits
    }

    /// The largest number that fits.
    pub(crate) const fn max(self) -> u64 {
        (1 << self.bits) - 1
    }

    #[inline]
    pub(crate) const fn put(self, value: u64) -> u128 {
        debug_assert!(value <= self.max());
        (value as u128) << self.shift
    }

    #[inline]
    pub(crate) const fn get(self, payload: u128) -> u64 {
        (payload >> self.shift) as u64 & self.max()
    }
}

/// A node count as a logarithm of `bits` bits, rounded down: whole octaves in five bits, half octaves in six, and so
/// on; counts above about 2^32 share the largest code. Zero bits keep nothing.
#[inline]
pub(crate) const fn log_code(nodes: u64, bits: u32) -> u64 {
    if bits == 0 {
        return 0;
    }
    let steps = bits.saturating_sub(5);
    // All of the largest code's, and few enough bits to be shifted.
    const MANY: u64 = 1 << 33;
    let count = if nodes < MANY { nodes + 1 } else { MANY };
    let octave = count.ilog2();
    let fraction = (count << steps >> octave) & ((1 << steps) - 1);
    let code = ((octave as u64) << steps) | fraction;
    let largest = (1 << bits) - 1;
    if code < largest { code } else { largest }
}

/// The smallest node count that has this code.
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

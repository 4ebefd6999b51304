//! Slots: how an entry is encoded in one or two 64-bit words.
//!
//! A [`Layout`] is pure arithmetic on words and touches no memory, so a further layout needs no `unsafe`. The table reads
//! and writes the words with relaxed atomics, one by one; the verification of a layout of more than one word must
//! therefore cover the whole payload, so that it refuses words of two different stores.

mod compact;
mod dense;
mod two_word;

pub use compact::Compact;
pub use dense::Dense;
pub use two_word::{Full, TwoWord, Wide};

use crate::sync::{AtomicU64, Ordering};
use crate::{Entry, Score};

/// The 64-bit words of one slot.
pub trait Words: Copy + Eq + std::fmt::Debug {
    /// The number of words.
    const COUNT: usize;

    /// The word of this index.
    fn word(&self, index: usize) -> u64;

    /// Reads the words of the slot that begins at this word of the line, each atomically.
    fn load(line: &[AtomicU64; LINE_WORDS], first: usize) -> Self;

    /// Writes the words of the slot that begins at this word of the line, each atomically.
    fn store(self, line: &[AtomicU64; LINE_WORDS], first: usize);
}

impl<const N: usize> Words for [u64; N] {
    const COUNT: usize = N;

    #[inline]
    fn word(&self, index: usize) -> u64 {
        self[index]
    }

    // The remainders leave nothing to check at run time.
    #[inline(always)]
    fn load(line: &[AtomicU64; LINE_WORDS], first: usize) -> Self {
        let mut words = [0; N];
        for (index, word) in words.iter_mut().enumerate() {
            *word = line[(first + index) % LINE_WORDS].load(Ordering::Relaxed);
        }
        words
    }

    #[inline(always)]
    fn store(self, line: &[AtomicU64; LINE_WORDS], first: usize) {
        for (index, word) in self.into_iter().enumerate() {
            line[(first + index) % LINE_WORDS].store(word, Ordering::Relaxed);
        }
    }
}

/// How entries are laid out in the table's memory.
///
/// All-zero words are a vacant slot in every layout.
///
/// | Layout | Bytes | Scores | Depth | Flags | Bounds | Check bits | A false hit in a full bucket of four |
/// |---|--:|--:|--:|--:|--:|--:|---|
/// | [`TwoWord<15, 0>`](TwoWord) | 16 | ±16,383 | 255 | 0 | 2 | 47 | once in 3.5·10^13 probes |
/// | [`Wide`] | 16 | ±16,383 | 255 | 4 | 2 | 43 | once in 2.2·10^12 |
/// | [`Full`] | 16 | ±32,766 | 255 | 4 | 2 | 40 | once in 2.7·10^11 |
/// | [`Dense`] | 8 | ±16,383 | 127 | 1 | 1 | 20 | once in 262,144 |
/// | [`Compact`] | 8 | ±`LIMIT` | `DEPTH_BITS` | 0 | 2 | 32 to 61 | once in 2^`CHECK_BITS` / 4 |
pub trait Layout: 'static {
    /// A slot's words: 1, 2, 4 or 8 of them, so that slots fill a cache line evenly.
    type Words: Words;

    /// The layout's name and version, written into snapshots: layouts of one name must encode entries alike.
    fn name() -> String;

    /// Bounds within `±SCORE_LIMIT` are kept exactly; a bound beyond it is weakened or dropped, and stays true.
    const SCORE_LIMIT: Score;

    /// The deepest search that the layout can state; an entry with a deeper one is not stored. `None` for a layout that
    /// keeps no depth: there entries of any depth are alike.
    const DEPTH_LIMIT: Option<u8>;

    /// How many of the low bits of [`Entry::flags`] are kept.
    const FLAG_BITS: u32;

    /// The number of generations that the layout distinguishes; 1 if it keeps no age.
    const GENERATIONS: u8;

    /// The bits of the key that a slot keeps. A slot of another position passes for this one's with odds of one in
    /// 2^`CHECK_BITS`.
    const CHECK_BITS: u32;

    /// Whether a window with two different bounds is kept whole, or only one of its bounds.
    const KEEPS_BOTH_BOUNDS: bool = true;

    /// The word of a slot that [`may_hold`](Self::may_hold) looks at.
    const TAG_WORD: usize = 0;

    /// The entry as the words of a slot; `None` if nothing that the layout can keep is set or the depth is beyond
    /// [`DEPTH_LIMIT`](Self::DEPTH_LIMIT): then the entry is not stored.
    fn encode(key: u64, entry: &Entry, generation: u8) -> Option<Self::Words>;

    /// Whether a slot with this [tag word](Self::TAG_WORD) may hold the key: a cheap test that comes before
    /// [`verifies`](Self::verifies). It must be `true` for every slot that verifies, and is best `false` for nearly all
    /// others.
    #[inline]
    fn may_hold(_tag_word: u64, _key: u64) -> bool {
        true
    }

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

    /// The largest number that fits; 0 where there are no bits.
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

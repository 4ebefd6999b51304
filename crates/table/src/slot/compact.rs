//! The compact layout: eight bytes, eight to a cache line, for games with small scores and short move codes.

use super::{Field, Layout, log_code, log_value};
use crate::{Entry, Origin, Score, Window};

/// One atomic word for each entry, as a Connect Four solver needs it. A single word cannot tear, so all bits beside the
/// payload verify the key, [`CHECK_BITS`](Self::CHECK_BITS) of them beyond the index.
///
/// ```text
///  63                                                               0
/// |  check: the key's low bits  | work | depth | best |    value     |
/// ```
///
/// - `value`: the window as one number; scores within `±LIMIT`.
/// - `best`: `MOVE_BITS` bits of the move code. A move that does not fit is not kept.
/// - `depth`: `DEPTH_BITS` bits; an entry of a deeper search is not stored. A solver that always searches to the end of
///   the game needs 0 bits, and its entries are all of one depth.
/// - `work`: `WORK_BITS` bits of the logarithm of the nodes searched.
///
/// There are no bits for a static evaluation, flags, an age or an origin: probes return `None`, 0 and [`Origin::Search`], and no
/// entry is protected from replacement. Nor is there a bit that marks a tainted window, so a tainted entry is kept
/// without its window, and its move is still searched first.
///
/// The check is the key's own low bits: a probe of a full bucket of four finds another position's entry once in
/// 2^`CHECK_BITS` / 4 times. If the key is a bijection of the exact position, the caller can compute from
/// `CHECK_BITS` and the table's size whether a false hit is possible at all.
#[derive(Clone, Copy, Debug)]
pub struct Compact<const LIMIT: Score, const MOVE_BITS: u32, const DEPTH_BITS: u32, const WORK_BITS: u32>;

impl<const LIMIT: Score, const MOVE_BITS: u32, const DEPTH_BITS: u32, const WORK_BITS: u32>
    Compact<LIMIT, MOVE_BITS, DEPTH_BITS, WORK_BITS>
{
    const VALUE: Field = Field::first(value_bits(LIMIT));
    const BEST: Field = Self::VALUE.then(MOVE_BITS);
    const DEPTH: Field = Self::BEST.then(DEPTH_BITS);
    const WORK: Field = Self::DEPTH.then(WORK_BITS);

    /// The number of low bits of the key that each slot keeps.
    pub const CHECK_BITS: u32 = {
        assert!(size_of::<<Self as Layout>::Words>() == 8, "eight slots fill a cache line");
        assert!(LIMIT > 0, "a score limit of at least 1");
        assert!(MOVE_BITS <= 16 && DEPTH_BITS <= 8 && WORK_BITS <= 8, "fields no wider than the entry's own");
        assert!(Self::WORK.end() <= 32, "at least 32 bits verify");
        64 - Self::WORK.end()
    };

    const PAYLOAD: u64 = (1 << (64 - Self::CHECK_BITS)) - 1;
}

impl<const LIMIT: Score, const MOVE_BITS: u32, const DEPTH_BITS: u32, const WORK_BITS: u32> Layout
    for Compact<LIMIT, MOVE_BITS, DEPTH_BITS, WORK_BITS>
{
    type Words = [u64; 1];

    fn name() -> String {
        format!("compact-1:{LIMIT}:{MOVE_BITS}:{DEPTH_BITS}:{WORK_BITS}")
    }

    const SCORE_LIMIT: Score = LIMIT;
    const DEPTH_LIMIT: Option<u8> = if DEPTH_BITS == 0 { None } else { Some(Self::DEPTH.max() as u8) };
    const FLAG_BITS: u32 = 0;
    const GENERATIONS: u8 = 1;
    const CHECK_BITS: u32 = Self::CHECK_BITS;

    /// `None` for an entry whose depth does not fit, and for one without window, move, depth and node count: its payload
    /// would be that of a vacant slot.
    #[inline]
    fn encode(key: u64, entry: &Entry, _generation: u8) -> Option<[u64; 1]> {
        if DEPTH_BITS > 0 && entry.depth as u64 > Self::DEPTH.max() {
            return None;
        }
        let best = if entry.best as u64 <= Self::BEST.max() { entry.best as u64 } else { 0 };
        let window = if entry.tainted { Window::UNKNOWN } else { entry.window };
        let payload = Self::VALUE.put(fold(window, LIMIT))
            | Self::BEST.put(best)
            | Self::DEPTH.put((entry.depth as u64).min(Self::DEPTH.max()))
            | Self::WORK.put(log_code(entry.nodes, WORK_BITS));
        let payload = payload as u64;
        (payload != 0).then_some([payload | key << (64 - Self::CHECK_BITS)])
    }

    #[inline]
    fn may_hold(word: u64, key: u64) -> bool {
        word ^ key << (64 - Self::CHECK_BITS) <= Self::PAYLOAD
    }

    #[inline]
    fn verifies(words: [u64; 1], key: u64) -> bool {
        Self::may_hold(words[0], key) && words[0] & Self::PAYLOAD != 0
    }

    #[inline]
    fn is_vacant(words: [u64; 1]) -> bool {
        words[0] == 0
    }

    #[inline]
    fn decode(words: [u64; 1], _generation: u8) -> Entry {
        let payload = words[0] as u128;
        Entry {
            window: unfold(Self::VALUE.get(payload), LIMIT),
            depth: Self::DEPTH.get(payload) as u8,
            best: Self::BEST.get(payload) as u16,
            eval: None,
            origin: Origin::Search,
            nodes: log_value(Self::WORK.get(payload), WORK_BITS),
            tainted: false,
            flags: 0,
            age: 0,
        }
    }
}

/// The number of codes for one bound of a window: each score, and "not known".
const fn radix(limit: Score) -> u64 {
    2 * limit as u64 + 2
}

/// The number of bits for the largest [`fold`].
const fn value_bits(limit: Score) -> u32 {
    (radix(limit) * radix(limit) - 1).ilog2() + 1
}

/// A window as one number: `upper + radix * lower`, each bound as its [`bound_code`] or 0 if it is not known.
///
/// This and [`unfold`] are the only functions that know the encoding.
#[inline]
const fn fold(window: Window, limit: Score) -> u64 {
    let window = window.within(limit);
    let upper = if window.upper == Window::NO_UPPER { 0 } else { bound_code(window.upper, limit) };
    let lower = if window.lower == Window::NO_LOWER { 0 } else { bound_code(window.lower, limit) };
    upper + radix(limit) * lower
}

/// The code of a known bound, from 1.
const fn bound_code(score: Score, limit: Score) -> u64 {
    (score as i32 + limit as i32 + 1) as u64
}

/// The window whose [`fold`] is `value`.
#[inline]
const fn unfold(value: u64, limit: Score) -> Window {
    let (lower, upper) = (value / radix(limit), value % radix(limit));
    Window {
        lower: if lower == 0 { Window::NO_LOWER } else { (lower as i32 - limit as i32 - 1) as Score },
        upper: if upper == 0 { Window::NO_UPPER } else { (upper as i32 - limit as i32 - 1) as Score },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_window_folds_into_its_own_number() {
        let limit = 21;
        let mut seen = std::collections::HashSet::new();
        let lowers = (-limit..=limit).chain([Window::NO_LOWER]);
        for lower in lowers {
            for upper in (-limit..=limit).chain([Window::NO_UPPER]).filter(|&upper| lower <= upper) {
                let value = fold(Window { lower, upper }, limit);
                assert!(value < 1 << value_bits(limit));
                assert!(seen.insert(value));
                assert_eq!(unfold(value, limit), Window { lower, upper });
            }
        }
        assert_eq!(value_bits(21), 11, "7x6 Connect Four's windows fit in eleven bits");
    }

    #[test]
    fn lower_bounds_lie_above_the_upper_bounds() {
        for limit in [1, 21, 30, 127] {
            for score in -limit..=limit {
                let upper = fold(Window::at_most(score), limit);
                assert!(1 <= upper && upper < radix(limit));
                assert!(fold(Window::at_least(score), limit) >= radix(limit));
            }
            assert_eq!(fold(Window::UNKNOWN, limit), 0);
        }
    }
}

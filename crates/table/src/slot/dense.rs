//! The dense layout: eight bytes, eight to a cache line, for chess engines that want many entries in few megabytes.

use super::{Field, Layout};
use crate::{Bound, Entry, Origin, Score, Window};

/// One atomic word for each entry: twice as many entries as in the layouts of two words, and none can tear.
///
/// ```text
///  63      44 43    43 42        40 39   33 32   17 16    15 14      0
/// |  check   |  flag  | generation | depth |  best  | bound |  score  |
/// ```
///
/// - `score`: offset by 2^14, exact within ±16,383; `bound`: 0 none, 1 lower, 2 upper, 3 exact. Of a window with two
///   different bounds the lower is kept; a store keeps the bound that is new.
/// - `best`: the game's 16-bit move code, 0 for no move.
/// - `depth`: up to 127; an entry of a deeper search is not stored.
/// - `generation`: modulo 8. `flag`: one bit of the caller's own, such as "was on the principal variation".
/// - `check`: the key's low 20 bits.
///
/// There are no bits for a static evaluation, a node count, an origin or a taint mark: a tainted entry is kept without its
/// window, and no entry is protected from replacement.
///
/// # Odds
/// A slot of another position passes for this one's once in 2^20 times. A probe of a full bucket of four slots finds
/// another position's entry once in 262,144 times, in a bucket of eight once in 131,072: every second or so in a fast
/// search, so that the hash move must be checked for legality and a score may be wrong now and then. (16 bits, as in
/// Stockfish's buckets of three, give one in 21,845.)
#[derive(Clone, Copy, Debug)]
pub struct Dense;

const SCORE: Field = Field::first(15);
const BOUND: Field = SCORE.then(2);
const BEST: Field = BOUND.then(16);
const DEPTH: Field = BEST.then(7);
const GENERATION: Field = DEPTH.then(3);
const FLAG: Field = GENERATION.then(1);
const CHECK_SHIFT: u32 = FLAG.end();
const PAYLOAD: u64 = (1 << CHECK_SHIFT) - 1;
const OFFSET: i32 = 1 << 14;

const _: () = assert!(64 - CHECK_SHIFT == 20, "20 bits verify");
const _: () = assert!(size_of::<<Dense as Layout>::Words>() == 8, "eight slots fill a cache line");

impl Layout for Dense {
    type Words = [u64; 1];

    fn name() -> String {
        "dense-1".to_owned()
    }

    const SCORE_LIMIT: Score = (OFFSET - 1) as Score;
    const DEPTH_LIMIT: Option<u8> = Some(DEPTH.max() as u8);
    const FLAG_BITS: u32 = FLAG.width();
    const GENERATIONS: u8 = 1 << GENERATION.width();
    const CHECK_BITS: u32 = 64 - CHECK_SHIFT;
    const KEEPS_BOTH_BOUNDS: bool = false;

    /// `None` for an entry whose depth does not fit, and for one without window and move.
    #[inline]
    fn encode(key: u64, entry: &Entry, generation: u8) -> Option<[u64; 1]> {
        let window = if entry.tainted { Window::UNKNOWN } else { entry.window.within(Self::SCORE_LIMIT) };
        let (score, bound) = match window.bound(Score::MIN) {
            None => (0, 0),
            Some((score, Bound::AtLeast)) => (score as i32 + OFFSET, 1),
            Some((score, Bound::AtMost)) => (score as i32 + OFFSET, 2),
            Some((score, Bound::Exact)) => (score as i32 + OFFSET, 3),
        };
        if entry.depth as u64 > DEPTH.max() || bound == 0 && entry.best == 0 {
            return None;
        }
        let payload = SCORE.put(score as u64)
            | BOUND.put(bound)
            | BEST.put(entry.best as u64)
            | DEPTH.put(entry.depth as u64)
            | GENERATION.put(generation as u64 & GENERATION.max())
            | FLAG.put(entry.flags as u64 & FLAG.max());
        Some([payload as u64 | key << CHECK_SHIFT])
    }

    #[inline(always)]
    fn may_hold(word: u64, key: u64) -> bool {
        word ^ key << CHECK_SHIFT <= PAYLOAD
    }

    #[inline(always)]
    fn verifies(words: [u64; 1], key: u64) -> bool {
        Self::may_hold(words[0], key) && words[0] & PAYLOAD != 0
    }

    #[inline(always)]
    fn is_vacant(words: [u64; 1]) -> bool {
        words[0] == 0
    }

    #[inline(always)]
    fn decode(words: [u64; 1], generation: u8) -> Entry {
        let payload = words[0] as u128;
        let (score, bound) = ((SCORE.get(payload) as i32 - OFFSET) as Score, BOUND.get(payload));
        Entry {
            window: Window {
                lower: if bound & 1 == 0 { Window::NO_LOWER } else { score },
                upper: if bound & 2 == 0 { Window::NO_UPPER } else { score },
            },
            depth: DEPTH.get(payload) as u8,
            best: BEST.get(payload) as u16,
            eval: None,
            origin: Origin::Search,
            nodes: 0,
            tainted: false,
            flags: FLAG.get(payload) as u8,
            age: generation.wrapping_sub(GENERATION.get(payload) as u8) % Self::GENERATIONS,
        }
    }
}

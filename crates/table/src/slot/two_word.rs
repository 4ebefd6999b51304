//! The layouts of two words: sixteen bytes, four to a cache line, for chess and anything else.

use super::{Field, Layout, log_code, log_value};
use crate::{Entry, Origin, Score, Window};

/// The whole [`Entry`] in two words. `SCORE_BITS` is 15 or 16, `FLAG_BITS` up to 8; what they leave verifies the key.
///
/// ```text
/// word 0   63           3·S+16       3·S     2·S       S         0
///         | work (low)  |    best   |  eval  |  upper  |  lower   |      S = SCORE_BITS
/// word 1   63    54                                              0
///         |  tag  | seal | flags | origin | tainted | generation | depth | work (high) |
/// ```
///
/// - `lower`, `upper`, `eval`: scores offset by 2^(S-1), 0 for "not known"; the upper bound is kept negated. Exact within
///   ±16,383 in 15 bits, within ±32,766 in 16 bits.
/// - `best`: the game's 16-bit move code, 0 for no move.
/// - `work`: the logarithm of the nodes searched, in half octaves.
/// - `depth`: eight bits, so that [`Entry::depth`] is kept whatever it is.
/// - `generation`: modulo 8, so an entry of eight generations ago has age 0.
/// - `tainted`: 1 if the window depends on the path (a repetition, a move counter).
/// - `origin`: 0 for a vacant slot, 1 search, 2 recalled, 3 advice.
/// - `flags`: the caller's own bits.
/// - `tag` and `seal` together are the key's low bits, the seal XOR a hash of the payload: all of them verify the key, and
///   the seal refuses words of two stores.
///
/// # Odds
/// A slot of another position passes for this one's once in 2^[`CHECK_BITS`](Layout::CHECK_BITS) times; a probe of a full
/// bucket looks at four. Words of two stores, which a probe meets only where it races with a store, pass once in 2^30
/// times or less.
#[derive(Clone, Copy, Debug)]
pub struct TwoWord<const SCORE_BITS: u32, const FLAG_BITS: u32>;

/// Scores within ±16,383, four flags, 43 bits of check: a probe of a full bucket of four finds another position's entry
/// once in 2.2·10^12 times. The default.
pub type Wide = TwoWord<15, 4>;

/// Every score that a [`Window`] can state (±32,766), four flags, 40 bits of check: a probe of a full bucket of four finds
/// another position's entry once in 2.7·10^11 times.
pub type Full = TwoWord<16, 4>;

/// The bits that are compared first, in all slots of a bucket: enough that hardly a second slot passes.
const TAG_BITS: u32 = 10;

impl<const SCORE_BITS: u32, const FLAG_BITS: u32> TwoWord<SCORE_BITS, FLAG_BITS> {
    const LOWER: Field = Field::first(SCORE_BITS);
    const UPPER: Field = Self::LOWER.then(SCORE_BITS);
    const EVAL: Field = Self::UPPER.then(SCORE_BITS);
    const BEST: Field = Self::EVAL.then(16);
    const WORK: Field = Self::BEST.then(6);
    const DEPTH: Field = Self::WORK.then(8);
    const GENERATION: Field = Self::DEPTH.then(3);
    const TAINTED: Field = Self::GENERATION.then(1);
    const ORIGIN: Field = Self::TAINTED.then(2);
    const FLAGS: Field = Self::ORIGIN.then(FLAG_BITS);

    /// The first bit of the check in word 1.
    const CHECK_SHIFT: u32 = {
        assert!(SCORE_BITS == 15 || SCORE_BITS == 16, "scores of 15 or 16 bits");
        assert!(FLAG_BITS <= 8, "no more flags than an entry has");
        assert!(size_of::<<Self as Layout>::Words>() == 16, "four slots fill a cache line");
        let shift = Self::FLAGS.end() - 64;
        assert!(64 - shift >= 30 + TAG_BITS, "30 or more bits seal the payload");
        shift
    };

    /// The bits of word 1 below the check.
    const PAYLOAD_HIGH: u64 = (1 << Self::CHECK_SHIFT) - 1;
    /// The bits of word 1 below the tag.
    const BELOW_TAG: u64 = u64::MAX >> TAG_BITS;

    /// Added to a score, so that code 0 means "not known".
    const OFFSET: i32 = 1 << (SCORE_BITS - 1);

    /// The check, in its place in word 1; the bits below are 0. One multiplication spreads the payload over the seal. The
    /// upper payload needs less spreading: it is in the same word as the seal, so a torn read cannot separate them.
    #[inline(always)]
    const fn check(low: u64, high: u64, key: u64) -> u64 {
        let spread = (low ^ high << (64 - Self::CHECK_SHIFT)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (key << Self::CHECK_SHIFT) ^ (spread >> TAG_BITS & !Self::PAYLOAD_HIGH)
    }

    /// The code of a lower bound, or of a negated upper bound: beyond the limit it is weakened, or 0 for "not known".
    #[inline(always)]
    fn bound_code(score: i32) -> u64 {
        (score.clamp(-Self::OFFSET, Self::SCORE_LIMIT as i32) + Self::OFFSET) as u64
    }

    #[inline(always)]
    fn lower(code: u64) -> Score {
        if code == 0 { Window::NO_LOWER } else { (code as i32 - Self::OFFSET) as Score }
    }

    #[inline(always)]
    fn upper(code: u64) -> Score {
        if code == 0 { Window::NO_UPPER } else { (Self::OFFSET - code as i32) as Score }
    }
}

impl<const SCORE_BITS: u32, const FLAG_BITS: u32> Layout for TwoWord<SCORE_BITS, FLAG_BITS> {
    type Words = [u64; 2];

    fn name() -> String {
        format!("wide-3:{SCORE_BITS}:{FLAG_BITS}")
    }

    const SCORE_LIMIT: Score =
        if SCORE_BITS == 16 { Window::NO_UPPER - 1 } else { ((1 << (SCORE_BITS - 1)) - 1) as Score };
    const DEPTH_LIMIT: Option<u8> = Some(u8::MAX);
    const FLAG_BITS: u32 = FLAG_BITS;
    const GENERATIONS: u8 = 1 << Self::GENERATION.width();
    const CHECK_BITS: u32 = 64 - Self::CHECK_SHIFT;
    const TAG_WORD: usize = 1;

    #[inline]
    fn encode(key: u64, entry: &Entry, generation: u8) -> Option<[u64; 2]> {
        let eval = entry.eval.map_or(0, |eval| Self::bound_code((eval as i32).max(-(Self::SCORE_LIMIT as i32))));
        let payload = Self::LOWER.put(Self::bound_code(entry.window.lower as i32))
            | Self::UPPER.put(Self::bound_code(-(entry.window.upper as i32)))
            | Self::EVAL.put(eval)
            | Self::BEST.put(entry.best as u64)
            | Self::WORK.put(log_code(entry.nodes, Self::WORK.width()))
            | Self::DEPTH.put(entry.depth as u64)
            | Self::GENERATION.put(generation as u64 & Self::GENERATION.max())
            | Self::TAINTED.put(entry.tainted as u64)
            | Self::ORIGIN.put(origin_code(entry.origin))
            | Self::FLAGS.put(entry.flags as u64 & Self::FLAGS.max());
        let (low, high) = (payload as u64, (payload >> 64) as u64);
        Some([low, high | Self::check(low, high, key)])
    }

    #[inline(always)]
    fn may_hold(high: u64, key: u64) -> bool {
        high ^ key << Self::CHECK_SHIFT <= Self::BELOW_TAG
    }

    #[inline(always)]
    fn verifies(words: [u64; 2], key: u64) -> bool {
        let [low, high] = words;
        // The check bits agree if the XOR leaves none of them set.
        high ^ Self::check(low, high, key) <= Self::PAYLOAD_HIGH && !Self::is_vacant(words)
    }

    #[inline(always)]
    fn is_vacant(words: [u64; 2]) -> bool {
        Self::ORIGIN.get(payload(words)) == 0
    }

    #[inline(always)]
    fn decode(words: [u64; 2], generation: u8) -> Entry {
        let payload = payload(words);
        let eval = Self::EVAL.get(payload);
        Entry {
            window: Window {
                lower: Self::lower(Self::LOWER.get(payload)),
                upper: Self::upper(Self::UPPER.get(payload)),
            },
            depth: Self::DEPTH.get(payload) as u8,
            best: Self::BEST.get(payload) as u16,
            eval: if eval == 0 { None } else { Some((eval as i32 - Self::OFFSET) as Score) },
            origin: origin(Self::ORIGIN.get(payload)),
            nodes: log_value(Self::WORK.get(payload), Self::WORK.width()),
            tainted: Self::TAINTED.get(payload) == 1,
            flags: Self::FLAGS.get(payload) as u8,
            age: generation.wrapping_sub(Self::GENERATION.get(payload) as u8) % Self::GENERATIONS,
        }
    }
}

#[inline(always)]
const fn payload([low, high]: [u64; 2]) -> u128 {
    low as u128 | (high as u128) << 64
}

#[inline(always)]
const fn origin_code(origin: Origin) -> u64 {
    match origin {
        Origin::Search => 1,
        Origin::Recalled => 2,
        Origin::Advice => 3,
    }
}

#[inline(always)]
const fn origin(code: u64) -> Origin {
    match code {
        2 => Origin::Recalled,
        3 => Origin::Advice,
        _ => Origin::Search,
    }
}

//! The wide layout: sixteen bytes, four to a cache line, for chess and anything else.

use super::{Field, Layout, log_code, log_value};
use crate::{Entry, Origin, Score, Window};

/// The whole [`Entry`], verified by 48 bits beyond the index.
///
/// The odds that a probe accepts a foreign or torn entry are 2^-48 for each slot it looks at.
///
/// ```text
/// word 0   63        61 60      45 44      30 29      15 14       0
///         | work (low) |   best   |   eval   |  upper   |  lower   |
/// word 1   63      16 15    14    13     12        10 9     3 2         0
///         |   check   | origin | tainted | generation | depth | work (high) |
/// ```
///
/// - `lower`, `upper`, `eval`: scores offset by 2^14, 0 for "not known". Exact within ±16,383.
/// - `best`: the game's 16-bit move code, 0 for no move.
/// - `work`: the logarithm of the nodes searched, in half octaves.
/// - `depth`: up to 127 plies; a deeper search is kept as 127.
/// - `generation`: modulo 8, so an entry of eight generations ago has age 0.
/// - `tainted`: 1 if the window depends on the path (a repetition, a move counter).
/// - `origin`: 0 for a vacant slot, 1 search, 2 recalled, 3 advice.
/// - `check`: the key's low 48 bits XOR a hash of the payload, so that words of two stores or of two positions do not
///   verify together.
#[derive(Clone, Copy, Debug)]
pub struct Wide;

const LOWER: Field = Field::first(15);
const UPPER: Field = LOWER.then(15);
const EVAL: Field = UPPER.then(15);
const BEST: Field = EVAL.then(16);
const WORK: Field = BEST.then(6);
const DEPTH: Field = WORK.then(7);
const GENERATION: Field = DEPTH.then(3);
const TAINTED: Field = GENERATION.then(1);
const ORIGIN: Field = TAINTED.then(2);
const CHECK_SHIFT: u32 = 16;

const _: () = assert!(ORIGIN.end() == 64 + CHECK_SHIFT, "the payload fills what the check leaves");
const _: () = assert!(64 - CHECK_SHIFT >= 48, "48 or more bits verify");
const _: () = assert!(size_of::<<Wide as Layout>::Words>() == 16, "four slots fill a cache line");

/// Added to a score, so that code 0 means "not known".
const OFFSET: i32 = 1 << 14;

impl Layout for Wide {
    type Words = [u64; 2];

    fn name() -> String {
        "wide-2".to_owned()
    }

    const SCORE_LIMIT: Score = (OFFSET - 1) as Score;
    const GENERATIONS: u8 = 1 << GENERATION.width();

    #[inline]
    fn encode(key: u64, entry: &Entry, generation: u8) -> Option<[u64; 2]> {
        let window = entry.window.within(Self::SCORE_LIMIT);
        let eval = entry.eval.map_or(0, |eval| score_code(eval.clamp(-Self::SCORE_LIMIT, Self::SCORE_LIMIT)));
        let payload = LOWER.put(if window.lower == Window::NO_LOWER { 0 } else { score_code(window.lower) })
            | UPPER.put(if window.upper == Window::NO_UPPER { 0 } else { score_code(window.upper) })
            | EVAL.put(eval)
            | BEST.put(entry.best as u64)
            | WORK.put(log_code(entry.nodes, WORK.width()))
            | DEPTH.put((entry.depth as u64).min(DEPTH.max()))
            | GENERATION.put(generation as u64 & GENERATION.max())
            | TAINTED.put(entry.tainted as u64)
            | ORIGIN.put(origin_code(entry.origin));
        let (low, high) = (payload as u64, (payload >> 64) as u64);
        Some([low, high | (check(low, high, key) & !PAYLOAD_HIGH)])
    }

    #[inline]
    fn verifies(words: [u64; 2], key: u64) -> bool {
        let [low, high] = words;
        // The check bits agree if the XOR leaves none of them set.
        (high ^ check(low, high, key)) <= PAYLOAD_HIGH && !Self::is_vacant(words)
    }

    #[inline]
    fn is_vacant(words: [u64; 2]) -> bool {
        ORIGIN.get(payload(words)) == 0
    }

    #[inline]
    fn decode(words: [u64; 2], generation: u8) -> Entry {
        let payload = payload(words);
        Entry {
            window: Window {
                lower: known_score(LOWER.get(payload)).unwrap_or(Window::NO_LOWER),
                upper: known_score(UPPER.get(payload)).unwrap_or(Window::NO_UPPER),
            },
            depth: DEPTH.get(payload) as u8,
            best: BEST.get(payload) as u16,
            eval: known_score(EVAL.get(payload)),
            origin: origin(ORIGIN.get(payload)),
            nodes: log_value(WORK.get(payload), WORK.width()),
            tainted: TAINTED.get(payload) == 1,
            age: generation.wrapping_sub(GENERATION.get(payload) as u8) % Self::GENERATIONS,
        }
    }
}

const PAYLOAD_HIGH: u64 = (1 << CHECK_SHIFT) - 1;

/// The check in bits 16 to 63; the bits below are meaningless. One multiplication spreads the payload over the check.
/// The upper payload needs less spreading: it is in the same word as the check, so a torn read cannot separate them.
#[inline]
const fn check(low: u64, high: u64, key: u64) -> u64 {
    (low ^ high << 48).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ key << CHECK_SHIFT
}

#[inline]
const fn payload([low, high]: [u64; 2]) -> u128 {
    low as u128 | (high as u128) << 64
}

#[inline]
const fn score_code(score: Score) -> u64 {
    (score as i32 + OFFSET) as u64
}

#[inline]
const fn known_score(code: u64) -> Option<Score> {
    if code == 0 { None } else { Some((code as i32 - OFFSET) as Score) }
}

#[inline]
const fn origin_code(origin: Origin) -> u64 {
    match origin {
        Origin::Search => 1,
        Origin::Recalled => 2,
        Origin::Advice => 3,
    }
}

#[inline]
const fn origin(code: u64) -> Origin {
    match code {
        2 => Origin::Recalled,
        3 => Origin::Advice,
        _ => Origin::Search,
    }
}

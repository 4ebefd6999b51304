//! Layouts: entries are kept where they fit and weakened where they do not, and stay true; verification covers them whole.

use mnemon_table::{Compact, Entry, Layout, Origin, Score, Wide, Window};
use proptest::prelude::*;

/// The limits within which a layout keeps an entry exactly.
struct Limits {
    depth: u8,
    best: u16,
    /// Bits of the logarithm of the node count.
    work_bits: u32,
    /// Evaluation, origin, age and tainted windows.
    extras: bool,
}

fn entries() -> impl Strategy<Value = Entry> {
    let origin = prop_oneof![Just(Origin::Search), Just(Origin::Recalled), Just(Origin::Advice)];
    let nodes = (any::<u64>(), 0..64_u32).prop_map(|(nodes, shift)| nodes >> shift);
    let eval = proptest::option::of(any::<Score>());
    (windows(), any::<u8>(), any::<u16>(), eval, origin, nodes, any::<bool>()).prop_map(
        |(window, depth, best, eval, origin, nodes, tainted)| Entry {
            window,
            depth,
            best,
            eval,
            origin,
            nodes,
            tainted,
            age: 0,
        },
    )
}

/// Windows of large and small scores, with and without bounds.
fn windows() -> impl Strategy<Value = Window> {
    let score = || {
        prop_oneof![
            Just(Window::NO_LOWER),
            Just(Window::NO_UPPER),
            any::<Score>(),
            -150..150_i16,
            (any::<Score>(), 0..15_u32).prop_map(|(score, shift)| score >> shift),
        ]
    };
    (score(), score()).prop_map(|(a, b)| Window { lower: a.min(b), upper: a.max(b) })
}

/// A bound that the layout kept: unchanged within the limit, otherwise no stronger than it was.
fn check_window<L: Layout>(stored: Window, kept: Window) -> Result<(), TestCaseError> {
    let within = |score: Score| (-L::SCORE_LIMIT..=L::SCORE_LIMIT).contains(&score);
    prop_assert!(kept.lower <= stored.lower && stored.upper <= kept.upper, "{kept:?} claims more than {stored:?}");
    if within(stored.lower) {
        prop_assert_eq!(kept.lower, stored.lower);
    }
    if within(stored.upper) {
        prop_assert_eq!(kept.upper, stored.upper);
    }
    if stored.lower > L::SCORE_LIMIT {
        prop_assert_eq!(kept.lower, L::SCORE_LIMIT, "the strongest true claim");
    }
    if stored.upper < -L::SCORE_LIMIT {
        prop_assert_eq!(kept.upper, -L::SCORE_LIMIT, "the strongest true claim");
    }
    Ok(())
}

/// Rounded down, by less than half within the logarithm's range.
fn check_nodes(stored: u64, kept: u64, bits: u32) -> Result<(), TestCaseError> {
    prop_assert!(kept <= stored);
    let octaves = if bits == 0 { 0 } else { 1_u32 << bits.min(5) };
    if stored < (1 << octaves) - 1 {
        prop_assert!(stored < 2 * (kept + 1), "{stored} kept as {kept}");
    }
    Ok(())
}

fn survives<L: Layout>(key: u64, entry: &Entry, limits: &Limits, stored: u8, probed: u8) -> Result<(), TestCaseError> {
    let (stored, probed) = (stored % L::GENERATIONS, probed % L::GENERATIONS);
    let window = if entry.tainted && !limits.extras { Window::UNKNOWN } else { entry.window };
    let Some(words) = L::encode(key, entry, stored) else {
        let says_nothing = window.within(L::SCORE_LIMIT).is_unknown() && (limits.depth == 0 || entry.depth == 0);
        prop_assert!(says_nothing, "{entry:?} is worth keeping");
        return Ok(());
    };
    prop_assert!(L::verifies(words, key) && !L::is_vacant(words));
    let kept = L::decode(words, probed);
    check_window::<L>(window, kept.window)?;
    check_nodes(entry.nodes, kept.nodes, limits.work_bits)?;
    prop_assert_eq!(kept.depth, entry.depth.min(limits.depth));
    prop_assert_eq!(kept.best, if entry.best <= limits.best { entry.best } else { 0 });
    let limit = L::SCORE_LIMIT;
    let eval = entry.eval.map(|eval| eval.clamp(-limit, limit)).filter(|_| limits.extras);
    prop_assert_eq!(kept.eval, eval);
    prop_assert_eq!(kept.origin, if limits.extras { entry.origin } else { Origin::Search });
    prop_assert_eq!(kept.tainted, entry.tainted && limits.extras);
    let age = (probed + L::GENERATIONS - stored) % L::GENERATIONS;
    prop_assert_eq!(kept.age, age);
    let again = L::encode(key, &kept, stored);
    prop_assert_eq!(again, Some(words), "what is kept is kept as it is");
    Ok(())
}

const WIDE: Limits = Limits { depth: 127, best: u16::MAX, work_bits: 6, extras: true };

const fn compact(move_bits: u32, depth_bits: u32, work_bits: u32) -> Limits {
    let best = ((1_u32 << move_bits) - 1) as u16;
    Limits { depth: ((1_u32 << depth_bits) - 1) as u8, best, work_bits, extras: false }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn entries_survive_the_wide_layout(key: u64, entry in entries(), stored in 0..8_u8, probed in 0..8_u8) {
        survives::<Wide>(key, &entry, &WIDE, stored, probed)?;
    }

    #[test]
    fn entries_survive_the_compact_layouts(key: u64, entry in entries()) {
        survives::<Compact<1, 0, 0, 0>>(key, &entry, &compact(0, 0, 0), 0, 0)?;
        survives::<Compact<21, 3, 0, 6>>(key, &entry, &compact(3, 0, 6), 0, 0)?;
        survives::<Compact<30, 16, 0, 0>>(key, &entry, &compact(16, 0, 0), 0, 0)?;
        survives::<Compact<31, 5, 6, 6>>(key, &entry, &compact(5, 6, 6), 0, 0)?;
        survives::<Compact<100, 4, 8, 1>>(key, &entry, &compact(4, 8, 1), 0, 0)?;
        survives::<Compact<127, 8, 8, 0>>(key, &entry, &compact(8, 8, 0), 0, 0)?;
        survives::<Compact<3, 9, 8, 8>>(key, &entry, &compact(9, 8, 8), 0, 0)?;
    }

    #[test]
    fn a_changed_bit_is_noticed(key: u64, entry in entries(), generation in 0..8_u8, bit in 0..128_u32) {
        let [low, high] = Wide::encode(key, &entry, generation).expect("the wide layout keeps everything");
        let changed = (low as u128 | (high as u128) << 64) ^ (1 << bit);
        prop_assert!(!Wide::verifies([changed as u64, (changed >> 64) as u64], key));
    }

    #[test]
    fn another_key_is_noticed(key: u64, entry in entries(), wide in 0..48_u32, compact in 0..38_u32) {
        let words = Wide::encode(key, &entry, 0).expect("the wide layout keeps everything");
        prop_assert!(!Wide::verifies(words, key ^ (1 << wide)));
        type Small = Compact<31, 3, 6, 5>;
        prop_assert_eq!(Small::CHECK_BITS, 38);
        if let Some(words) = Small::encode(key, &entry, 0) {
            prop_assert!(!Small::verifies(words, key ^ (1 << compact)));
        }
    }

    #[test]
    fn words_of_two_stores_are_no_entry(keys: [u64; 2], same in any::<bool>(), old in entries(), new in entries()) {
        let keys = if same { [keys[0]; 2] } else { keys };
        let [low, high] = Wide::encode(keys[0], &old, 3).expect("the wide layout keeps everything");
        let [other_low, other_high] = Wide::encode(keys[1], &new, 3).expect("the wide layout keeps everything");
        prop_assume!(low != other_low && high != other_high);
        for torn in [[low, other_high], [other_low, high]] {
            prop_assert!(keys.iter().all(|&key| !Wide::verifies(torn, key)), "{torn:x?}");
        }
    }
}

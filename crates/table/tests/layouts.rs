//! Layouts: entries are kept where they fit and weakened where they do not, and stay true; verification covers them whole.

use mnemon_table::{Compact, Dense, Entry, Full, Layout, Origin, Score, TwoWord, Wide, Window, Words};
use proptest::prelude::*;

/// The limits within which a layout keeps an entry exactly.
struct Limits {
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
    (windows(), any::<u8>(), any::<u16>(), eval, origin, nodes, any::<bool>(), any::<u8>()).prop_map(
        |(window, depth, best, eval, origin, nodes, tainted, flags)| Entry {
            window,
            depth,
            best,
            eval,
            origin,
            nodes,
            tainted,
            flags,
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
        let says_nothing = window.within(L::SCORE_LIMIT).is_unknown();
        let is_too_deep = L::DEPTH_LIMIT.is_some_and(|limit| entry.depth > limit);
        prop_assert!(says_nothing || is_too_deep, "{entry:?} is worth keeping");
        return Ok(());
    };
    prop_assert!(L::DEPTH_LIMIT.is_none_or(|limit| entry.depth <= limit), "a depth that does not fit is refused");
    prop_assert!(L::may_hold(words.word(L::TAG_WORD), key));
    prop_assert!(L::verifies(words, key) && !L::is_vacant(words));
    let kept = L::decode(words, probed);
    let one_sided = if window.lower == Window::NO_LOWER { window } else { Window::at_least(window.lower) };
    let drops = !L::KEEPS_BOTH_BOUNDS && window.within(L::SCORE_LIMIT).is_two_sided();
    check_window::<L>(if drops { one_sided } else { window }, kept.window)?;
    check_nodes(entry.nodes, kept.nodes, limits.work_bits)?;
    prop_assert_eq!(kept.depth, L::DEPTH_LIMIT.map_or(0, |_| entry.depth));
    prop_assert_eq!(kept.flags, (entry.flags as u32 % (1 << L::FLAG_BITS)) as u8);
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

const WIDE: Limits = Limits { best: u16::MAX, work_bits: 6, extras: true };
const DENSE: Limits = Limits { best: u16::MAX, work_bits: 0, extras: false };

const fn compact(move_bits: u32, work_bits: u32) -> Limits {
    let best = ((1_u32 << move_bits) - 1) as u16;
    Limits { best, work_bits, extras: false }
}

#[test]
fn every_layout_states_how_often_it_is_wrong() {
    let bits = (Wide::CHECK_BITS, Full::CHECK_BITS, <TwoWord<15, 0>>::CHECK_BITS, Dense::CHECK_BITS);
    assert_eq!(bits, (43, 40, 47, 20), "as the table in Layout's documentation says");
    let limits = (Wide::SCORE_LIMIT, Full::SCORE_LIMIT, Dense::SCORE_LIMIT);
    assert_eq!(limits, (16_383, 32_766, 16_383));
}

/// Foreign keys that a full bucket of four accepts: as many as the layout states, within four standard deviations.
#[test]
fn the_dense_layout_is_wrong_as_often_as_it_says() {
    let table: mnemon_table::Table<Dense> = mnemon_table::Table::new(32 << 10).expect("a small table");
    let entry = Entry { window: Window::exact(1), depth: 1, best: 1, ..Entry::default() };
    let key = |number: u64| {
        let spread = (number ^ number >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (spread ^ spread >> 29).wrapping_mul(0x94d0_49bb_1331_11eb)
    };
    (1..40_000).for_each(|number| table.store(key(number), entry));
    let probes = 8_000_000;
    let wrong = (0..probes).filter(|number| table.probe(key((1 << 40) + number)).is_some()).count() as f64;
    let expected = probes as f64 * table.false_hit_odds();
    assert!((wrong - expected).abs() < 4.0 * expected.sqrt(), "{wrong} false hits, {expected:.1} expected");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn entries_survive_the_wide_layout(key: u64, entry in entries(), stored in 0..8_u8, probed in 0..8_u8) {
        survives::<Wide>(key, &entry, &WIDE, stored, probed)?;
        survives::<Full>(key, &entry, &WIDE, stored, probed)?;
        survives::<TwoWord<15, 0>>(key, &entry, &WIDE, stored, probed)?;
        survives::<TwoWord<16, 1>>(key, &entry, &WIDE, stored, probed)?;
    }

    #[test]
    fn entries_survive_the_dense_layout(key: u64, entry in entries(), stored in 0..8_u8, probed in 0..8_u8) {
        survives::<Dense>(key, &entry, &DENSE, stored, probed)?;
    }

    #[test]
    fn entries_survive_the_compact_layouts(key: u64, entry in entries()) {
        survives::<Compact<1, 0, 0, 0>>(key, &entry, &compact(0, 0), 0, 0)?;
        survives::<Compact<21, 3, 0, 6>>(key, &entry, &compact(3, 6), 0, 0)?;
        survives::<Compact<30, 16, 0, 0>>(key, &entry, &compact(16, 0), 0, 0)?;
        survives::<Compact<31, 5, 6, 6>>(key, &entry, &compact(5, 6), 0, 0)?;
        survives::<Compact<100, 4, 8, 1>>(key, &entry, &compact(4, 1), 0, 0)?;
        survives::<Compact<127, 8, 8, 0>>(key, &entry, &compact(8, 0), 0, 0)?;
        survives::<Compact<3, 9, 8, 8>>(key, &entry, &compact(9, 8), 0, 0)?;
    }

    #[test]
    fn a_changed_bit_is_noticed(key: u64, entry in entries(), generation in 0..8_u8, bit in 0..128_u32) {
        fn notices<L: Layout<Words = [u64; 2]>>(key: u64, entry: &Entry, generation: u8, bit: u32) -> bool {
            let [low, high] = L::encode(key, entry, generation).expect("two words keep everything");
            let changed = (low as u128 | (high as u128) << 64) ^ (1 << bit);
            !L::verifies([changed as u64, (changed >> 64) as u64], key)
        }
        prop_assert!(notices::<Wide>(key, &entry, generation, bit));
        prop_assert!(notices::<Full>(key, &entry, generation, bit));
        prop_assert!(notices::<TwoWord<15, 0>>(key, &entry, generation, bit));
    }

    #[test]
    fn another_key_is_noticed(key: u64, entry in entries(), wide in 0..43_u32, compact in 0..38_u32) {
        let words = Wide::encode(key, &entry, 0).expect("the wide layout keeps everything");
        prop_assert!(!Wide::verifies(words, key ^ (1 << wide)));
        let words = Full::encode(key, &entry, 0).expect("the full layout keeps everything");
        prop_assert!(!Full::verifies(words, key ^ (1 << (wide % Full::CHECK_BITS))));
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

//! Merging is a join, for millions of records.

mod common;

use common::{advice, search_record};
use mnemon_memory::{Claim, Origins, Record, merge};
use mnemon_search::random::Random;

const ROUNDS: usize = 2_000_000;

fn any_record(random: &mut Random) -> Record {
    if random.below(3) == 0 { advice(random) } else { search_record(random) }
}

#[test]
fn merging_is_commutative_associative_and_idempotent() {
    let mut random = Random::new(4);
    for _ in 0..ROUNDS {
        let [a, b, c] = std::array::from_fn(|_| any_record(&mut random));
        let ab = merge(&a, &b);
        assert_eq!(ab, merge(&b, &a), "commutative: {a:?} {b:?}");
        assert_eq!(merge(&ab, &c), merge(&a, &merge(&b, &c)), "associative: {a:?} {b:?} {c:?}");
        assert_eq!(merge(&a, &a), a, "idempotent: {a:?}");
        assert_eq!(merge(&ab, &a), ab, "a repeated merge changes nothing: {a:?} {b:?}");
    }
}

/// A bound is only replaced by a deeper one, or by one that is as deep and tighter.
#[test]
fn the_deeper_bound_wins_then_the_tighter() {
    let mut random = Random::new(5);
    for _ in 0..ROUNDS {
        let [a, b] = std::array::from_fn(|_| search_record(&mut random));
        let both = merge(&a, &b);
        for part in [a, b] {
            assert!(both.lower.depth >= part.lower.depth && both.upper.depth >= part.upper.depth);
            assert!(both.lower.depth > part.lower.depth || both.lower.score >= part.lower.score);
            assert!(both.upper.depth > part.upper.depth || both.upper.score <= part.upper.score);
            assert!(both.origins.contains(part.origins) && both.flags.contains(part.flags));
            assert_eq!(both, both.normalized());
        }
        assert!(
            [a, b].iter().any(|part| (part.lower, part.best) == (both.lower, both.best)),
            "move and bound together"
        );
        assert!([a, b].iter().any(|part| part.upper == both.upper));
    }
}

#[test]
fn the_latest_advice_stands_and_no_search_displaces_it() {
    let old = Record { time: 10, best: 3, origins: Origins::ADVICE, ..Record::exact(90, 5) };
    let new = Record { time: 11, best: 4, origins: Origins::ADVICE, ..Record::default() };
    assert_eq!(merge(&old, &new), new, "the later advice replaces the earlier");
    let deep = Record::exact(-40, 60);
    assert_eq!(merge(&new, &deep), new);
    assert_eq!(new.lower, Claim::NO_LOWER, "not the deeper advice");
}

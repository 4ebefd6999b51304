//! Merging is a join, for millions of records.

mod common;

use common::{advice, search_record};
use mnemon_memory::{Claim, Line, LineSet, Lines, Origins, Record, merge};
use mnemon_search::random::Random;
use mnemon_table::Window;

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

/// A bound is only replaced by a deeper one, by one that is as deep and newer, or by one of both that is tighter.
#[test]
fn the_deeper_bound_wins_then_the_newer_then_the_tighter() {
    let mut random = Random::new(5);
    for _ in 0..ROUNDS {
        let [a, b] = std::array::from_fn(|_| search_record(&mut random));
        let both = merge(&a, &b);
        for part in [a, b] {
            assert!(both.lower.depth >= part.lower.depth && both.upper.depth >= part.upper.depth);
            let rank = |claim: Claim| (claim.depth, claim.time);
            assert!(rank(both.lower) >= rank(part.lower) && rank(both.upper) >= rank(part.upper));
            assert!(rank(both.lower) > rank(part.lower) || both.lower.score >= part.lower.score);
            assert!(rank(both.upper) > rank(part.upper) || both.upper.score <= part.upper.score);
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

#[test]
fn a_second_search_of_the_same_depth_corrects_the_first() {
    let first = Record { best: 3, ..Record::exact(90, 12) }.found_at(10);
    let second = Record { best: 4, ..Record::exact(-40, 12) }.found_at(11);
    let both = merge(&first, &second);
    assert_eq!((both.lower, both.upper, both.best), (second.lower, second.upper, 4));
}

fn any_lines(random: &mut Random) -> Lines {
    let set = |random: &mut Random| LineSet {
        depth: random.below(4) as u8,
        time: random.below(3) as u32,
        lines: (0..1 + random.below(3)).map(|_| Line::new(Window::exact(random.below(2) as i16), [1])).collect(),
    };
    (0..random.below(3)).map(|_| set(random)).collect()
}

#[test]
fn merging_lines_is_a_join_and_keeps_every_set_that_is_not_obsolete() {
    let mut random = Random::new(6);
    for _ in 0..ROUNDS / 10 {
        let [a, b, c] = std::array::from_fn(|_| any_lines(&mut random));
        let ab = a.merge(&b);
        assert_eq!(ab, b.merge(&a), "commutative: {a:?} {b:?}");
        assert_eq!(ab.merge(&c), a.merge(&b.merge(&c)), "associative: {a:?} {b:?} {c:?}");
        assert_eq!(a.merge(&a), a, "idempotent: {a:?}");
        assert_eq!(ab.merge(&a), ab, "a repeated merge changes nothing: {a:?} {b:?}");
        for set in a.sets().iter().chain(b.sets()) {
            let covers = |kept: &&LineSet| kept.lines.len() >= set.lines.len() && kept.depth >= set.depth;
            assert!(ab.sets().iter().any(|kept| covers(&kept)), "{set:?} is lost in {ab:?}");
        }
    }
}

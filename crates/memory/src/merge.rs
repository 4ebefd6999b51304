//! Merging: two records of one key become one.
//!
//! [`merge`] is a join, the least upper bound of an order on records: commutative, associative and idempotent, so that
//! memories from different machines merge in any order, any number of times, to the same result. Each part of a
//! record is ordered by itself:
//!
//! - the lower bound with the move that proves it: the deeper, then the newer, then the tighter (higher), then the larger
//!   move code;
//! - the upper bound: the deeper, then the newer, then the tighter (lower);
//! - origins and flags: the union;
//! - nodes and time: the larger; plies: the smaller.
//!
//! Of two pieces of advice from one person the later replaces the other as a whole. Advice and a search's record have
//! different keys, since a person is not an engine; if two of them are merged nevertheless, the advice is kept.

use std::cmp::Reverse;

use crate::{Origins, Record};

/// The join of two records.
///
/// ```
/// use mnemon_memory::{merge, Record};
/// use mnemon_table::Window;
///
/// let shallow = Record::exact(20, 8);
/// let deep = Record::between(Window::at_most(15), 11);
/// let both = merge(&shallow, &deep);
/// assert_eq!((both.lower.score, both.lower.depth), (20, 8));
/// assert_eq!((both.upper.score, both.upper.depth), (15, 11));
/// assert_eq!(both, merge(&deep, &shallow));
/// ```
#[must_use]
pub fn merge(a: &Record, b: &Record) -> Record {
    match (a.origins.contains(Origins::ADVICE), b.origins.contains(Origins::ADVICE)) {
        (false, false) => joined(a, b),
        (true, false) => *a,
        (false, true) => *b,
        (true, true) => *std::cmp::max_by_key(a, b, |record| recency(record)),
    }
}

/// The join of two searches' records, part by part.
fn joined(a: &Record, b: &Record) -> Record {
    let lower = std::cmp::max_by_key(a, b, |record| lower_rank(record));
    let upper = std::cmp::max_by_key(a, b, |record| upper_rank(record));
    Record {
        lower: lower.lower,
        best: lower.best,
        upper: upper.upper,
        origins: a.origins.union(b.origins),
        flags: a.flags.union(b.flags),
        game_ply: a.game_ply.min(b.game_ply),
        root_ply: a.root_ply.min(b.root_ply),
        nodes: a.nodes.max(b.nodes),
        time: a.time.max(b.time),
    }
}

fn lower_rank(record: &Record) -> impl Ord + use<> {
    (record.lower.depth, record.lower.time, record.lower.score, record.best)
}

fn upper_rank(record: &Record) -> impl Ord + use<> {
    (record.upper.depth, record.upper.time, Reverse(record.upper.score))
}

/// The larger is the later advice. Two of the same second are ordered by their contents, so that merging is commutative.
fn recency(record: &Record) -> impl Ord + use<> {
    let rest = (record.origins, record.flags, record.game_ply, record.root_ply, record.nodes);
    (record.time, lower_rank(record), upper_rank(record), rest)
}

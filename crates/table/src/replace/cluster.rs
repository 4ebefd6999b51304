//! The schemes that choose a victim among four slots.

use super::{Placement, Replace, Resident, least_by_key};
use crate::{Entry, Score};

/// Four slots; the resident with the smallest depth, less four plies for each generation of age, is replaced. The
/// default.
///
/// The new entry is always stored: what was searched last is probed soonest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aged;

/// One generation of age outweighs this many plies of depth.
const PLIES_PER_GENERATION: i32 = 4;

impl Replace for Aged {
    const NAME: &'static str = "Aged";
    const WAYS: usize = 4;

    #[inline]
    fn place(&self, residents: &[Resident], _new: &Entry) -> Placement {
        Placement::Way(least_by_key(residents, |old| old.depth as i32 - PLIES_PER_GENERATION * old.age as i32))
    }
}

/// Four slots; the entry of least worth is given up, which may be the new one.
///
/// Worth is depth, plus up to eight plies for a large score: a proven win or loss is expensive to find again and cuts off
/// for every window.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worth;

impl Replace for Worth {
    const NAME: &'static str = "Worth";
    const WAYS: usize = 4;

    #[inline]
    fn place(&self, residents: &[Resident], new: &Entry) -> Placement {
        let way = least_by_key(residents, worth);
        match residents[way] {
            Some(old) if worth(new) < worth(&old) => Placement::Discard,
            _ => Placement::Way(way),
        }
    }
}

fn worth(entry: &Entry) -> i32 {
    let bonus = entry.window.bound().map_or(0, |(score, _)| score_bonus(score));
    entry.depth as i32 + bonus
}

/// One ply for each doubling of the score above 64, at most eight.
fn score_bonus(score: Score) -> i32 {
    let doublings = (score.unsigned_abs() >> 6).checked_ilog2().map_or(0, |log| log as i32 + 1);
    doublings.min(8)
}

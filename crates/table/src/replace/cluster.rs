//! The schemes that choose a victim among the slots of a cluster.

use super::{Placement, Replace, Resident, least_by_key};
use crate::{Entry, Score};

/// Four slots; the least of depth minus age goes. The default.
///
/// The newcomer always goes in: what was searched last is needed soonest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aged;

/// How many plies of depth one generation of age outweighs.
const PLIES_PER_GENERATION: i32 = 4;

impl Replace for Aged {
    const NAME: &'static str = "Aged";
    const WAYS: usize = 4;

    #[inline]
    fn place(&self, residents: &[Resident], _new: &Entry) -> Placement {
        Placement::Way(least_by_key(residents, |old| old.depth as i32 - PLIES_PER_GENERATION * old.age as i32))
    }
}

/// Four slots; the entry of least worth goes, be it the newcomer.
///
/// Worth is depth, plus up to eight plies for a score near the end of the scale: a proven win or loss is dear to find
/// again and cuts wherever it is met.
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
    let extremity = entry.window.bound().map_or(0, |(score, _)| plies_for(score));
    entry.depth as i32 + extremity
}

/// One ply for each doubling of the score above 64, eight at the most.
fn plies_for(score: Score) -> i32 {
    let doublings = (score.unsigned_abs() >> 6).checked_ilog2().map_or(0, |log| log as i32 + 1);
    doublings.min(8)
}

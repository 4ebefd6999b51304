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

/// Four slots; the resident of the least worth is replaced: its depth, plus up to four plies for a decisive score, less four
/// plies for each generation of age.
///
/// A proven win or loss is expensive to find again and cuts off for nearly every window. Scores below 1,024 do not count: in
/// a search with null windows the refutations of bad moves have large scores, and are cheap to find again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worth;

impl Replace for Worth {
    const NAME: &'static str = "Worth";
    const WAYS: usize = 4;

    #[inline]
    fn place(&self, residents: &[Resident], _new: &Entry) -> Placement {
        Placement::Way(least_by_key(residents, |old| {
            let bonus = old.window.bound(Score::MIN).map_or(0, |(score, _)| score_bonus(score));
            old.depth as i32 + bonus - PLIES_PER_GENERATION * old.age as i32
        }))
    }
}

/// One ply for each doubling of the score from 1,024 on, at most four.
fn score_bonus(score: Score) -> i32 {
    let doublings = (score.unsigned_abs() >> 10).checked_ilog2().map_or(0, |log| log as i32 + 1);
    doublings.min(4)
}

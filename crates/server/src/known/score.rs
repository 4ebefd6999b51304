//! A score with its bounds, in numbers and words.

use mnemon_explore::notation::Position;
use mnemon_explore::{Estimate, format};
use mnemon_memory::{Claim, PROVEN, Record};
use mnemon_search::WINS;
use mnemon_table::Score;
use serde::Serialize;

/// What a record says of a value. Every number is for the side to move of the position that the whole answer is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct ScoreReport {
    /// For people: `= +0.35`, `>= +0.20, <= +0.50`, `= mate in 5`.
    pub(crate) text: String,
    /// One number to sort and to draw by: the value, the bound that is known, or the middle between two.
    pub(crate) value: Score,
    /// `exact`; `about`, where both ends nearly agree; `lower`, `upper`; or `between`, where they lie far apart.
    pub(crate) bound: &'static str,
    pub(crate) lower: Option<Score>,
    pub(crate) lower_depth: Option<u8>,
    pub(crate) lower_time: Option<u32>,
    pub(crate) upper: Option<Score>,
    pub(crate) upper_depth: Option<u8>,
    pub(crate) upper_time: Option<u32>,
    /// The depth of the deeper bound in plies; 255 if it is proven.
    pub(crate) depth: u8,
    /// For people: `24`, `12, 10`, `proven`.
    pub(crate) depth_text: String,
    pub(crate) is_proven: bool,
    /// Of a win or loss in chess: in how many moves mate is given at the latest, negative if the side to move is mated.
    pub(crate) mate: Option<i32>,
    /// Of an exact value whose number does not say it: "wins in 3 moves".
    pub(crate) verdict: Option<String>,
}

impl ScoreReport {
    /// The record's value; `None` if it has none. The record's bounds are for the side to move of `position`.
    pub(crate) fn new(position: &dyn Position, record: &Record) -> Option<Self> {
        let known = |claim: Claim| claim.is_known().then_some(claim);
        let (lower, upper) = (known(record.lower), known(record.upper));
        let estimate = Estimate::new(record, position.near());
        let value = estimate.number()?;
        let bound = match estimate {
            Estimate::Unknown => return None,
            Estimate::Exact(..) => "exact",
            Estimate::About(..) => "about",
            Estimate::AtLeast(_) => "lower",
            Estimate::AtMost(_) => "upper",
            Estimate::Between(..) => "between",
        };
        let depth = record.lower.depth.max(record.upper.depth);
        let is_exact = bound == "exact";
        let is_chess = &*position.game() == "chess";
        let is_result = value != 0 || record.lower.depth == PROVEN;
        Some(ScoreReport {
            text: format::score(position, record),
            value,
            bound,
            lower: lower.map(|claim| claim.score),
            lower_depth: lower.map(|claim| claim.depth),
            lower_time: lower.map(|claim| claim.time),
            upper: upper.map(|claim| claim.score),
            upper_depth: upper.map(|claim| claim.depth),
            upper_time: upper.map(|claim| claim.time),
            depth,
            depth_text: format::depths(position, record),
            is_proven: depth == PROVEN,
            mate: mate_of(record).filter(|_| is_chess),
            verdict: position.verdict(value).filter(|_| is_exact && is_result),
        })
    }
}

/// The mate that a record of chess claims. Such a claim has one end: "at the latest in so many moves".
fn mate_of(record: &Record) -> Option<i32> {
    let end = |claim: Claim, is_end: fn(&i32) -> bool| claim.is_known().then(|| mate(claim.score))?.filter(is_end);
    end(record.lower, |&moves| moves > 0).or_else(|| end(record.upper, |&moves| moves <= 0))
}

/// In how many moves a score of chess gives mate; negative for the side that is mated.
fn mate(score: Score) -> Option<i32> {
    let plies = i32::from(WINS.plies(score)?);
    Some(if plies > 0 { (plies + 1) / 2 } else { plies / 2 })
}

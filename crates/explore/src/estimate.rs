//! A record's value as people read it: one number where both ends are known, a bound where one is.

use mnemon_memory::{Claim, PROVEN, Record};
use mnemon_table::Score;

/// What a record says of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimate {
    /// Nothing.
    Unknown,
    /// Both ends are this number, as a search to this depth found.
    Exact(Score, u8),
    /// Both ends are known, by two searches or by one, and nearly agree: the number of the end that says more.
    About(Score, u8),
    /// It is at least this.
    AtLeast(Claim),
    /// It is at most this.
    AtMost(Claim),
    /// Both ends are known and lie far apart.
    Between(Claim, Claim),
}

impl Estimate {
    /// What the record says. Ends that differ by no more than `near` are one number. Ends that contradict each other by more
    /// come from two searches, of which the deeper, then the newer, is right.
    pub fn new(record: &Record, near: Score) -> Self {
        let (lower, upper) = (record.lower, record.upper);
        match (lower.is_known(), upper.is_known()) {
            (false, false) => return Estimate::Unknown,
            (true, false) => return Estimate::AtLeast(lower),
            (false, true) => return Estimate::AtMost(upper),
            (true, true) => {}
        }
        let stronger = record.stronger_end();
        let is_proven = [lower, upper].iter().any(|claim| claim.depth == PROVEN);
        if lower.score == upper.score {
            Estimate::Exact(lower.score, lower.depth.min(upper.depth))
        } else if lower.score.abs_diff(upper.score) <= near.unsigned_abs() && !is_proven {
            Estimate::About(stronger.score, stronger.depth)
        } else if lower.score < upper.score {
            Estimate::Between(lower, upper)
        } else if stronger == lower {
            Estimate::AtLeast(lower)
        } else {
            Estimate::AtMost(upper)
        }
    }

    /// The end or ends with their signs; for one number, two empty ones.
    pub(crate) fn bounds(self) -> [Option<(&'static str, Claim)>; 2] {
        match self {
            Estimate::AtLeast(lower) => [Some((">=", lower)), None],
            Estimate::AtMost(upper) => [None, Some(("<=", upper))],
            Estimate::Between(lower, upper) => [Some((">=", lower)), Some(("<=", upper))],
            Estimate::Unknown | Estimate::Exact(..) | Estimate::About(..) => [None, None],
        }
    }

    /// The number that stands for the value where one is needed, as for a colour.
    pub fn number(self) -> Option<Score> {
        match self {
            Estimate::Unknown => None,
            Estimate::Exact(score, _) | Estimate::About(score, _) => Some(score),
            Estimate::AtLeast(claim) | Estimate::AtMost(claim) => Some(claim.score),
            Estimate::Between(lower, upper) => Some(lower.score.midpoint(upper.score)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(lower: (Score, u8), upper: (Score, u8)) -> Estimate {
        let (lower, upper) = (Claim::new(lower.0, lower.1), Claim::new(upper.0, upper.1));
        Estimate::new(&Record { lower, upper, ..Record::default() }, 25)
    }

    #[test]
    fn what_is_known_at_both_ends_is_one_number() {
        assert_eq!(estimate((20, 12), (20, 10)), Estimate::Exact(20, 10));
        assert_eq!(estimate((-33, 9), (-22, 9)), Estimate::About(-33, 9));
        assert_eq!(estimate((34, 7), (35, 9)), Estimate::About(35, 9));
        assert_eq!(estimate((36, 10), (18, 13)), Estimate::About(18, 13), "two searches");
    }

    #[test]
    fn ends_that_lie_far_apart_are_no_number() {
        let (lower, upper) = (Claim::new(20, 12), Claim::new(50, 10));
        assert_eq!(estimate((20, 12), (50, 10)), Estimate::Between(lower, upper));
        assert_eq!(estimate((50, 10), (20, 12)), Estimate::AtMost(Claim::new(20, 12)), "the deeper search is right");
        assert_eq!(estimate((50, 12), (20, 10)), Estimate::AtLeast(Claim::new(50, 12)));
    }

    #[test]
    fn a_proof_is_not_rounded() {
        assert_eq!(estimate((3, PROVEN), (5, 9)), Estimate::Between(Claim::new(3, PROVEN), Claim::new(5, 9)));
        assert_eq!(estimate((3, PROVEN), (1, 9)), Estimate::AtLeast(Claim::new(3, PROVEN)));
        assert_eq!(estimate((3, PROVEN), (3, PROVEN)), Estimate::Exact(3, PROVEN));
    }
}

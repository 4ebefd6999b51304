//! The numbers of all policies that a user may set, in one place.

use mnemon_table::Score;

use super::{Bebe, Crafty, DEFAULT_FUZZ, Policy, ResultLearning, Resume, Rote, Slate, Tree};

/// Settings of policies; each policy takes those that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// The least drop of a score that is significant (slate, crafty).
    pub drop: Score,
    /// By how much recalled scores are widened at either bound: all of them (slate), or those of other sources (resume, tree).
    pub fuzz: Score,
    /// By how much recalled scores are widened at either bound (bebe).
    pub tolerance: Score,
    /// How much a draw is below 0 for the side that searched (bebe).
    pub contempt: Score,
    /// The most roots that are kept (rote, crafty); `None` for the policy's own limit.
    pub limit: Option<u64>,
    /// How many per cent of a value come from what happened after the next move (result).
    pub lambda: u8,
    /// The least depth that is kept (resume, tree); 0 for the policy's own.
    pub least_depth: u8,
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds {
            drop: Slate::default().drop,
            fuzz: DEFAULT_FUZZ,
            tolerance: Bebe::default().tolerance,
            contempt: Bebe::default().contempt,
            limit: None,
            lambda: ResultLearning::default().lambda,
            least_depth: 0,
        }
    }
}

impl Policy {
    /// The same policy with these settings.
    ///
    /// ```
    /// use mnemon_memory::policy::{Policy, Slate, Thresholds};
    ///
    /// let slate = Policy::named("slate").expect("a policy");
    /// assert_eq!(slate.with(&Thresholds::default()), slate);
    /// let careful = slate.with(&Thresholds { drop: 90, ..Thresholds::default() });
    /// assert_eq!(careful, Policy::Slate(Slate { drop: 90, ..Slate::default() }));
    /// ```
    #[must_use]
    pub fn with(self, thresholds: &Thresholds) -> Self {
        let Thresholds { drop, fuzz, tolerance, contempt, limit, lambda, least_depth } = *thresholds;
        let resume = |resume: Resume| Resume { least_depth, others_fuzz: fuzz, ..resume };
        match self {
            Policy::Off => Policy::Off,
            Policy::ReadOnly(settings) => Policy::ReadOnly(resume(settings)),
            Policy::Rote(rote) => Policy::Rote(Rote { limit: limit.or(rote.limit) }),
            Policy::Slate(_) => Policy::Slate(Slate { drop, fuzz }),
            Policy::Bebe(_) => Policy::Bebe(Bebe { contempt, tolerance }),
            Policy::Crafty(crafty) => Policy::Crafty(Crafty { drop, limit: limit.unwrap_or(crafty.limit) }),
            Policy::Resume(settings) => Policy::Resume(resume(settings)),
            Policy::Tree(tree) => {
                let least_depth = if least_depth > 0 { least_depth } else { tree.least_depth };
                Policy::Tree(Tree { least_depth, others_fuzz: fuzz, ..tree })
            }
            Policy::Result(result) => Policy::Result(ResultLearning { lambda, ..result }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_those_of_the_policies() {
        for policy in Policy::NAMES.iter().filter_map(|name| Policy::named(name)) {
            assert_eq!(policy.with(&Thresholds::default()), policy);
        }
    }
}

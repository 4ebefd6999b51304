//! Which entry the solver's table gives up when a bucket is full.

use mnemon_table::Entry;
use mnemon_table::replace::{Always, Deeper, Placement, Replace, Resident, SchemeOperation, TwoTier, Worth};

/// Four ways; the entry with the smallest searched subtree is replaced.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeepBigger;

impl Replace for KeepBigger {
    const NAME: &'static str = "KeepBigger";
    const WAYS: usize = 4;

    #[inline]
    fn place(&self, residents: &[Resident], _new: &Entry) -> Placement {
        let mut way = 0;
        let mut least = u64::MAX;
        for (index, resident) in residents.iter().enumerate() {
            let nodes = resident.map_or(0, |entry| entry.nodes);
            if nodes < least {
                (way, least) = (index, nodes);
            }
        }
        Placement::Way(way)
    }
}

/// The replacement schemes that a user chooses from, by name. The scores do not depend on it.
///
/// A solver's entries have no depth, since their bounds are final: the logarithm of the subtree's size stands for it. Nor
/// do they age, so that there is no scheme by age.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SolverScheme {
    /// [`KeepBigger`]
    #[default]
    Bigger,
    /// [`Always`]
    Always,
    /// [`Deeper`], by subtree size
    Depth,
    /// [`TwoTier`], by subtree size
    TwoTier,
    /// [`Worth`], by subtree size and score
    Worth,
}

impl SolverScheme {
    /// Every scheme, the default first.
    pub const ALL: [Self; 5] = [Self::Bigger, Self::Always, Self::Depth, Self::TwoTier, Self::Worth];

    /// The names, in the order of [`ALL`](Self::ALL).
    pub const NAMES: [&'static str; 5] = ["bigger", "always", "depth", "two-tier", "worth"];

    /// The scheme of this name; `None` if there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

impl Replace for SolverScheme {
    const NAME: &'static str = "SolverScheme";
    /// The most that any of them has.
    const WAYS: usize = 4;

    fn place(&self, residents: &[Resident], new: &Entry) -> Placement {
        match self {
            Self::Bigger => KeepBigger.place(residents, new),
            Self::Always => Always.place(residents, new),
            Self::Depth => BySize(Deeper).place(residents, new),
            Self::TwoTier => BySize(TwoTier).place(residents, new),
            Self::Worth => BySize(Worth).place(residents, new),
        }
    }

    // The default is as fast as where it is the table's type: the code of the others is not inlined.
    #[inline(always)]
    fn run<O: SchemeOperation>(&self, operation: O) -> O::Output {
        if *self == Self::Bigger { operation.run_with(KeepBigger) } else { run_with_other(*self, operation) }
    }
}

#[cold]
#[inline(never)]
fn run_with_other<O: SchemeOperation>(scheme: SolverScheme, operation: O) -> O::Output {
    match scheme {
        SolverScheme::Bigger => operation.run_with(KeepBigger),
        SolverScheme::Always => operation.run_with(Always),
        SolverScheme::Depth => operation.run_with(BySize(Deeper)),
        SolverScheme::TwoTier => operation.run_with(BySize(TwoTier)),
        SolverScheme::Worth => operation.run_with(BySize(Worth)),
    }
}

/// A scheme that compares depths, with the logarithm of the subtree's size in the place of the depth.
#[derive(Clone, Copy, Debug, Default)]
struct BySize<R>(R);

impl<R: Replace> Replace for BySize<R> {
    const NAME: &'static str = R::NAME;
    const WAYS: usize = R::WAYS;

    fn place(&self, residents: &[Resident], new: &Entry) -> Placement {
        let mut sized = [None; 4];
        for (sized, resident) in sized.iter_mut().zip(residents) {
            *sized = resident.as_ref().map(with_size_as_depth);
        }
        self.0.place(&sized[..residents.len()], &with_size_as_depth(new))
    }
}

fn with_size_as_depth(entry: &Entry) -> Entry {
    Entry { depth: entry.nodes.saturating_add(1).ilog2() as u8, ..*entry }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(nodes: u64) -> Entry {
        Entry { nodes, ..Entry::default() }
    }

    #[test]
    fn schemes_have_the_names_that_users_give() {
        for (scheme, name) in SolverScheme::ALL.into_iter().zip(SolverScheme::NAMES) {
            assert_eq!((scheme.name(), SolverScheme::named(name)), (name, Some(scheme)));
        }
        assert_eq!(SolverScheme::named("aged"), None);
    }

    #[test]
    fn subtree_size_stands_for_depth() {
        let residents = [Some(entry(1000))];
        assert_eq!(SolverScheme::Depth.place(&residents, &entry(100)), Placement::Discard);
        assert_eq!(SolverScheme::Depth.place(&residents, &entry(5000)), Placement::Way(0));
        let residents = [Some(entry(1000)), Some(entry(9))];
        assert_eq!(SolverScheme::TwoTier.place(&residents, &entry(100)), Placement::Way(1));
        let residents = [1000, 9, 500, 700].map(|nodes| Some(entry(nodes)));
        assert_eq!(SolverScheme::Bigger.place(&residents, &entry(0)), Placement::Way(1));
    }
}

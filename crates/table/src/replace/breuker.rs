//! The seven schemes of D.M. Breuker, J.W.H.M. Uiterwijk and H.J. van den Herik, "Replacement Schemes for
//! Transposition Tables", ICCA Journal 17(4), 1994.
//!
//! The Big schemes compare the number of nodes in the searched subtree; the two-level schemes have a second slot that is
//! always replaced. Where the paper leaves a tie open, the new entry replaces.

use super::{Always, Deeper, Placement, Replace, Resident};
use crate::Entry;

/// The new entry always replaces: the paper's name for [`Always`].
pub type New = Always;

/// The deeper stays: the paper's name for [`Deeper`].
pub type Deep = Deeper;

/// The resident always stays.
#[derive(Clone, Copy, Debug, Default)]
pub struct Old;

impl Replace for Old {
    const NAME: &'static str = "Old";
    const WAYS: usize = 1;

    #[inline]
    fn place(&self, residents: &[Resident], _new: &Entry) -> Placement {
        if residents[0].is_none() { Placement::Way(0) } else { Placement::Discard }
    }
}

/// The bigger subtree stays, a position found in the table counting as one node.
#[derive(Clone, Copy, Debug, Default)]
pub struct Big1;

impl Replace for Big1 {
    const NAME: &'static str = "Big1";
    const WAYS: usize = 1;

    #[inline]
    fn place(&self, residents: &[Resident], new: &Entry) -> Placement {
        match residents[0] {
            Some(old) if new.nodes < old.nodes => Placement::Discard,
            _ => Placement::Way(0),
        }
    }
}

/// The bigger subtree stays, a position found in the table counting as all the nodes once searched for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct BigAll;

impl Replace for BigAll {
    const NAME: &'static str = "BigAll";
    const WAYS: usize = 1;
    const COUNTS_ALL: bool = true;

    #[inline]
    fn place(&self, residents: &[Resident], new: &Entry) -> Placement {
        Big1.place(residents, new)
    }
}

/// Two levels: an entry that is as deep or deeper takes the first and moves its resident to the second; any other entry
/// takes the second.
#[derive(Clone, Copy, Debug, Default)]
pub struct TwoDeep;

impl Replace for TwoDeep {
    const NAME: &'static str = "TwoDeep";
    const WAYS: usize = 2;

    #[inline]
    fn place(&self, residents: &[Resident], new: &Entry) -> Placement {
        two_level(residents, |old| new.depth >= old.depth)
    }
}

/// Two levels, as [`TwoDeep`], by the number of nodes in the subtree.
#[derive(Clone, Copy, Debug, Default)]
pub struct TwoBig1;

impl Replace for TwoBig1 {
    const NAME: &'static str = "TwoBig1";
    const WAYS: usize = 2;

    #[inline]
    fn place(&self, residents: &[Resident], new: &Entry) -> Placement {
        two_level(residents, |old| new.nodes >= old.nodes)
    }
}

#[inline]
fn two_level(residents: &[Resident], outranks: impl Fn(&Entry) -> bool) -> Placement {
    match &residents[0] {
        None => Placement::Way(0),
        Some(old) if outranks(old) => Placement::Promote,
        Some(_) => Placement::Way(1),
    }
}

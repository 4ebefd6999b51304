//! The elementary schemes: always replace, depth-preferred, and both side by side.

use super::{Placement, Replace, Resident};
use crate::Entry;

/// One slot; the new entry always replaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Always;

impl Replace for Always {
    const NAME: &'static str = "Always";
    const WAYS: usize = 1;

    #[inline]
    fn place(&self, _residents: &[Resident], _new: &Entry) -> Placement {
        Placement::Way(0)
    }
}

/// One slot, depth-preferred: the new entry replaces if it was searched as deep or deeper.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deeper;

impl Replace for Deeper {
    const NAME: &'static str = "Deeper";
    const WAYS: usize = 1;

    #[inline]
    fn place(&self, residents: &[Resident], new: &Entry) -> Placement {
        match residents[0] {
            Some(old) if new.depth < old.depth => Placement::Discard,
            _ => Placement::Way(0),
        }
    }
}

/// Two slots: the first is depth-preferred, the second takes every entry that the first refuses.
#[derive(Clone, Copy, Debug, Default)]
pub struct TwoTier;

impl Replace for TwoTier {
    const NAME: &'static str = "TwoTier";
    const WAYS: usize = 2;

    #[inline]
    fn place(&self, residents: &[Resident], new: &Entry) -> Placement {
        match residents[0] {
            Some(old) if new.depth < old.depth => Placement::Way(1),
            _ => Placement::Way(0),
        }
    }
}

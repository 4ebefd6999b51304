//! Which entry goes when a bucket is full: a small trait, and one small type for each scheme of the literature.
//!
//! A scheme sees the bucket's residents and the newcomer, and says where the newcomer goes. The table takes care of
//! the rest: a position that is stored again is updated in its own slot without asking the scheme, and recalled or
//! advised entries are kept against ordinary stores while their generation lives.
//!
//! | Scheme | Ways | On collision keeps |
//! |---|---|---|
//! | [`Always`] ([`New`]) | 1 | the newcomer |
//! | [`Old`] | 1 | the resident |
//! | [`Deeper`] ([`Deep`]) | 1 | the deeper, the newcomer if equal |
//! | [`Big1`], [`BigAll`] | 1 | the one with more nodes below it, the newcomer if equal |
//! | [`TwoTier`] | 2 | the deepest in one slot, the newest in the other |
//! | [`TwoDeep`] | 2 | as `TwoTier`, and the entry it displaces from the first slot moves to the second |
//! | [`TwoBig1`] | 2 | as `TwoDeep`, by nodes instead of depth |
//! | [`Worth`] | 4 | all but the least of depth and extreme score |
//! | [`Aged`] | 4 | all but the least of depth minus age |

mod breuker;
mod cluster;
mod single;

pub use breuker::{Big1, BigAll, Deep, New, Old, TwoBig1, TwoDeep};
pub use cluster::{Aged, Worth};
pub use single::{Always, Deeper, TwoTier};

use crate::{Entry, Origin};

/// Where a newcomer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Nowhere: the residents stay.
    Discard,
    /// Into this way of the bucket, whose resident goes.
    Way(usize),
    /// Into the first way, whose resident moves to the second, whose resident goes.
    Promote,
}

/// A resident as a scheme sees it: `None` is a vacant slot. Another position's entry is shown unverified, so a torn
/// one may show nonsense: good enough to choose by, never to score by.
pub type Resident = Option<Entry>;

/// A replacement scheme.
///
/// ```
/// use mnemon_table::replace::{Placement, Replace, Resident};
/// use mnemon_table::{Entry, Table, Wide, Window};
///
/// /// Keeps an exact value against a bound.
/// #[derive(Clone, Copy, Default)]
/// struct ExactFirst;
///
/// impl Replace for ExactFirst {
///     const NAME: &'static str = "ExactFirst";
///     const WAYS: usize = 1;
///
///     fn place(&self, residents: &[Resident], new: &Entry) -> Placement {
///         match residents[0] {
///             Some(old) if old.window.is_exact() && !new.window.is_exact() => Placement::Discard,
///             _ => Placement::Way(0),
///         }
///     }
/// }
///
/// let table: Table<Wide, ExactFirst> = Table::new(1 << 20)?;
/// # Ok::<(), mnemon_table::TableError>(())
/// ```
pub trait Replace: Copy + Default + Send + Sync + 'static {
    /// The scheme's name, for tables and plots.
    const NAME: &'static str;

    /// How many neighbouring slots one position may stand in: a power of two, at most a cache line's worth (a
    /// layout with fewer slots to a line lowers it).
    const WAYS: usize;

    /// Whether a search should count a table cutoff as all the nodes that were once searched for it (as
    /// [`BigAll`] does) rather than as the single node it costs now.
    const COUNTS_ALL: bool = false;

    /// Where the newcomer goes. `residents` are the bucket's ways, none of them of the newcomer's position.
    fn place(&self, residents: &[Resident], new: &Entry) -> Placement;
}

/// The way whose resident counts least, a vacant one least of all.
#[inline]
fn least_by_key(residents: &[Resident], key: impl Fn(&Entry) -> i32) -> usize {
    let mut least = 0;
    let mut least_key = i32::MAX;
    for (way, resident) in residents.iter().enumerate() {
        let key = resident.as_ref().map_or(i32::MIN, &key);
        if key < least_key {
            (least, least_key) = (way, key);
        }
    }
    least
}

/// The scheme's choice, bent so that protected residents stay: an ordinary newcomer takes the shallowest unprotected
/// way instead, or none; a recalled or advised newcomer is not turned away while there is an unprotected way.
#[inline]
pub(crate) fn guarded(place: Placement, ways: usize, resident: impl Fn(usize) -> Resident, new: &Entry) -> Placement {
    let is_kept = |way| resident(way).is_some_and(|resident| resident.is_protected());
    let special = new.origin != Origin::Search;
    match place {
        Placement::Way(way) if special || !is_kept(way) => place,
        Placement::Promote if special || !is_kept(1) => place,
        Placement::Discard if !special => place,
        _ => shallowest_unprotected(ways, resident),
    }
}

/// Seldom needed: most residents are ordinary.
#[cold]
fn shallowest_unprotected(ways: usize, resident: impl Fn(usize) -> Resident) -> Placement {
    let unprotected = (0..ways)
        .map(|way| (way, resident(way)))
        .filter(|(_, resident)| !resident.is_some_and(|resident| resident.is_protected()));
    let shallowest = unprotected.min_by_key(|(_, resident)| resident.map_or(-1, |resident| i32::from(resident.depth)));
    shallowest.map_or(Placement::Discard, |(way, _)| Placement::Way(way))
}

/// Something to do once for each scheme, since a scheme is a type: see [`each_scheme`].
pub trait SchemeVisitor {
    /// Called with one scheme after another.
    fn visit<R: Replace>(&mut self, scheme: R);
}

/// Shows every scheme of this crate to the visitor, once each.
pub fn each_scheme(visitor: &mut impl SchemeVisitor) {
    visitor.visit(New::default());
    visitor.visit(Old);
    visitor.visit(Deep::default());
    visitor.visit(Big1);
    visitor.visit(BigAll);
    visitor.visit(TwoTier);
    visitor.visit(TwoDeep);
    visitor.visit(TwoBig1);
    visitor.visit(Worth);
    visitor.visit(Aged);
}

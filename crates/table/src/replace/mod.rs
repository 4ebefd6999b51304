//! Replacement schemes: which entry a full bucket gives up. One small type for each scheme of the literature.
//!
//! A scheme sees the residents of a bucket and the new entry, and chooses the slot of the new entry
//! ([`place`](Replace::place)). Where the position has an entry already, the scheme says what is kept of both
//! ([`renew`](Replace::renew)): what is [worth more](worthier), or in [`Latest`] the newer. The table does the rest:
//! recalled or advised entries are protected from the search's stores until the next generation.
//!
//! | Scheme | Ways | On collision keeps |
//! |---|---|---|
//! | [`Always`] ([`New`]) | 1 | the new entry |
//! | [`Old`] | 1 | the resident |
//! | [`Deeper`] ([`Deep`]) | 1 | the deeper, the new entry if equal |
//! | [`Big1`], [`BigAll`] | 1 | the entry with more nodes below it, the new entry if equal |
//! | [`TwoTier`] | 2 | the deepest in one slot, the newest in the other |
//! | [`TwoDeep`] | 2 | as `TwoTier`, and the entry displaced from the first slot moves to the second |
//! | [`TwoBig1`] | 2 | as `TwoDeep`, by nodes instead of depth |
//! | [`Worth`] | 4 | all but the least of depth and decisive score minus age |
//! | [`Aged`] | 4 | all but the least of depth minus age |
//!
//! A type for each scheme lets the compiler fold it into the table. [`AnyScheme`] is one of them that a user chose.

mod any;
mod breuker;
mod cluster;
mod renew;
mod single;

pub use any::AnyScheme;
pub use breuker::{Big1, BigAll, Deep, New, Old, TwoBig1, TwoDeep};
pub use cluster::{Aged, Worth};
pub use renew::{Latest, MUCH_DEEPER, latest, outranks, worthier};
pub use single::{Always, Deeper, TwoTier};

use crate::{Entry, Origin};

/// Where a new entry is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Not at all: the residents stay.
    Discard,
    /// In this way of the bucket, whose resident is lost.
    Way(usize),
    /// In the first way, whose resident moves to the second way, whose resident is lost.
    Promote,
}

/// A resident as a scheme sees it; `None` is a vacant slot. The entry is not verified, since its key is not known: a torn
/// one may have any content, which can lose a good entry, and makes no probe wrong.
pub type Resident = Option<Entry>;

/// A replacement scheme.
///
/// ```
/// use mnemon_table::replace::{Placement, Replace, Resident};
/// use mnemon_table::{Entry, Table, Wide, Window};
///
/// /// An exact value is not replaced by a bound.
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
    /// The scheme's name, for reports and plots.
    const NAME: &'static str;

    /// The ways of a bucket: how many adjacent slots a position may be stored in. A power of two; a layout with fewer
    /// slots in a cache line lowers it.
    const WAYS: usize;

    /// Whether a search should count a table cutoff as all the nodes that were searched for the entry (as [`BigAll`]
    /// does) instead of as one node.
    const COUNTS_ALL: bool = false;

    /// Where to store `new`. `residents` are the ways of its bucket, none of which holds the position of `new`.
    fn place(&self, residents: &[Resident], new: &Entry) -> Placement;

    /// What to keep where the position of `resident` is stored again as `new`; see [`worthier`] and [`latest`].
    #[inline(always)]
    fn renew(&self, resident: &Entry, new: &Entry) -> Entry {
        worthier(resident, new)
    }

    /// Runs an operation of the table with the scheme that is in use: this one, unless the scheme is
    /// [chosen at run time](AnyScheme).
    #[inline(always)]
    fn run<O: SchemeOperation>(&self, operation: O) -> O::Output {
        operation.run_with(*self)
    }
}

/// An operation of a table, compiled for each scheme, so that the ways of a bucket and the fields that a scheme reads are
/// constants in it.
pub trait SchemeOperation {
    /// The result.
    type Output;

    /// Runs the operation with this scheme.
    fn run_with<R: Replace>(self, scheme: R) -> Self::Output;
}

/// The first way whose resident has the smallest key; a vacant way comes before all others.
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

/// The scheme's `choice`, changed so that the search does not replace protected residents: its entry takes the
/// shallowest unprotected way instead, and is discarded if there is none. A recalled or advised entry that the scheme
/// discards takes that way too.
#[inline]
pub(crate) fn protect_residents(
    choice: Placement,
    ways: usize,
    resident: impl Fn(usize) -> Resident,
    new: &Entry,
) -> Placement {
    let is_protected = |way| resident(way).is_some_and(|resident| resident.is_protected());
    let is_searched = new.origin == Origin::Search;
    match choice {
        Placement::Way(way) if !is_searched || !is_protected(way) => choice,
        Placement::Promote if !is_searched || !is_protected(1) => choice,
        Placement::Discard if is_searched => choice,
        _ => shallowest_unprotected(ways, resident),
    }
}

/// The unprotected way with the shallowest resident; [`Placement::Discard`] if all are protected. Rare, since most
/// residents come from the search.
#[cold]
fn shallowest_unprotected(ways: usize, resident: impl Fn(usize) -> Resident) -> Placement {
    let unprotected = (0..ways)
        .map(|way| (way, resident(way)))
        .filter(|(_, resident)| !resident.is_some_and(|resident| resident.is_protected()));
    let shallowest = unprotected.min_by_key(|(_, resident)| resident.map_or(-1, |resident| i32::from(resident.depth)));
    shallowest.map_or(Placement::Discard, |(way, _)| Placement::Way(way))
}

/// What [`each_scheme`] calls. A trait instead of a closure, since every scheme is a type of its own.
pub trait SchemeVisitor {
    /// Called once for each scheme.
    fn visit<R: Replace>(&mut self, scheme: R);
}

/// Calls the visitor with every scheme of this crate, once each.
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

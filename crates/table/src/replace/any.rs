//! A scheme that is chosen at run time.

use super::{Aged, Always, Deeper, Placement, Replace, Resident, SchemeOperation, TwoTier, Worth};
use crate::Entry;

/// One of the schemes that users choose from, by name.
///
/// ```
/// use mnemon_table::{Table, Wide};
/// use mnemon_table::replace::AnyScheme;
///
/// let scheme = AnyScheme::named("two-tier").expect("one of the names");
/// let table: Table<Wide, AnyScheme> = Table::with_scheme(1 << 20, scheme)?;
/// assert_eq!(table.ways(), 2);
/// # Ok::<(), mnemon_table::TableError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AnyScheme {
    /// [`Aged`]
    #[default]
    Aged,
    /// [`Always`]
    Always,
    /// [`Deeper`]
    Depth,
    /// [`TwoTier`]
    TwoTier,
    /// [`Worth`]
    Worth,
}

impl AnyScheme {
    /// Every scheme, the default first.
    pub const ALL: [AnyScheme; 5] = [Self::Aged, Self::Always, Self::Depth, Self::TwoTier, Self::Worth];

    /// The names, in the order of [`ALL`](Self::ALL).
    pub const NAMES: [&'static str; 5] = ["aged", "always", "depth", "two-tier", "worth"];

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

impl Replace for AnyScheme {
    const NAME: &'static str = "AnyScheme";
    /// The most that any of them has.
    const WAYS: usize = 4;

    fn place(&self, residents: &[Resident], new: &Entry) -> Placement {
        match self {
            Self::Aged => Aged.place(residents, new),
            Self::Always => Always.place(residents, new),
            Self::Depth => Deeper.place(residents, new),
            Self::TwoTier => TwoTier.place(residents, new),
            Self::Worth => Worth.place(residents, new),
        }
    }

    // The default is as fast as where it is the table's type: the code of the others is not inlined.
    #[inline(always)]
    fn run<O: SchemeOperation>(&self, operation: O) -> O::Output {
        if *self == Self::Aged { operation.run_with(Aged) } else { run_with_other(*self, operation) }
    }
}

#[cold]
#[inline(never)]
fn run_with_other<O: SchemeOperation>(scheme: AnyScheme, operation: O) -> O::Output {
    match scheme {
        AnyScheme::Aged => operation.run_with(Aged),
        AnyScheme::Always => operation.run_with(Always),
        AnyScheme::Depth => operation.run_with(Deeper),
        AnyScheme::TwoTier => operation.run_with(TwoTier),
        AnyScheme::Worth => operation.run_with(Worth),
    }
}

//! The operations that depend on the replacement scheme, compiled for each.

use std::marker::PhantomData;

use super::Table;
use crate::Entry;
use crate::replace::{Placement, Replace, Resident, SchemeOperation, protect_residents};
use crate::slot::{LINE_WORDS, Layout, Words};

/// [`Table::ways`]: a scheme's, or the slots of a line in this layout if they are fewer.
pub(super) struct Ways<L>(pub(super) PhantomData<fn() -> L>);

impl<L: Layout> Ways<L> {
    const fn of<R: Replace>() -> usize {
        const { assert!(R::WAYS.is_power_of_two(), "buckets fill a line evenly") };
        let slots = LINE_WORDS / <L::Words as Words>::COUNT;
        if R::WAYS < slots { R::WAYS } else { slots }
    }
}

impl<L: Layout> SchemeOperation for Ways<L> {
    type Output = usize;

    #[inline(always)]
    fn run_with<R: Replace>(self, _scheme: R) -> usize {
        Self::of::<R>()
    }
}

/// The words of a position's slot; `None` if it has none.
pub(super) struct Find<'t, L: Layout, S: Replace> {
    pub(super) table: &'t Table<L, S>,
    pub(super) key: u64,
}

impl<L: Layout, S: Replace> SchemeOperation for Find<'_, L, S> {
    type Output = Option<L::Words>;

    #[inline(always)]
    fn run_with<R: Replace>(self, _scheme: R) -> Option<L::Words> {
        let ways = Ways::<L>::of::<R>();
        Some(self.table.bucket(self.key, ways).find(self.key, ways)?.1)
    }
}

/// [`Table::store`]
pub(super) struct Store<'t, L: Layout, S: Replace> {
    pub(super) table: &'t Table<L, S>,
    pub(super) key: u64,
    pub(super) entry: Entry,
}

impl<L: Layout, S: Replace> SchemeOperation for Store<'_, L, S> {
    type Output = ();

    #[inline(always)]
    fn run_with<R: Replace>(self, scheme: R) {
        let Store { table, key, entry } = self;
        let ways = Ways::<L>::of::<R>();
        let generation = table.generation();
        let Some(words) = L::encode(key, &entry, generation) else { return };
        // The scheme compares what the layout keeps of both entries, so the new one is decoded again. A layout without
        // a taint bit drops the window of a tainted entry, which must not replace the window of a clean resident.
        let new = Entry { tainted: entry.tainted, ..L::decode(words, generation) };
        let bucket = table.bucket(key, ways);
        if let Some((way, words)) = bucket.find(key, ways) {
            let renewed = scheme.renew(&L::decode(words, generation), &new);
            // Of two bounds a layout with room for one keeps the new one.
            let drops = !L::KEEPS_BOTH_BOUNDS && renewed.window.is_two_sided();
            let window = if drops { new.window } else { renewed.window };
            if let Some(words) = L::encode(key, &Entry { window, ..renewed }, generation) {
                bucket.store(way, words);
            }
            return;
        }
        let resident = |way| {
            let words = bucket.load(way);
            (!L::is_vacant(words)).then(|| L::decode(words, generation))
        };
        // Only the scheme reads the array, so that the compiler drops the decoding of fields it does not use. A closure
        // for `array::from_fn` would not be inlined everywhere.
        let mut residents: [Resident; LINE_WORDS] = [None; LINE_WORDS];
        for (way, place) in residents[..ways].iter_mut().enumerate() {
            *place = resident(way);
        }
        let choice = scheme.place(&residents[..ways], &new);
        match protect_residents(choice, ways, resident, &new) {
            Placement::Discard => {}
            Placement::Way(way) => bucket.store(way, words),
            Placement::Promote => {
                bucket.store(1, bucket.load(0));
                bucket.store(0, words);
            }
        }
    }
}

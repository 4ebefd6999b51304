//! This crate's tables, half full.

use mnemon_table::replace::Aged;
use mnemon_table::{Compact, Dense, Full, Layout, Table, Wide};

use super::{Contender, entry, used};

pub(crate) type WideTable = Table<Wide, Aged>;
pub(crate) type FullTable = Table<Full, Aged>;
pub(crate) type DenseTable = Table<Dense, Aged>;
pub(crate) type CompactTable = Table<Compact<31, 5, 6, 6>, Aged>;

/// The names of the layouts in the report.
trait Named: Layout {
    #[allow(dead_code, reason = "only the table of ratios prints it")]
    const NAME: &'static str;
}

impl Named for Wide {
    const NAME: &'static str = "mnemon-table, wide";
}

impl Named for Full {
    const NAME: &'static str = "mnemon-table, full";
}

impl Named for Dense {
    const NAME: &'static str = "mnemon-table, dense";
}

impl Named for Compact<31, 5, 6, 6> {
    const NAME: &'static str = "mnemon-table, compact";
}

impl<L: Named> Contender for Table<L, Aged> {
    const NAME: &'static str = <L as Named>::NAME;

    fn with_bytes(bytes: usize) -> Self {
        Table::new(bytes).expect("memory for the benchmark")
    }

    fn held(&self) -> u64 {
        self.capacity() as u64 / 2
    }

    #[inline]
    fn probe(&self, key: u64) -> u64 {
        Table::probe(self, key).map_or(0, used)
    }

    #[inline]
    fn store(&self, key: u64) {
        Table::store(self, key, entry(key));
    }

    #[inline]
    fn prefetch(&self, key: u64) {
        Table::prefetch(self, key);
    }
}

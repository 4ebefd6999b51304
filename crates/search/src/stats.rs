//! What a search did, in numbers.

use std::ops::AddAssign;

/// Counts of one search, of all its threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Positions visited, leaves included.
    pub nodes: u64,
    /// Times the table was asked.
    pub probes: u64,
    /// Times it knew the position.
    pub hits: u64,
    /// Hits that ended the node because the value was known.
    pub exact_cutoffs: u64,
    /// Hits that ended the node because the value was known to be high enough.
    pub lower_cutoffs: u64,
    /// Hits that ended the node because the value was known to be low enough.
    pub upper_cutoffs: u64,
    /// Entries given to the table.
    pub stores: u64,
    /// Times the place of a position was full of other positions, which the table told apart.
    pub collisions_avoided: u64,
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.probes += other.probes;
        self.hits += other.hits;
        self.exact_cutoffs += other.exact_cutoffs;
        self.lower_cutoffs += other.lower_cutoffs;
        self.upper_cutoffs += other.upper_cutoffs;
        self.stores += other.stores;
        self.collisions_avoided += other.collisions_avoided;
    }
}

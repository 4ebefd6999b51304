//! Counts of a search.

use std::ops::AddAssign;

/// Counts of one search, all threads together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Nodes, leaves included.
    pub nodes: u64,
    /// Probes of the table.
    pub probes: u64,
    /// Probes that found an entry.
    pub hits: u64,
    /// Hits whose exact value ended the node.
    pub exact_cutoffs: u64,
    /// Hits whose lower bound made the node fail high.
    pub lower_cutoffs: u64,
    /// Hits whose upper bound made the node fail low.
    pub upper_cutoffs: u64,
    /// Entries stored in the table.
    pub stores: u64,
    /// Probes whose cluster was full of other positions, which verification told apart.
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

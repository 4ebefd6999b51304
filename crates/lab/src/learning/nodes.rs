//! How many nodes a player searches for a move: always the same, or varied from move to move.

use mnemon_search::random::{Random, mix};

/// A number of nodes, and by how many per cent it varies, up or down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nodes {
    pub(super) number: u64,
    pub(super) variation: u32,
}

impl Nodes {
    /// Always the same number.
    pub(super) fn always(number: u64) -> Self {
        Nodes { number, variation: 0 }
    }

    /// The nodes at a ply of the game with this seed.
    pub(super) fn at(self, seed: u64, ply: usize) -> u64 {
        let span = self.number * u64::from(self.variation) / 100;
        let more = Random::new(seed ^ mix(ply as u64)).below(2 * span as usize + 1) as u64;
        (self.number - span + more).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_vary_within_their_limits_and_repeat() {
        let varied = Nodes { number: 2_000, variation: 5 };
        let nodes: Vec<u64> = (0..1000).map(|ply| varied.at(7, ply)).collect();
        assert!(nodes.iter().all(|nodes| (1_900..=2_100).contains(nodes)));
        assert!(nodes.contains(&1_900) && nodes.contains(&2_100));
        assert_eq!(nodes, (0..1000).map(|ply| varied.at(7, ply)).collect::<Vec<_>>());
        assert_eq!(Nodes::always(2_000).at(7, 3), 2_000);
    }
}

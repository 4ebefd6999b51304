//! The course of an experiment: the same openings in every round, with both colours, against the same opponent; then
//! against one that was not met.

use std::sync::Arc;

use mnemon_chess::Color;
use mnemon_memory::policy::Policy;
use mnemon_memory::{RamStore, Store};
use mnemon_search::random::{Random, mix};

use super::frozen::Frozen;
use super::game::{Game, Points};
use super::player::Player;
use crate::Result;
use crate::report::Progress;

/// What all learners go through.
pub(super) struct Course {
    /// The openings' moves, as UCI writes them.
    pub(super) openings: Vec<Vec<String>>,
    pub(super) rounds: u32,
    /// Rounds against the opponent that was not met.
    pub(super) stranger_rounds: u32,
    pub(super) nodes: u64,
    pub(super) opponent_nodes: u64,
    pub(super) stranger_nodes: u64,
    /// By how many per cent the opponent's nodes vary from move to move, up or down.
    pub(super) variation: u32,
    pub(super) seed: u64,
}

/// What a learner reached. Each round has two games for each opening, with White and with Black.
pub(super) struct Learner {
    pub(super) name: &'static str,
    pub(super) rounds: Vec<Vec<Points>>,
    pub(super) stranger: Vec<Vec<Points>>,
    /// Records in its memory after the rounds.
    pub(super) records: u64,
}

impl Course {
    /// Games that one learner plays.
    pub(super) fn games(&self) -> u64 {
        u64::from(self.rounds + self.stranger_rounds) * self.openings.len() as u64 * 2
    }

    /// Takes a learner with this policy through all of it.
    pub(super) fn run(&self, policy: Policy, progress: &Progress<'_>) -> Result<Learner> {
        let store: Arc<dyn Store> = Arc::new(RamStore::new());
        let remembering = |store: Arc<dyn Store>| (policy != Policy::Off).then_some((store, policy));
        let mut learner = Player::new(remembering(Arc::clone(&store)))?;
        let mut opponent = Player::new(None)?;
        let mut play = |learner: &mut Player, nodes, round| self.round(learner, &mut opponent, nodes, round, progress);
        let rounds = (0..self.rounds).map(|round| play(&mut learner, self.opponent_nodes, round));
        let rounds = rounds.collect::<Result<_>>()?;
        drop(learner);
        let records = store.statistics()?.records();
        let mut learner = Player::new(remembering(Arc::new(Frozen(store))))?;
        // Other rounds than before, so that the stranger's nodes vary in their own way.
        let met = self.rounds..self.rounds + self.stranger_rounds;
        let stranger = met.map(|round| play(&mut learner, self.stranger_nodes, round)).collect::<Result<_>>()?;
        Ok(Learner { name: policy.name(), rounds, stranger, records })
    }

    /// Every opening with both colours.
    fn round(
        &self,
        learner: &mut Player,
        opponent: &mut Player,
        opponent_nodes: u64,
        round: u32,
        progress: &Progress<'_>,
    ) -> Result<Vec<Points>> {
        let mut points = Vec::new();
        for (number, opening) in self.openings.iter().enumerate() {
            for side in [Color::White, Color::Black] {
                let seed = self.game_seed(round, number, side);
                let game = Game {
                    opening,
                    learner: side,
                    learner_nodes: self.nodes,
                    opponent_nodes: &|ply| varied(opponent_nodes, self.variation, seed, ply),
                };
                points.push(game.play(learner, opponent)?);
                progress.advance(1);
            }
        }
        Ok(points)
    }

    /// The same for all learners: they meet the same opponent in the same mood.
    fn game_seed(&self, round: u32, opening: usize, side: Color) -> u64 {
        [u64::from(round), opening as u64, side as u64]
            .into_iter()
            .fold(self.seed, |seed, part| mix(seed ^ mix(part + 1)))
    }
}

/// The nodes, more or less.
fn varied(nodes: u64, percent: u32, seed: u64, ply: usize) -> u64 {
    let span = nodes * u64::from(percent) / 100;
    let more = Random::new(seed ^ mix(ply as u64)).below(2 * span as usize + 1) as u64;
    (nodes - span + more).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_vary_within_their_limits_and_repeat() {
        let nodes: Vec<u64> = (0..1000).map(|ply| varied(2_000, 5, 7, ply)).collect();
        assert!(nodes.iter().all(|nodes| (1_900..=2_100).contains(nodes)));
        assert!(nodes.contains(&1_900) && nodes.contains(&2_100));
        assert_eq!(nodes, (0..1000).map(|ply| varied(2_000, 5, 7, ply)).collect::<Vec<_>>());
        assert_eq!(varied(2_000, 0, 7, 3), 2_000);
    }
}

//! The games of the experiment: rounds of the same openings, with both colours, against the same opponent; then rounds
//! against a stranger, an opponent that nothing was learned from.

use std::sync::Arc;

use mnemon_chess::{Color, Move};
use mnemon_memory::policy::Policy;
use mnemon_memory::{RamStore, Store};
use mnemon_search::random::{Random, mix};

use super::engine::EnginePlayer;
use super::players::LearnerGame;
use super::read_only_store::ReadOnlyStore;
use crate::Result;
use crate::console::ProgressBar;
use crate::play::SideResult;

/// What every learner plays.
pub(super) struct Schedule {
    /// The openings' moves.
    pub(super) openings: Vec<Vec<Move>>,
    pub(super) rounds: u32,
    /// Rounds against the stranger.
    pub(super) stranger_rounds: u32,
    pub(super) nodes: u64,
    pub(super) opponent_nodes: u64,
    pub(super) stranger_nodes: u64,
    /// The per cent by which the opponents' nodes vary from move to move, up or down.
    pub(super) variation: u32,
    pub(super) seed: u64,
}

/// A learner's results. Each round has two games for each opening, with White and with Black.
pub(super) struct Learner {
    pub(super) name: &'static str,
    pub(super) rounds: Vec<Vec<SideResult>>,
    pub(super) stranger: Vec<Vec<SideResult>>,
    /// Records in its memory after the rounds.
    pub(super) records: u64,
}

impl Schedule {
    /// The number of games that one learner plays.
    pub(super) fn games(&self) -> u64 {
        u64::from(self.rounds + self.stranger_rounds) * self.openings.len() as u64 * 2
    }

    /// Plays all games with a learner of this policy.
    pub(super) fn run(&self, policy: Policy, progress: &ProgressBar<'_>) -> Result<Learner> {
        let store: Arc<dyn Store> = Arc::new(RamStore::new());
        let memory = |store: Arc<dyn Store>| (policy != Policy::Off).then_some((store, policy));
        let mut learner = EnginePlayer::new(memory(Arc::clone(&store)))?;
        let mut opponent = EnginePlayer::new(None)?;
        let mut play =
            |learner: &mut EnginePlayer, nodes, round| self.round(learner, &mut opponent, nodes, round, progress);
        let rounds = (0..self.rounds).map(|round| play(&mut learner, self.opponent_nodes, round));
        let rounds = rounds.collect::<Result<_>>()?;
        drop(learner);
        let records = store.statistics()?.records();
        let mut learner = EnginePlayer::new(memory(Arc::new(ReadOnlyStore(store))))?;
        // The rounds are numbered on, so that the stranger's nodes vary in another way.
        let rounds_after = self.rounds..self.rounds + self.stranger_rounds;
        let stranger =
            rounds_after.map(|round| play(&mut learner, self.stranger_nodes, round)).collect::<Result<_>>()?;
        Ok(Learner { name: policy.name(), rounds, stranger, records })
    }

    /// Every opening with both colours.
    fn round(
        &self,
        learner: &mut EnginePlayer,
        opponent: &mut EnginePlayer,
        opponent_nodes: u64,
        round: u32,
        progress: &ProgressBar<'_>,
    ) -> Result<Vec<SideResult>> {
        let mut results = Vec::new();
        for (number, opening) in self.openings.iter().enumerate() {
            for side in [Color::White, Color::Black] {
                let seed = self.game_seed(round, number, side);
                let game = LearnerGame {
                    learner: &mut *learner,
                    opponent: &mut *opponent,
                    side,
                    learner_nodes: self.nodes,
                    opponent_nodes: &|ply| varied(opponent_nodes, self.variation, seed, ply),
                };
                results.push(game.play(opening)?);
                progress.advance(1);
            }
        }
        Ok(results)
    }

    /// The same for all learners, so that their opponents search the same nodes.
    fn game_seed(&self, round: u32, opening: usize, side: Color) -> u64 {
        [u64::from(round), opening as u64, side as u64]
            .into_iter()
            .fold(self.seed, |seed, part| mix(seed ^ mix(part + 1)))
    }
}

/// The nodes, with up to `percent` per cent more or less.
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

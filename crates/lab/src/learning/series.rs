//! A series of games: a learner against one opponent, round after round from the same openings, with both colours.

use mnemon_chess::{Color, Move};
use mnemon_search::random::mix;
use mnemon_uci::child::EngineCommand;

use super::engine::{EnginePlayer, TableSetup};
use super::learner::Learner;
use super::nodes::Nodes;
use super::players::{LearnerGame, Player, UciPlayer};
use crate::Result;
use crate::console::ProgressBar;
use crate::play::SideResult;

/// Who the learner plays against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opponent {
    /// The engine without a memory, always with the same nodes: it repeats itself.
    Same,
    /// The engine without a memory, with nodes that vary from move to move.
    Varying,
    /// The engine with another number of nodes. Nothing is learned from it.
    Stranger,
    /// Another engine. Nothing is learned from it.
    Foreign,
}

impl Opponent {
    pub(super) const ALL: [Opponent; 4] = [Opponent::Same, Opponent::Varying, Opponent::Stranger, Opponent::Foreign];

    /// The name in tables and files.
    pub(super) fn name(self) -> &'static str {
        match self {
            Opponent::Same => "same",
            Opponent::Varying => "varying",
            Opponent::Stranger => "stranger",
            Opponent::Foreign => "foreign",
        }
    }
}

/// What every learner plays.
pub(super) struct Schedule {
    /// The openings' moves.
    pub(super) openings: Vec<Vec<Move>>,
    pub(super) rounds: u32,
    /// Rounds against each stranger.
    pub(super) stranger_rounds: u32,
    /// The learner's nodes, the opponent's and the stranger's.
    pub(super) nodes: u64,
    pub(super) opponent_nodes: u64,
    pub(super) stranger_nodes: u64,
    /// The per cent by which nodes vary from move to move, up or down.
    pub(super) variation: u32,
    /// The table of the engine, on either side.
    pub(super) table: TableSetup,
    /// Another engine and its nodes, if there is one.
    pub(super) foreign: Option<(EngineCommand, u64)>,
}

/// A learner's results: rounds of games, two for each opening, with White and with Black.
pub(super) type Rounds = Vec<Vec<SideResult>>;

/// What the games of one learner against one opponent gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeriesResult {
    pub(super) learner: String,
    pub(super) opponent: Opponent,
    pub(super) seed: u64,
    pub(super) rounds: Rounds,
    /// Records in the learner's memory at the end.
    pub(super) records: u64,
}

/// Series that share a learner's memory: first against an opponent from whom it learns, then against strangers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Career {
    pub(super) learner: Learner,
    /// [`Opponent::Same`] or [`Opponent::Varying`].
    pub(super) opponent: Opponent,
    pub(super) seed: u64,
}

impl Schedule {
    /// The games of a round.
    pub(super) fn round_games(&self) -> u64 {
        2 * self.openings.len() as u64
    }

    /// The number of games of a career.
    pub(super) fn games(&self, career: &Career) -> u64 {
        let strangers = self.strangers(career).count() as u64 * u64::from(self.stranger_rounds);
        (u64::from(self.rounds) + strangers) * self.round_games()
    }

    /// The opponents of a career, in turn.
    pub(super) fn opponents(&self, career: &Career) -> impl Iterator<Item = Opponent> {
        std::iter::once(career.opponent).chain(self.strangers(career).filter(|_| self.stranger_rounds > 0))
    }

    /// The strangers at the end of a career.
    fn strangers(&self, career: &Career) -> impl Iterator<Item = Opponent> {
        let (is_met, has_foreign) = (career.opponent == Opponent::Varying, self.foreign.is_some());
        let strangers = [(Opponent::Stranger, is_met), (Opponent::Foreign, is_met && has_foreign)];
        strangers.into_iter().filter(|(_, is_met)| *is_met).map(|(opponent, _)| opponent)
    }

    /// Plays all games of a career.
    pub(super) fn run(&self, career: &Career, progress: &ProgressBar<'_>) -> Result<Vec<SeriesResult>> {
        let Career { learner, opponent, seed } = *career;
        let (mut player, store) = learner.player(self.table, self.nodes)?;
        let rounds = self.series(career, &mut *player, opponent, self.rounds, progress)?;
        drop(player);
        let records = store.statistics()?.records();
        let result =
            |opponent, rounds| SeriesResult { learner: learner.name().to_owned(), opponent, seed, rounds, records };
        let mut results = vec![result(opponent, rounds)];
        for stranger in self.strangers(career) {
            let mut player = learner.finished_player(self.table, std::sync::Arc::clone(&store))?;
            let rounds = self.series(career, &mut *player, stranger, self.stranger_rounds, progress)?;
            results.push(result(stranger, rounds));
        }
        Ok(results)
    }

    fn series(
        &self,
        career: &Career,
        learner: &mut dyn Player,
        opponent: Opponent,
        rounds: u32,
        progress: &ProgressBar<'_>,
    ) -> Result<Rounds> {
        let mut player: Box<dyn Player> = match (&self.foreign, opponent) {
            (Some((command, _)), Opponent::Foreign) => Box::new(UciPlayer::start(command)?),
            _ => Box::new(EnginePlayer::new(self.table, None)?),
        };
        let variation = self.variation;
        let opponent_nodes = match opponent {
            Opponent::Same => Nodes::always(self.opponent_nodes),
            Opponent::Varying => Nodes { number: self.opponent_nodes, variation },
            Opponent::Stranger => Nodes { number: self.stranger_nodes, variation },
            Opponent::Foreign => Nodes { number: self.foreign.as_ref().map_or(1, |(_, nodes)| *nodes), variation },
        };
        let learner_nodes =
            Nodes { number: self.nodes, variation: if career.learner.varies() { variation } else { 0 } };
        let mut play = |round: u32, number: usize, side: Color| {
            let seed = game_seed(career.seed, opponent, round, number, side);
            let game = LearnerGame { learner, opponent: &mut *player, side, learner_nodes, opponent_nodes, seed };
            let result = game.play(&self.openings[number]);
            progress.advance(1);
            result
        };
        let games = |round| {
            let games = (0..self.openings.len()).flat_map(|number| Color::ALL.map(|side| (number, side)));
            games.map(|(number, side)| play(round, number, side)).collect::<Result<Vec<_>>>()
        };
        (0..rounds).map(games).collect()
    }
}

/// The same for all learners, so that their opponents search the same nodes.
fn game_seed(seed: u64, opponent: Opponent, round: u32, opening: usize, side: Color) -> u64 {
    let parts = [opponent as u64, u64::from(round), opening as u64, side as u64];
    parts.into_iter().fold(seed, |seed, part| mix(seed ^ mix(part + 1)))
}

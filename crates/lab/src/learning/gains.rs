//! What the games show: each learner's scores, and how much more they are than without learning.

use super::series::{Opponent, Rounds, SeriesResult};
use crate::play::SideResult;
use crate::statistics::{Interval, student_mean};

/// The scores of one learner against one opponent, over all seeds.
pub(super) struct Scores {
    /// The results of each seed.
    pub(super) seeds: Vec<Rounds>,
    /// Records in the learner's memory at the end, on the average.
    pub(super) records: u64,
}

/// The results of the experiment. The first learner does not learn.
pub(super) struct Outcome<'r> {
    pub(super) learners: Vec<&'r str>,
    scores: Vec<Vec<Scores>>,
}

/// The part of the rounds that a figure is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    All,
    First,
    Last,
}

impl Part {
    /// The rounds of the part: all, the first third or the last.
    fn of(self, rounds: &Rounds) -> &[Vec<SideResult>] {
        let third = rounds.len().div_ceil(3);
        match self {
            Part::All => rounds,
            Part::First => &rounds[..third],
            Part::Last => &rounds[rounds.len() - third..],
        }
    }
}

impl<'r> Outcome<'r> {
    pub(super) fn new(learners: &[&'r str], results: &[SeriesResult]) -> Self {
        let of = |learner: &str, opponent: Opponent| {
            let series: Vec<_> = results
                .iter()
                .filter(|result| result.learner == learner && result.opponent == opponent && !result.rounds.is_empty())
                .collect();
            let records = series.iter().map(|result| result.records).sum::<u64>() / (series.len() as u64).max(1);
            Scores { seeds: series.iter().map(|result| result.rounds.clone()).collect(), records }
        };
        let scores =
            learners.iter().map(|learner| Opponent::ALL.map(|opponent| of(learner, opponent)).into()).collect();
        Outcome { learners: learners.to_vec(), scores }
    }

    pub(super) fn scores(&self, learner: usize, opponent: Opponent) -> &Scores {
        &self.scores[learner][opponent as usize]
    }

    /// Whether anybody has played this opponent.
    pub(super) fn has(&self, opponent: Opponent) -> bool {
        !self.scores(0, opponent).seeds.is_empty()
    }

    /// The number of learners that are no controls.
    fn policies(&self) -> usize {
        (self.learners.len().saturating_sub(super::learner::Learner::CONTROLS.len())).max(1)
    }

    /// The confidence that makes one interval in twenty miss the truth among those of all policies together.
    pub(super) fn joint_confidence(&self) -> f64 {
        1.0 - 0.05 / self.policies() as f64
    }

    /// The points a game in a part of the rounds.
    pub(super) fn score(&self, learner: usize, opponent: Opponent, part: Part) -> Interval {
        student_mean(&by_cluster(self.scores(learner, opponent), part), 0.95)
    }

    /// The points a game in one round.
    pub(super) fn round_score(&self, learner: usize, opponent: Opponent, round: usize) -> Interval {
        let scores = self.scores(learner, opponent);
        let one = Scores { seeds: scores.seeds.iter().map(|rounds| vec![rounds[round].clone()]).collect(), records: 0 };
        student_mean(&by_cluster(&one, Part::All), 0.95)
    }

    /// The points a game that a learner has more than the first one in the same games.
    pub(super) fn gain(&self, learner: usize, opponent: Opponent, part: Part, confidence: f64) -> Interval {
        let clusters = [learner, 0].map(|learner| by_cluster(self.scores(learner, opponent), part));
        let differences: Vec<f64> = clusters[0].iter().zip(&clusters[1]).map(|(learner, off)| learner - off).collect();
        student_mean(&differences, confidence)
    }
}

/// The mean of each opening with each colour, over the rounds and the seeds: these are the independent trials, since a game
/// is similar in every round.
fn by_cluster(scores: &Scores, part: Part) -> Vec<f64> {
    let rounds = || scores.seeds.iter().flat_map(|rounds| part.of(rounds));
    let clusters = rounds().next().map_or(0, Vec::len);
    let mean = |cluster: usize| {
        let (sum, count) =
            rounds().fold((0.0, 0.0), |(sum, count), games| (sum + games[cluster].points(), count + 1.0));
        sum / count
    };
    (0..clusters).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const L: SideResult = SideResult::Loss;
    const D: SideResult = SideResult::Draw;
    const W: SideResult = SideResult::Win;

    fn result(learner: &str, seed: u64, rounds: Rounds) -> SeriesResult {
        SeriesResult { learner: learner.to_owned(), opponent: Opponent::Varying, seed, rounds, records: 4 * seed }
    }

    #[test]
    fn a_gain_is_over_the_same_games_by_opening_and_colour() {
        let off = vec![vec![L, D, W], vec![L, D, W]];
        let learner = vec![vec![L, W, W], vec![W, W, D]];
        let results = [
            result("off", 1, off.clone()),
            result("off", 2, off.clone()),
            result("x", 1, learner),
            result("x", 2, off),
        ];
        let outcome = Outcome::new(&["off", "x"], &results);
        // Game by game, over the rounds and seeds: 0 and 1/4, 1/2 and 3/4, 1 and 7/8.
        let gain = outcome.gain(1, Opponent::Varying, Part::All, 0.95);
        assert!((gain.mean - (0.25 + 0.25 - 0.125) / 3.0).abs() < 1e-12, "{gain:?}");
        assert_eq!(outcome.gain(0, Opponent::Varying, Part::All, 0.95), Interval { mean: 0.0, low: 0.0, high: 0.0 });
        assert_eq!((outcome.scores(1, Opponent::Varying).records, outcome.has(Opponent::Foreign)), (6, false));
        let narrow = outcome.gain(1, Opponent::Varying, Part::All, 0.5);
        assert!(narrow.low > gain.low && narrow.high < gain.high);
    }

    #[test]
    fn thirds_are_as_long_as_each_other() {
        let rounds = vec![vec![L], vec![D], vec![W], vec![W]];
        assert_eq!([Part::First.of(&rounds), Part::Last.of(&rounds)], [&rounds[..2], &rounds[2..]]);
        let one = vec![vec![L]];
        assert_eq!([Part::First.of(&one), Part::Last.of(&one)], [&one[..], &one[..]]);
    }
}

//! The score of a match, and what it says about the difference in strength.

use std::collections::BTreeMap;
use std::fmt;

use crate::play::SideResult;
use crate::statistics::{Cluster, clustered_half_width, elo};

/// The games so far, from the first engine's point of view.
#[derive(Clone, Debug, Default)]
pub(super) struct Score {
    wins: u32,
    draws: u32,
    losses: u32,
    /// Games and points of each opening: the two games of an opening are not independent.
    openings: BTreeMap<usize, Cluster>,
}

impl Score {
    /// Counts a game that began with the opening of this number.
    pub(super) fn add(&mut self, opening: usize, result: SideResult) {
        match result {
            SideResult::Win => self.wins += 1,
            SideResult::Draw => self.draws += 1,
            SideResult::Loss => self.losses += 1,
        }
        let cluster = self.openings.entry(opening).or_default();
        cluster.trials += 1;
        cluster.sum += result.points();
    }

    /// The number of games.
    pub(super) fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points that were won, 0 to 1; one half before the first game.
    pub(super) fn share(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// Half the width of the 95 per cent interval of [`share`](Self::share); `None` where the openings show no spread.
    fn half_width(&self) -> Option<f64> {
        clustered_half_width(self.openings.values().copied())
    }

    /// The difference in Elo and the ends of its 95 per cent interval.
    pub(super) fn elo(&self) -> (f64, Option<[f64; 2]>) {
        let share = self.share();
        let ends = self.half_width().map(|half| [elo(share - half), elo(share + half)]);
        (elo(share), ends)
    }
}

/// Wins, draws, losses, per cent.
impl fmt::Display for Score {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Score { wins, draws, losses, .. } = self;
        write!(formatter, "+{wins} ={draws} -{losses}, {:.1} %", self.share() * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use mnemon_search::random::Random;

    use super::*;

    fn score(games: &[(usize, SideResult)]) -> Score {
        let mut score = Score::default();
        games.iter().for_each(|&(opening, result)| score.add(opening, result));
        score
    }

    #[test]
    fn counts_and_words() {
        use SideResult::{Draw, Loss, Win};
        let score = score(&[(0, Win), (0, Draw), (1, Win), (1, Loss)]);
        assert_eq!((score.games(), score.share()), (4, 0.625));
        assert_eq!(score.to_string(), "+2 =1 -1, 62.5 %");
        assert_eq!(Score::default().share(), 0.5);
    }

    /// The oracle: matches drawn again and again. The interval holds the true strength in about 95 of 100, also where an
    /// opening decides both of its games, which single games as trials would get wrong.
    #[test]
    fn the_interval_holds_the_truth_in_95_of_100() {
        let (mut random, mut held) = (Random::new(7), 0);
        let trials = 2_000;
        for _ in 0..trials {
            let mut score = Score::default();
            for opening in 0..100 {
                // Half of the openings are won by whoever has them twice; the rest is 60 to 40 a game.
                let fate = random.below(4);
                for _ in 0..2 {
                    let wins = if fate < 2 { fate == 0 } else { random.below(10) < 6 };
                    score.add(opening, if wins { SideResult::Win } else { SideResult::Loss });
                }
            }
            let half = score.half_width().expect("many openings");
            held += u32::from((score.share() - 0.55).abs() <= half);
        }
        assert!((93..=97).contains(&(held * 100 / trials)), "{held} of {trials}");
    }

    #[test]
    fn nothing_is_claimed_from_one_opening_or_from_equal_ones() {
        assert_eq!(score(&[(0, SideResult::Win), (0, SideResult::Draw)]).half_width(), None);
        assert_eq!(score(&[(0, SideResult::Draw), (1, SideResult::Draw)]).elo(), (0.0, None));
        assert_eq!(score(&[(0, SideResult::Win), (1, SideResult::Win)]).elo(), (f64::INFINITY, None));
    }
}

//! The score of a match, and what it says about the difference in strength.

use std::collections::BTreeMap;
use std::fmt;

/// How a game went for the first engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It won.
    Win,
    /// Nobody won.
    Draw,
    /// It lost.
    Loss,
}

impl Outcome {
    fn points(self) -> f64 {
        match self {
            Outcome::Win => 1.0,
            Outcome::Draw => 0.5,
            Outcome::Loss => 0.0,
        }
    }
}

/// The games so far, from the first engine's point of view.
#[derive(Clone, Debug, Default)]
pub(crate) struct Score {
    wins: u32,
    draws: u32,
    losses: u32,
    /// Games and points of each opening: the two games of one are no independent trials.
    openings: BTreeMap<usize, (u32, f64)>,
}

/// Standard deviations to either side that hold 95 per cent of a normal distribution.
const NINETY_FIVE: f64 = 1.959_964;

impl Score {
    /// Counts a game that began with the opening of this number.
    pub(crate) fn add(&mut self, opening: usize, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
        }
        let (games, points) = self.openings.entry(opening).or_default();
        *games += 1;
        *points += outcome.points();
    }

    /// How many games.
    pub(crate) fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The part of the points that were won, 0 to 1; one half before the first game.
    pub(crate) fn part(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// Half the width of the 95 per cent interval of [`part`](Self::part), by the spread between openings, whose games
    /// depend on each other; `None` where that shows nothing: with fewer than two openings, or if all went alike.
    pub(crate) fn half_width(&self) -> Option<f64> {
        let (part, openings) = (self.part(), self.openings.len() as f64);
        if openings < 2.0 {
            return None;
        }
        let deviation = |&(games, points): &(u32, f64)| (points - part * f64::from(games)).powi(2);
        let sum: f64 = self.openings.values().map(deviation).sum();
        let variance = sum / f64::from(self.games()).powi(2) * openings / (openings - 1.0);
        (variance > 0.0).then(|| NINETY_FIVE * variance.sqrt())
    }

    /// The difference in Elo and the ends of its 95 per cent interval.
    pub(crate) fn elo(&self) -> (f64, Option<[f64; 2]>) {
        let part = self.part();
        let ends = self.half_width().map(|half| [elo(part - half), elo(part + half)]);
        (elo(part), ends)
    }
}

/// The difference in Elo that gives this part of the points; infinite where there is no more to win or lose.
fn elo(part: f64) -> f64 {
    if part <= 0.0 {
        f64::NEG_INFINITY
    } else if part >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (part / (1.0 - part)).log10()
    }
}

/// Wins, draws, losses, per cent.
impl fmt::Display for Score {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Score { wins, draws, losses, .. } = self;
        write!(formatter, "+{wins} ={draws} -{losses}, {:.1} %", self.part() * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use mnemon_search::random::Random;

    use super::*;

    fn score(games: &[(usize, Outcome)]) -> Score {
        let mut score = Score::default();
        games.iter().for_each(|&(opening, outcome)| score.add(opening, outcome));
        score
    }

    #[test]
    fn elo_is_the_inverse_of_the_expected_score() {
        for tenths in -8_000..=8_000 {
            let difference = f64::from(tenths) / 10.0;
            let expected = 1.0 / (1.0 + 10_f64.powf(-difference / 400.0));
            assert!((elo(expected) - difference).abs() < 1e-6, "{difference}");
        }
        assert_eq!((elo(0.0), elo(1.0), elo(-0.1)), (f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY));
    }

    #[test]
    fn counts_and_words() {
        use Outcome::{Draw, Loss, Win};
        let score = score(&[(0, Win), (0, Draw), (1, Win), (1, Loss)]);
        assert_eq!((score.games(), score.part()), (4, 0.625));
        assert_eq!(score.to_string(), "+2 =1 -1, 62.5 %");
        assert_eq!(Score::default().part(), 0.5);
    }

    /// Where every opening is played once, this is the textbook's standard error of a mean.
    #[test]
    fn single_games_have_the_textbook_interval() {
        use Outcome::{Draw, Loss, Win};
        let outcomes = [Win, Win, Draw, Loss, Win, Draw, Draw, Loss, Win, Draw];
        let score = score(&outcomes.into_iter().enumerate().collect::<Vec<_>>());
        let points: Vec<f64> = outcomes.map(Outcome::points).into();
        let mean = points.iter().sum::<f64>() / 10.0;
        let variance = points.iter().map(|point| (point - mean).powi(2)).sum::<f64>() / 9.0;
        let expected = NINETY_FIVE * (variance / 10.0).sqrt();
        assert!((score.half_width().expect("ten openings") - expected).abs() < 1e-12);
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
                    score.add(opening, if wins { Outcome::Win } else { Outcome::Loss });
                }
            }
            let half = score.half_width().expect("many openings");
            held += u32::from((score.part() - 0.55).abs() <= half);
        }
        assert!((93..=97).contains(&(held * 100 / trials)), "{held} of {trials}");
    }

    #[test]
    fn nothing_is_claimed_from_one_opening_or_from_equal_ones() {
        assert_eq!(score(&[(0, Outcome::Win), (0, Outcome::Draw)]).half_width(), None);
        assert_eq!(score(&[(0, Outcome::Draw), (1, Outcome::Draw)]).elo(), (0.0, None));
        assert_eq!(score(&[(0, Outcome::Win), (1, Outcome::Win)]).elo(), (f64::INFINITY, None));
    }
}

//! Learning from results: what happened after a move counts, not only what a search thought of it.
//!
//! When a game is over, every position after a move of the player gets a value, from the last one back to the first:
//!
//! - after the last move it is the result: a win, a draw or a loss;
//! - before that, [`lambda`](ResultLearning::lambda) per cent of the value after the player's next move, and for the rest
//!   the score of his search for that move. This is TD(λ) of R. S. Sutton, "Learning to Predict by the Methods of Temporal
//!   Differences", Machine Learning 3 (1988): near the end the result counts, far from it what the game looked like on the way;
//! - after a win no value is below [`attraction`](ResultLearning::attraction), so that the whole path is played again;
//! - after a move that was not searched, such as a book's, it is the result: nothing else says anything of it.
//!
//! The value of a position is the mean over the games through it. Positions that occurred twice in the game are left out.
//! In a later search a known value stands in for the search of its position, at every depth: so a move that led to losses is
//! left for one that the search still believes in, and one that led to wins is repeated.

use mnemon_search::HIGHEST_POINTS;
use mnemon_table::Score;

/// How a game ended for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerResult {
    /// He won.
    Win,
    /// A draw.
    Draw,
    /// He lost.
    Loss,
}

/// Settings of learning from results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultLearning {
    /// How many per cent of a value come from the value after the player's next move; the rest is his search's score.
    pub lambda: u8,
    /// What a won game is worth at its end; a lost one is worth as much less than nothing.
    pub win: Score,
    /// After a win, the least value of every position on its path.
    pub attraction: Score,
    /// The most games that a mean is taken over: an older game's part becomes smaller with every new one.
    pub games: u8,
}

impl Default for ResultLearning {
    fn default() -> Self {
        ResultLearning { lambda: 85, win: 300, attraction: 60, games: 8 }
    }
}

impl ResultLearning {
    /// The values of the positions after a player's moves, from his point of view. `scores` are those of his searches for
    /// these moves; `None` for a move without a search.
    ///
    /// ```
    /// use mnemon_memory::policy::{PlayerResult, ResultLearning};
    ///
    /// let learning = ResultLearning { lambda: 50, win: 300, ..ResultLearning::default() };
    /// let scores = [Some(20), Some(-40), Some(-200)];
    /// assert_eq!(learning.values(&scores, PlayerResult::Loss), [-145, -250, -300]);
    /// let from_a_book = [None, Some(80), Some(80), Some(80), Some(80)];
    /// assert_eq!(learning.values(&from_a_book, PlayerResult::Loss), [-300, 33, -15, -110, -300]);
    /// ```
    pub fn values(&self, scores: &[Option<Score>], result: PlayerResult) -> Vec<Score> {
        let lambda = f64::from(self.lambda.min(100)) / 100.0;
        let limit = f64::from(self.win.max(0));
        let outcome = match result {
            PlayerResult::Win => limit,
            PlayerResult::Draw => 0.0,
            PlayerResult::Loss => -limit,
        };
        let (mut value, mut values) = (outcome, vec![0; scores.len()]);
        for (number, slot) in values.iter_mut().enumerate().rev() {
            if let Some(&Some(next)) = scores.get(number + 1) {
                value = lambda * value + (1.0 - lambda) * f64::from(next).clamp(-limit, limit);
            }
            *slot = if scores[number].is_some() { value.round() as Score } else { outcome as Score };
        }
        if result == PlayerResult::Win {
            values.iter_mut().for_each(|value| *value = (*value).max(self.attraction));
        }
        values
    }

    /// The mean of what earlier games said and what the last one says; `games` is the number of the earlier ones.
    pub fn mean(&self, before: Score, games: u64, now: Score) -> Score {
        let weight = games.min(u64::from(self.games.saturating_sub(1))) as i64;
        let mean = (i64::from(before) * weight + i64::from(now)) as f64 / (weight + 1) as f64;
        (mean.round() as Score).clamp(-HIGHEST_POINTS, HIGHEST_POINTS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEARNING: ResultLearning = ResultLearning { lambda: 50, win: 300, attraction: 60, games: 3 };

    #[test]
    fn a_win_makes_its_whole_path_attractive() {
        let scores = [10, -80, -90, 200].map(Some);
        assert_eq!(LEARNING.values(&scores, PlayerResult::Win), [60, 80, 250, 300]);
    }

    #[test]
    fn a_draw_is_worth_what_the_game_looked_like() {
        let scores = [10, 100, 100, 0].map(Some);
        assert_eq!(LEARNING.values(&scores, PlayerResult::Draw), [75, 50, 0, 0]);
        assert_eq!(LEARNING.values(&[], PlayerResult::Draw), []);
    }

    #[test]
    fn scores_beyond_a_win_count_as_one() {
        assert_eq!(LEARNING.values(&[Some(0), Some(-15_990)], PlayerResult::Loss), [-300, -300]);
    }

    #[test]
    fn older_games_count_less_and_less() {
        assert_eq!(LEARNING.mean(0, 0, 90), 90, "the first game");
        assert_eq!(LEARNING.mean(90, 1, 30), 60);
        assert_eq!(LEARNING.mean(60, 2, 0), 40);
        assert_eq!(LEARNING.mean(60, 1_000, 0), 40, "as if it were the third");
        assert_eq!(ResultLearning { games: 0, ..LEARNING }.mean(60, 5, -7), -7, "the last game alone");
    }
}

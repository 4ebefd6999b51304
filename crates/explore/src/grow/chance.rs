//! Scores as chances to win.

use mnemon_search::WINS;
use mnemon_table::Score;

use super::Explored;

/// The chance of the side to move to win, 0 to 1, by the logistic curve; 1 or 0 where the game is decided.
pub fn chance<G: Explored>(score: Score) -> f64 {
    match WINS.plies(score) {
        Some(plies) if plies > 0 => 1.0,
        Some(_) => 0.0,
        None => 1.0 / (1.0 + (-f64::from(score) / G::SCALE).exp()),
    }
}

/// What `score` gives away against `best`, as a difference of chances that is scaled so that near equality it is the
/// difference of the scores. Never negative.
pub(super) fn error<G: Explored>(best: Score, score: Score) -> f64 {
    4.0 * G::SCALE * (chance::<G>(best) - chance::<G>(score)).max(0.0)
}

/// How open the game is with this score: 1 at equality, towards 0 as it is decided.
pub(super) fn openness<G: Explored>(score: Score) -> f64 {
    let chance = chance::<G>(score);
    4.0 * chance * (1.0 - chance)
}

#[cfg(test)]
mod tests {
    use mnemon_chess::Position;

    use super::*;

    #[test]
    fn an_error_counts_less_where_the_game_is_decided() {
        let error = |best, score| error::<Position>(best, score).round() as i32;
        assert_eq!((error(10, 0), error(0, 10)), (10, 0), "at equality it is in centipawns");
        assert!(error(1000, 900) < 20 && error(-900, -1000) < 20);
        assert_eq!(chance::<Position>(WINS.lost_at(5)), 0.0);
        assert!(openness::<Position>(0) > 0.99 && openness::<Position>(800) < 0.2);
    }
}

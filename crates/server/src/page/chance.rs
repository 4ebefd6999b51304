//! A score of chess as a chance to win: what bars and graphs draw, since a pawn more or less says little where one side wins.

use mnemon_search::WINS;
use mnemon_table::Score;

/// The expected points, 0 to 1, of the side that the score is for.
pub(super) fn of_score(score: Score) -> f64 {
    match WINS.plies(score) {
        Some(plies) if plies > 0 => 1.0,
        Some(_) => 0.0,
        None => 1.0 / (1.0 + 10f64.powf(-f64::from(score) / 400.0)),
    }
}

/// A bar of that length.
pub(super) fn bar(score: Score) -> String {
    format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 12\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"all\" \
         width=\"100\" height=\"12\" rx=\"3\"/><rect class=\"part\" width=\"{:.1}\" height=\"12\" rx=\"3\"/></svg>",
        (100.0 * of_score(score)).max(1.5)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_better_score_is_a_better_chance() {
        let chances = [-15_990, -300, 0, 40, 900, 15_991].map(of_score);
        assert!(chances.is_sorted() && (chances[2] - 0.5).abs() < 1e-9);
        assert_eq!((chances[0], chances[5]), (0.0, 1.0));
    }
}

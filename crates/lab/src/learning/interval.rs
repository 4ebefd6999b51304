//! Intervals that hold the truth in 95 of 100 cases.

/// The normal distribution's quantile for 95 % between both ends.
const Z: f64 = 1.959_964;

/// A number and how far it may be wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub(super) mean: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Interval {
    /// Whether zero lies outside.
    pub(super) fn excludes_zero(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// The expected score of a game, from games worth 0 to 1 each (Wilson 1927). For wins and losses alone it is exact to its
/// kind; draws make games vary less than it takes for granted, so with them it is wider than need be.
///
/// Without games it says nothing: from 0 to 1.
pub(super) fn of_scores(scores: impl Iterator<Item = f64>) -> Interval {
    let (count, sum) = scores.fold((0.0, 0.0), |(count, sum), score| (count + 1.0, sum + score));
    if count == 0.0 {
        return Interval { mean: 0.5, low: 0.0, high: 1.0 };
    }
    let mean: f64 = sum / count;
    let square = Z * Z / count;
    let middle = (mean + square / 2.0) / (1.0 + square);
    let half = Z / (1.0 + square) * (mean * (1.0 - mean) / count + square / (4.0 * count)).sqrt();
    Interval { mean, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
}

/// The expected value of numbers that are independent of each other, by Student's distribution (1908).
///
/// Fewer than two say nothing: without end.
pub(super) fn of_numbers(numbers: &[f64]) -> Interval {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count.max(1.0);
    if numbers.len() < 2 {
        return Interval { mean, low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let half = student(count - 1.0) * (variance / count).sqrt();
    Interval { mean, low: mean - half, high: mean + half }
}

/// Student's quantile for 95 % between both ends. One and two degrees of freedom have closed forms; beyond, the expansion
/// in powers of one over the degrees of freedom (Fisher and Cornish 1960) is near enough.
fn student(freedom: f64) -> f64 {
    if freedom < 1.5 {
        return (std::f64::consts::PI * 0.475).tan();
    }
    if freedom < 2.5 {
        return 0.95 * (2.0_f64 / (1.0 - 0.95 * 0.95)).sqrt();
    }
    let z = Z;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5) - 1920.0 * z.powi(3) - 945.0 * z) / 92_160.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom) + z
}

#[cfg(test)]
mod tests {
    use mnemon_search::random::Random;

    use super::*;

    /// The obvious way: every expectation from which the mean lies no further than it may.
    fn slow_of_scores(scores: &[f64]) -> (f64, f64) {
        let count = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / count;
        let fits = |truth: &f64| (mean - truth).abs() <= Z * (truth * (1.0 - truth) / count).sqrt() + 1e-12;
        let steps = 1_000_000;
        let fitting: Vec<f64> = (0..=steps).map(|step| f64::from(step) / f64::from(steps)).filter(fits).collect();
        (fitting[0], fitting[fitting.len() - 1])
    }

    #[test]
    fn scores_have_the_interval_of_the_slow_search() {
        for scores in [&[1.0; 16][..], &[0.0; 3], &[0.5, 1.0, 0.0, 0.5, 0.5, 1.0], &[1.0, 0.0], &[0.5; 40]] {
            let fast = of_scores(scores.iter().copied());
            let slow = slow_of_scores(scores);
            assert!((fast.low - slow.0).abs() < 2e-6 && (fast.high - slow.1).abs() < 2e-6, "{fast:?} {slow:?}");
        }
    }

    /// How much of Student's distribution lies within ±`end`, by adding up its density in small steps.
    fn within(freedom: f64, end: f64) -> f64 {
        let density = |x: f64| (1.0 + x * x / freedom).powf(-(freedom + 1.0) / 2.0);
        // x = s / (1 - s) makes the long tail short.
        let area = |from: f64, to: f64| {
            let steps = 200_000;
            let width = (to - from) / f64::from(steps);
            let at = |step: i32| from + (f64::from(step) + 0.5) * width;
            (0..steps).map(|step| density(at(step) / (1.0 - at(step))) / (1.0 - at(step)).powi(2)).sum::<f64>() * width
        };
        area(0.0, end / (1.0 + end)) / area(0.0, 1.0)
    }

    #[test]
    fn students_quantiles_hold_95_per_cent() {
        for freedom in [1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 11.0, 15.0, 31.0, 47.0, 200.0] {
            let held = within(freedom, student(freedom));
            assert!((held - 0.95).abs() < 0.001, "{freedom}: {held}");
        }
    }

    #[test]
    fn the_truth_lies_within_as_often_as_it_should() {
        let mut random = Random::new(1);
        let (tries, games) = (4_000, 16);
        let mut held = [0, 0];
        for _ in 0..tries {
            // Wins 30 %, draws 40 %: worth 0.5 on the average.
            let scores = [(); 16].map(|()| match random.below(10) {
                0..3 => 1.0,
                3..7 => 0.5,
                _ => 0.0,
            });
            assert_eq!(scores.len(), games);
            for (held, interval) in held.iter_mut().zip([of_scores(scores.into_iter()), of_numbers(&scores)]) {
                *held += usize::from(interval.low <= 0.5 && 0.5 <= interval.high);
            }
        }
        let [wilson, student] = held.map(|held| held as f64 / f64::from(tries));
        assert!(wilson > 0.95, "never too narrow: {wilson}");
        assert!((0.935..0.965).contains(&student), "{student}");
    }

    #[test]
    fn what_is_not_known_is_not_claimed() {
        assert_eq!(of_scores(std::iter::empty()), Interval { mean: 0.5, low: 0.0, high: 1.0 });
        assert!(!of_numbers(&[0.3]).excludes_zero() && !of_numbers(&[]).excludes_zero());
        assert!(of_numbers(&[0.3, 0.31, 0.29]).excludes_zero());
    }
}

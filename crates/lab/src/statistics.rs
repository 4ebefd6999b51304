//! Confidence intervals, differences in Elo and medians. Intervals are of 95 per cent unless a confidence is given.

/// The normal distribution's quantile for 95 % between both ends.
const Z: f64 = 1.959_964;

/// An estimate and the ends of its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    pub(crate) mean: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Interval {
    /// Whether zero lies outside.
    pub(crate) fn excludes_zero(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// The expected value of independent numbers, by Student's distribution (1908).
///
/// With fewer than two numbers it is infinite.
pub(crate) fn student_mean(numbers: &[f64], confidence: f64) -> Interval {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count.max(1.0);
    if numbers.len() < 2 {
        return Interval { mean, low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let half = student_quantile(count - 1.0, confidence) * (variance / count).sqrt();
    Interval { mean, low: mean - half, high: mean + half }
}

/// Student's quantile for this share between both ends, by halving an interval until it is found.
fn student_quantile(freedom: f64, share: f64) -> f64 {
    // As a tangent: the whole line is an interval of finite length.
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    let whole = student_area(freedom, high);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if student_area(freedom, middle) < share * whole {
            low = middle;
        } else {
            high = middle;
        }
    }
    (freedom.sqrt()) * low.tan()
}

/// The area under Student's density from 0 to the square root of the degrees of freedom times the tangent of `angle`, but
/// for a factor: with that substitution the density is a power of the cosine. Simpson's rule.
fn student_area(freedom: f64, angle: f64) -> f64 {
    const STEPS: u32 = 400;
    let width = angle / f64::from(STEPS);
    let density = |step: u32| (f64::from(step) * width).cos().max(0.0).powf(freedom - 1.0);
    let weight = |step: u32| match step {
        0 | STEPS => 1.0,
        step if step % 2 == 1 => 4.0,
        _ => 2.0,
    };
    (0..=STEPS).map(|step| weight(step) * density(step)).sum::<f64>() * width / 3.0
}

/// Trials that depend on each other, such as the two games of an opening.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cluster {
    pub(crate) trials: u32,
    pub(crate) sum: f64,
}

/// Half the width of the interval around the mean of all trials, from the spread between clusters. With clusters of two
/// games that is the pentanomial variance of the field's testers.
///
/// `None` where the spread shows nothing: with fewer than two clusters, or if all clusters have the same mean.
pub(crate) fn clustered_half_width(clusters: impl Iterator<Item = Cluster> + Clone) -> Option<f64> {
    let count = clusters.clone().count() as f64;
    let trials = f64::from(clusters.clone().map(|cluster| cluster.trials).sum::<u32>());
    if count < 2.0 {
        return None;
    }
    let mean = clusters.clone().map(|cluster| cluster.sum).sum::<f64>() / trials;
    let squares: f64 = clusters.map(|cluster| (cluster.sum - mean * f64::from(cluster.trials)).powi(2)).sum();
    let variance = squares / trials.powi(2) * count / (count - 1.0);
    (variance > 0.0).then(|| Z * variance.sqrt())
}

/// The difference in Elo that gives this share of the points; infinite at 0 and 1.
pub(crate) fn elo(share: f64) -> f64 {
    if share <= 0.0 {
        f64::NEG_INFINITY
    } else if share >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (share / (1.0 - share)).log10()
    }
}

/// The median; the mean of the two middle numbers if their number is even, and no number if there are none.
pub(crate) fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => numbers[middle],
        _ => (numbers[middle - 1] + numbers[middle]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use mnemon_search::random::Random;

    use super::*;

    /// The share of Student's distribution within ±`end`, by adding up its density in small steps.
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
    fn students_quantiles_hold_their_share() {
        for freedom in [1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 11.0, 15.0, 31.0, 47.0, 200.0] {
            for share in [0.5, 0.95, 0.99] {
                let held = within(freedom, student_quantile(freedom, share));
                assert!((held - share).abs() < 0.001, "{freedom}, {share}: {held}");
            }
        }
        assert!((student_quantile(47.0, 0.95) - 2.0117).abs() < 1e-3, "as in every table");
    }

    #[test]
    fn the_truth_lies_within_as_often_as_it_should() {
        let mut random = Random::new(1);
        let tries = 4_000;
        let mut held = 0;
        for _ in 0..tries {
            // Wins 30 %, draws 40 %: worth 0.5 on the average.
            let scores = [(); 16].map(|()| match random.below(10) {
                0..3 => 1.0,
                3..7 => 0.5,
                _ => 0.0,
            });
            let interval = student_mean(&scores, 0.95);
            held += i32::from(interval.low <= 0.5 && 0.5 <= interval.high);
        }
        let share = f64::from(held) / f64::from(tries);
        assert!((0.935..0.965).contains(&share), "{share}");
    }

    #[test]
    fn what_is_not_known_is_not_claimed() {
        assert!(!student_mean(&[0.3], 0.95).excludes_zero() && !student_mean(&[], 0.95).excludes_zero());
        assert!(student_mean(&[0.3, 0.31, 0.29], 0.95).excludes_zero());
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

    /// With one trial in each cluster this is the textbook's standard error of a mean.
    #[test]
    fn clusters_of_one_trial_have_the_textbook_interval() {
        let points = [1.0, 1.0, 0.5, 0.0, 1.0, 0.5, 0.5, 0.0, 1.0, 0.5];
        let mean = points.iter().sum::<f64>() / 10.0;
        let variance = points.iter().map(|point: &f64| (point - mean).powi(2)).sum::<f64>() / 9.0;
        let expected = Z * (variance / 10.0).sqrt();
        let half = clustered_half_width(points.iter().map(|&sum| Cluster { trials: 1, sum }));
        assert!((half.expect("ten clusters") - expected).abs() < 1e-12);
    }

    #[test]
    fn medians_of_odd_and_even_counts() {
        assert_eq!(median([9.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([9.0, 1.0, 2.0, 4.0].into_iter()), 3.0);
        assert!(median(std::iter::empty()).is_nan());
    }
}

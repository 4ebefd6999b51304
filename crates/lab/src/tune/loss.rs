//! The loss of the fit: the squared error of expected points, and its gradient over the weights.

use mnemon_table::Score;

use super::features::{Features, Weight};

/// A position to learn from.
#[derive(Clone, Debug)]
pub(super) struct Example {
    pub(super) features: Features,
    /// The search's score for White.
    pub(super) score: Score,
    /// White's points in the game.
    pub(super) points: f64,
    /// The points that the evaluation should expect for White.
    pub(super) target: f64,
}

/// The points that a score expects: a sigmoid whose `width` is the score, in centipawns, worth a factor of e in the odds.
pub(super) fn expected(score: f64, width: f64) -> f64 {
    1.0 / (1.0 + (-score / width).exp())
}

/// Sets every target between the points that the search expects and those of the game; `share` is the game's weight.
pub(super) fn set_targets(examples: &mut [Example], width: f64, share: f64) {
    for example in examples {
        let by_search = expected(example.score.into(), width);
        example.target = share * example.points + (1.0 - share) * by_search;
    }
}

/// The mean squared error of the expected points.
pub(super) fn mean_loss(examples: &[Example], weights: &[Weight], width: f64) -> f64 {
    mean(examples, |example| expected(example.features.score(weights), width) - example.target)
}

/// The mean squared error against the games' results alone.
pub(super) fn result_loss(examples: &[Example], weights: &[Weight], width: f64) -> f64 {
    mean(examples, |example| expected(example.features.score(weights), width) - example.points)
}

/// The width with which the searches' scores predict the games' results best.
pub(super) fn best_width(examples: &[Example]) -> f64 {
    let loss = |logarithm: f64| {
        let width = logarithm.exp();
        mean(examples, |example| expected(example.score.into(), width) - example.points)
    };
    let (mut low, mut high) = (10_f64.ln(), 5_000_f64.ln());
    while high - low > 1e-4 {
        let third = (high - low) / 3.0;
        if loss(low + third) < loss(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    ((low + high) / 2.0).exp()
}

fn mean(examples: &[Example], difference: impl Fn(&Example) -> f64) -> f64 {
    examples.iter().map(|example| difference(example).powi(2)).sum::<f64>() / examples.len().max(1) as f64
}

/// Adds the gradient of the [mean loss](mean_loss) of some examples.
pub(super) fn add_gradient<'e>(
    examples: impl ExactSizeIterator<Item = &'e Example>,
    weights: &[Weight],
    width: f64,
    gradient: &mut [Weight],
) {
    let count = examples.len().max(1) as f64;
    for Example { features, target, .. } in examples {
        let points = expected(features.score(weights), width);
        let slope = 2.0 * (points - target) * points * (1.0 - points) / (width * count);
        let [middlegame, endgame] = features.shares.map(|share| share * slope);
        for &(number, times) in &features.terms {
            let part = &mut gradient[usize::from(number)];
            part[0] += middlegame * f64::from(times);
            part[1] += endgame * f64::from(times);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::built_in;
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let examples = examples(30, 3, |score| expected(score + 60.0, 200.0));
        let (mut weights, width) = (built_in(), 180.0);
        let mut gradient = vec![[0.0; 2]; weights.len()];
        add_gradient(examples.iter(), &weights, width, &mut gradient);
        let mut steep = 0;
        for (number, &told) in gradient.as_flattened().iter().enumerate() {
            let slope = slope(&examples, &mut weights, width, number);
            assert!((slope - told).abs() < 1e-9 + 1e-4 * told.abs(), "{number}: {told} is not {slope}");
            steep += usize::from(told.abs() > 1e-6);
        }
        assert!(steep > 200, "{steep}");
    }

    /// The loss's slope along one half of a weight, by two small steps.
    fn slope(examples: &[Example], weights: &mut [Weight], width: f64, number: usize) -> f64 {
        const STEP: f64 = 0.01;
        let value = weights.as_flattened()[number];
        let mut loss_at = |half| {
            weights.as_flattened_mut()[number] = half;
            mean_loss(examples, weights, width)
        };
        let difference = loss_at(value + STEP) - loss_at(value - STEP);
        weights.as_flattened_mut()[number] = value;
        difference / (2.0 * STEP)
    }

    #[test]
    fn the_width_of_the_results_is_found() {
        let mut examples = examples(50, 4, |_| 0.0);
        for example in &mut examples {
            example.points = expected(example.score.into(), 140.0);
        }
        assert!((best_width(&examples) - 140.0).abs() < 0.5);
    }
}

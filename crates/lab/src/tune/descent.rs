//! Gradient descent in mini-batches with Adam (Kingma and Ba, 2015); the epoch with the lowest validation loss wins.

use mnemon_search::random::Random;

use super::features::Weight;
use super::loss::{Example, add_gradient, mean_loss};
use crate::random::shuffle;

/// Positions of a mini-batch.
const BATCH: usize = 1_024;
/// The learning rate of the first epoch, in centipawns, and of the last; it decays exponentially.
const FIRST_RATE: f64 = 1.0;
const LAST_RATE: f64 = 0.01;

/// The parameters of a fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct FitParameters {
    /// The sigmoid's width.
    pub(super) width: f64,
    /// The regularisation: each weight is pulled to its first value as if this many level positions asked for it.
    pub(super) anchor: f64,
    /// Passes over all positions.
    pub(super) epochs: u32,
    /// Decides the order of the positions.
    pub(super) seed: u64,
}

/// The fitted weights.
pub(super) struct Fit {
    pub(super) weights: Vec<Weight>,
    /// The loss on the validation set, the lowest of all epochs.
    pub(super) loss: f64,
    /// The epoch that gave it; 0 if none was better than the first weights.
    pub(super) epoch: u32,
}

/// Fits the weights to the training set, from `first` on.
pub(super) fn descend(
    training: &[Example],
    validation: &[Example],
    first: &[Weight],
    parameters: FitParameters,
) -> Fit {
    let loss = mean_loss(validation, first, parameters.width);
    let mut fit = Fit { weights: first.to_vec(), loss, epoch: 0 };
    let mut weights = first.to_vec();
    let mut adam = Adam::new(weights.len());
    let mut random = Random::new(parameters.seed);
    let mut order: Vec<usize> = (0..training.len()).collect();
    let mut rate = FIRST_RATE;
    let decay = (LAST_RATE / FIRST_RATE).powf(1.0 / f64::from(parameters.epochs));
    for epoch in 1..=parameters.epochs {
        shuffle(&mut order, &mut random);
        for batch in order.chunks(BATCH) {
            let mut gradient = anchor_gradient(&weights, first, parameters, training.len());
            add_gradient(batch.iter().map(|&number| &training[number]), &weights, parameters.width, &mut gradient);
            adam.step(&mut weights, &gradient, rate);
        }
        rate *= decay;
        let loss = mean_loss(validation, &weights, parameters.width);
        if loss < fit.loss {
            fit = Fit { weights: weights.clone(), loss, epoch };
        }
    }
    fit
}

/// The gradient of the regularisation. In a level position a score of one width changes the expected points by 1/4.
fn anchor_gradient(weights: &[Weight], first: &[Weight], parameters: FitParameters, positions: usize) -> Vec<Weight> {
    let pull = 2.0 * parameters.anchor / positions.max(1) as f64 / (4.0 * parameters.width).powi(2);
    let pulled = |(weight, first): (&Weight, &Weight)| [0, 1].map(|half| pull * (weight[half] - first[half]));
    weights.iter().zip(first).map(pulled).collect()
}

/// The running means of each weight's gradient and of its square.
struct Adam {
    means: Vec<Weight>,
    squares: Vec<Weight>,
    /// The share of the initial zeros that is still in the means: the bias to be corrected.
    bias: [f64; 2],
}

impl Adam {
    const DECAY: [f64; 2] = [0.9, 0.999];

    fn new(count: usize) -> Self {
        Adam { means: vec![[0.0; 2]; count], squares: vec![[0.0; 2]; count], bias: [1.0; 2] }
    }

    /// One step against the gradient, of about `rate` for every weight whose gradients agree in sign.
    fn step(&mut self, weights: &mut [Weight], gradient: &[Weight], rate: f64) {
        let [mean_decay, square_decay] = Self::DECAY;
        self.bias = [self.bias[0] * mean_decay, self.bias[1] * square_decay];
        let [mean_share, square_share] = self.bias.map(|bias| 1.0 - bias);
        for (number, weight) in weights.iter_mut().enumerate() {
            for half in 0..2 {
                let (mean, mean_square) = (&mut self.means[number][half], &mut self.squares[number][half]);
                let slope = gradient[number][half];
                *mean = mean_decay * *mean + (1.0 - mean_decay) * slope;
                *mean_square = square_decay * *mean_square + (1.0 - square_decay) * slope * slope;
                weight[half] -= rate * (*mean / mean_share) / ((*mean_square / square_share).sqrt() + 1e-12);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::{Features, built_in};
    use super::super::loss::expected;
    use super::super::testing::examples;
    use super::*;

    const PARAMETERS: FitParameters = FitParameters { width: 200.0, anchor: 0.0, epochs: 200, seed: 1 };

    /// Made-up positions: a few features each, at any phase, with the points that the weights expect.
    fn made_up(count: usize, weights: &[Weight]) -> Vec<Example> {
        let mut random = Random::new(5);
        let mut example = || {
            let some = (0..weights.len() as u16).filter(|_| random.below(4) == 0).collect::<Vec<_>>();
            let terms = some.into_iter().map(|number| (number, [-2, -1, 1, 2][random.below(4)])).collect();
            let phase = random.below(25) as f64 / 24.0;
            let features = Features { terms, shares: [phase, 1.0 - phase] };
            let target = expected(features.score(weights), PARAMETERS.width);
            Example { features, score: 0, points: 0.5, target }
        };
        (0..count).map(|_| example()).collect()
    }

    #[test]
    fn planted_weights_are_found_again() {
        let planted: Vec<Weight> =
            (0..20).map(|number| [f64::from(number * 7 - 60), f64::from(50 - number * 5)]).collect();
        let mut all = made_up(5_000, &planted);
        let validation = all.split_off(4_500);
        let fit = descend(&all, &validation, &vec![[0.0; 2]; planted.len()], PARAMETERS);
        for (found, planted) in fit.weights.as_flattened().iter().zip(planted.as_flattened()) {
            assert!((found - planted).abs() < 1.0, "{found} is not {planted}");
        }
    }

    #[test]
    fn the_same_seed_finds_the_same_weights() {
        let all = examples(20, 6, |score| expected(score * 1.3, 200.0));
        let weights = |seed| descend(&all, &all, &built_in(), FitParameters { seed, epochs: 3, ..PARAMETERS }).weights;
        assert_eq!(weights(1), weights(1));
        assert_ne!(weights(1), built_in());
    }

    #[test]
    fn an_anchor_pulls_back_what_has_moved() {
        let (first, mut weights) = (built_in(), built_in());
        weights[7] = [first[7][0] + 10.0, first[7][1] - 20.0];
        let pull = |anchor| anchor_gradient(&weights, &first, FitParameters { anchor, ..PARAMETERS }, 1_000);
        let (light, heavy) = (pull(100.0), pull(300.0));
        // The slope of 100 / 1000 of (10 / 800)^2 by the 10.
        assert!((light[7][0] - 0.1 * 2.0 * 10.0 / 640_000.0).abs() < 1e-12, "{:?}", light[7]);
        assert!((light[7][1] + 2.0 * light[7][0]).abs() < 1e-12 && (heavy[7][0] - 3.0 * light[7][0]).abs() < 1e-12);
        assert!(light.iter().enumerate().all(|(number, pull)| number == 7 || *pull == [0.0; 2]));
    }
}

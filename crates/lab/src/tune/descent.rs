//! Downhill by small batches (Adam: Kingma and Ba, 2015), until games that were kept aside say that it is enough.

use mnemon_search::random::Random;

use super::error::{Example, add_gradient, mean_error};
use super::features::Weight;

/// Positions whose gradient makes one step.
const BATCH: usize = 1_024;
/// The first round's step, in hundredths of a pawn, and the last round's; those between get shorter evenly.
const LONGEST_STEP: f64 = 1.0;
const SHORTEST_STEP: f64 = 0.01;

/// How to go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// How slowly scores become certain.
    pub(super) width: f64,
    /// Each weight is held back as if so many even positions of the whole spoke for its first value.
    pub(super) anchor: f64,
    /// How often to go through all positions.
    pub(super) rounds: u32,
    /// In which order the positions come.
    pub(super) seed: u64,
}

/// What was found.
pub(super) struct Found {
    pub(super) weights: Vec<Weight>,
    /// The error of the positions that were kept aside, the lowest of all rounds.
    pub(super) error: f64,
    /// The round that gave it; 0 if none was better than the beginning.
    pub(super) round: u32,
}

/// Fits the weights to `learning`; the best of all rounds is the one that is best for `judging`.
pub(super) fn descend(learning: &[Example], judging: &[Example], first: &[Weight], way: Way) -> Found {
    let mut found = Found { weights: first.to_vec(), error: mean_error(judging, first, way.width), round: 0 };
    let mut weights = first.to_vec();
    let mut adam = Adam::new(weights.len());
    let mut random = Random::new(way.seed);
    let mut order: Vec<usize> = (0..learning.len()).collect();
    let mut step = LONGEST_STEP;
    let shorter = (SHORTEST_STEP / LONGEST_STEP).powf(1.0 / f64::from(way.rounds));
    for round in 1..=way.rounds {
        shuffle(&mut order, &mut random);
        for batch in order.chunks(BATCH) {
            let mut gradient = anchored(&weights, first, way, learning.len());
            add_gradient(batch.iter().map(|&number| &learning[number]), &weights, way.width, &mut gradient);
            adam.step(&mut weights, &gradient, step);
        }
        step *= shorter;
        let error = mean_error(judging, &weights, way.width);
        if error < found.error {
            found = Found { weights: weights.clone(), error, round };
        }
    }
    found
}

/// The gradient of what holds the weights back: an even position's points change by 1/4 of the score's part of a width.
fn anchored(weights: &[Weight], first: &[Weight], way: Way, positions: usize) -> Vec<Weight> {
    let pull = 2.0 * way.anchor / positions.max(1) as f64 / (4.0 * way.width).powi(2);
    let pulled = |(weight, first): (&Weight, &Weight)| [0, 1].map(|half| pull * (weight[half] - first[half]));
    weights.iter().zip(first).map(pulled).collect()
}

fn shuffle(order: &mut [usize], random: &mut Random) {
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
}

/// The running means of each weight's gradient and of its square.
struct Adam {
    slopes: Vec<Weight>,
    squares: Vec<Weight>,
    /// What is left in the means of the zeros that they began with.
    left: [f64; 2],
}

impl Adam {
    const DECAY: [f64; 2] = [0.9, 0.999];

    fn new(count: usize) -> Self {
        Adam { slopes: vec![[0.0; 2]; count], squares: vec![[0.0; 2]; count], left: [1.0; 2] }
    }

    /// One step downhill, of about the same length for every weight that knows its direction.
    fn step(&mut self, weights: &mut [Weight], gradient: &[Weight], length: f64) {
        let [slow, square] = Self::DECAY;
        self.left = [self.left[0] * slow, self.left[1] * square];
        let [slope_share, square_share] = self.left.map(|left| 1.0 - left);
        for (number, weight) in weights.iter_mut().enumerate() {
            for half in 0..2 {
                let (mean, mean_square) = (&mut self.slopes[number][half], &mut self.squares[number][half]);
                let slope = gradient[number][half];
                *mean = slow * *mean + (1.0 - slow) * slope;
                *mean_square = square * *mean_square + (1.0 - square) * slope * slope;
                weight[half] -= length * (*mean / slope_share) / ((*mean_square / square_share).sqrt() + 1e-12);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::error::expected;
    use super::super::features::{Features, built_in};
    use super::super::testing::examples;
    use super::*;

    const WAY: Way = Way { width: 200.0, anchor: 0.0, rounds: 200, seed: 1 };

    /// Made-up positions: some of a few features, at any phase, with the points that the weights expect.
    fn made_up(count: usize, weights: &[Weight]) -> Vec<Example> {
        let mut random = Random::new(5);
        let mut example = || {
            let some = (0..weights.len() as u16).filter(|_| random.below(4) == 0).collect::<Vec<_>>();
            let terms = some.into_iter().map(|number| (number, [-2, -1, 1, 2][random.below(4)])).collect();
            let phase = random.below(25) as f64 / 24.0;
            let features = Features { terms, shares: [phase, 1.0 - phase] };
            let target = expected(features.score(weights), WAY.width);
            Example { features, score: 0, points: 0.5, target }
        };
        (0..count).map(|_| example()).collect()
    }

    #[test]
    fn planted_weights_are_found_again() {
        let planted: Vec<Weight> =
            (0..20).map(|number| [f64::from(number * 7 - 60), f64::from(50 - number * 5)]).collect();
        let mut all = made_up(5_000, &planted);
        let judging = all.split_off(4_500);
        let found = descend(&all, &judging, &vec![[0.0; 2]; planted.len()], WAY);
        for (found, planted) in found.weights.as_flattened().iter().zip(planted.as_flattened()) {
            assert!((found - planted).abs() < 1.0, "{found} is not {planted}");
        }
    }

    #[test]
    fn the_same_seed_finds_the_same_weights() {
        let all = examples(20, 6, |score| expected(score * 1.3, 200.0));
        let weights = |seed| descend(&all, &all, &built_in(), Way { seed, rounds: 3, ..WAY }).weights;
        assert_eq!(weights(1), weights(1));
        assert_ne!(weights(1), built_in());
    }

    #[test]
    fn an_anchor_pulls_back_what_has_moved() {
        let (first, mut weights) = (built_in(), built_in());
        weights[7] = [first[7][0] + 10.0, first[7][1] - 20.0];
        let pull = |anchor| anchored(&weights, &first, Way { anchor, ..WAY }, 1_000);
        let (light, heavy) = (pull(100.0), pull(300.0));
        // The slope of 100 / 1000 of (10 / 800)^2 by the 10.
        assert!((light[7][0] - 0.1 * 2.0 * 10.0 / 640_000.0).abs() < 1e-12, "{:?}", light[7]);
        assert!((light[7][1] + 2.0 * light[7][0]).abs() < 1e-12 && (heavy[7][0] - 3.0 * light[7][0]).abs() < 1e-12);
        assert!(light.iter().enumerate().all(|(number, pull)| number == 7 || *pull == [0.0; 2]));
    }
}

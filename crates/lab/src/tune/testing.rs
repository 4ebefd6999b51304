//! Positions for the tuner's own tests.

use mnemon_chess::Position;
use mnemon_search::random::Random;

use super::features::{Features, built_in};
use super::loss::Example;
use crate::random::random_move;

/// All positions of random games.
pub(super) fn positions(games: usize, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut position = Position::start();
        for _ in 0..120 {
            let Some(mv) = random_move(&position, &mut random) else { break };
            position = position.after(mv);
            positions.push(position.clone());
        }
    }
    positions
}

/// Examples of random games; `target` gets the built-in evaluation.
pub(super) fn examples(games: usize, seed: u64, target: impl Fn(f64) -> f64) -> Vec<Example> {
    let weights = built_in();
    let example = |position: Position| {
        let features = Features::of(position.board());
        let score = features.score(&weights);
        Example { features, score: score as i16, points: 0.5, target: target(score) }
    };
    positions(games, seed).into_iter().map(example).collect()
}

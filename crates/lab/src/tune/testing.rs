//! Positions for the tuner's own tests.

use mnemon_chess::Position;
use mnemon_search::Game;
use mnemon_search::random::Random;

use super::error::Example;
use super::features::{Features, built_in};

/// All positions of random games.
pub(super) fn positions(games: usize, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut position = Position::start();
        for _ in 0..120 {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.below(moves.len())]);
            positions.push(position.clone());
        }
    }
    positions
}

/// Examples of random games whose target is made of the built-in evaluation.
pub(super) fn examples(games: usize, seed: u64, target: impl Fn(f64) -> f64) -> Vec<Example> {
    let weights = built_in();
    let example = |position: Position| {
        let features = Features::of(position.board());
        let score = features.score(&weights);
        Example { features, score: score as i16, points: 0.5, target: target(score) }
    };
    positions(games, seed).into_iter().map(example).collect()
}

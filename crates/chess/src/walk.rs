//! Positions of random games, for tests.

use cozy_chess::Move;
use mnemon_search::random::Random;

use crate::Position;

/// Shows so many positions of random games, and their moves.
pub(crate) fn walk(seed: u64, positions: usize, mut look: impl FnMut(&Position, &[Move], &mut Random)) {
    let mut random = Random::new(seed);
    let mut position = Position::start();
    for _ in 0..positions {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() || position.is_dead() {
            position = Position::start();
            continue;
        }
        look(&position, &moves, &mut random);
        position = position.after(moves[random.below(moves.len())]);
    }
}

//! Positions of random games, for tests.

use cozy_chess::Move;
use mnemon_search::random::Random;

use crate::Position;

/// Shows so many positions of random games, of standard chess and of Chess960, and their moves.
pub fn walk(seed: u64, positions: usize, mut look: impl FnMut(&Position, &[Move], &mut Random)) {
    let mut random = Random::new(seed);
    let mut position = Position::start();
    for _ in 0..positions {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() || position.is_dead() {
            // Half of the numbers are none of Chess960, and give the standard start.
            let number = random.below(2 * 960) as u32;
            position = Position::chess960_start(number).unwrap_or_default();
            continue;
        }
        look(&position, &moves, &mut random);
        position = position.after(moves[random.below(moves.len())]);
    }
}

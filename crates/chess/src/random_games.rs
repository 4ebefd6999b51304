//! Positions of random games, for tests of this and other crates.

use cozy_chess::Move;
use mnemon_search::random::Random;

use crate::Position;

/// Visits positions of random games of standard chess and Chess960, at most `positions` of them, with their legal moves. The
/// same seed gives the same positions.
pub fn walk(seed: u64, positions: usize, mut visit: impl FnMut(&Position, &[Move], &mut Random)) {
    let mut random = Random::new(seed);
    let mut position = Position::start();
    for _ in 0..positions {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() || position.is_dead() {
            // Numbers of 960 and more give the standard starting position: half of all games.
            let number = random.below(2 * 960) as u32;
            position = Position::chess960_start(number).unwrap_or_default();
            continue;
        }
        visit(&position, &moves, &mut random);
        position = position.after(moves[random.below(moves.len())]);
    }
}

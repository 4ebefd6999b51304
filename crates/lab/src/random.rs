//! Random chess moves and random orders, which depend on a seed alone.

use mnemon_chess::{Move, Position};
use mnemon_search::random::Random;

/// The position after `plies` random legal moves, or after fewer if the game ends before.
pub(crate) fn random_moves(mut position: Position, plies: usize, random: &mut Random) -> Position {
    for _ in 0..plies {
        match random_move(&position, random) {
            Some(mv) => position = position.after(mv),
            None => break,
        }
    }
    position
}

/// A random legal move; `None` where there is none.
pub(crate) fn random_move(position: &Position, random: &mut Random) -> Option<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if moves.is_empty() { None } else { Some(moves[random.below(moves.len())]) }
}

/// Puts the items in a random order; every order is equally likely.
pub(crate) fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for end in (1..items.len()).rev() {
        items.swap(end, random.below(end + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_moves() {
        let moves = |seed| random_moves(Position::start(), 8, &mut Random::new(seed)).to_string();
        assert_eq!(moves(1), moves(1));
        assert_ne!(moves(1), moves(2));
        let mated: Position = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse().expect("a position");
        assert_eq!(random_moves(mated.clone(), 8, &mut Random::new(1)), mated);
    }
}

//! The positions of a book, ply by ply below its root.

use std::collections::HashSet;

use mnemon_connect4::Board;

use crate::Result;
use crate::connect4::book::key;
use mnemon_connect4::sequence::MoveSequence;

/// More positions than this would not fit in an ordinary machine's memory.
const MOST: usize = 20_000_000;

/// A position and moves that lead to it.
pub(crate) struct Place {
    pub(crate) moves: String,
    pub(crate) board: Board,
}

/// For each ply from the root down, the positions that are not over, mirror images once. Brothers stand together, so
/// that what the solver learns from one serves the next.
pub(crate) fn below(root: &MoveSequence, depth: u8) -> Result<Vec<Vec<Place>>> {
    let mut layers = vec![vec![Place { moves: root.moves.clone(), board: root.board }]];
    let mut room = MOST;
    for _ in 0..depth {
        let next = children(layers.last().map_or(&[], Vec::as_slice), room);
        room = room.saturating_sub(next.len());
        if room == 0 {
            return Err(format!("a book of depth {depth} has more than {MOST} positions: choose less").into());
        }
        layers.push(next);
    }
    Ok(layers)
}

/// The positions one ply below these. Stops soon after so many, since more are of no use.
fn children(layer: &[Place], most: usize) -> Vec<Place> {
    let mut seen = HashSet::new();
    let mut next = Vec::new();
    for Place { moves, board } in layer {
        if next.len() >= most {
            break;
        }
        for column in board.columns().filter(|&column| !board.wins_by(column)) {
            let board = board.play(column);
            if seen.insert(key(&board)) {
                next.push(Place { moves: format!("{moves}{}", column + 1), board });
            }
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_plies_have_known_numbers_of_positions() {
        // There are 1, 7, 49 and 238 (Tromp), of which 1, 1, 1 and 4 are their own mirror images.
        let layers = below(&MoveSequence::from_moves("").unwrap(), 3).unwrap();
        assert_eq!(layers.iter().map(Vec::len).collect::<Vec<_>>(), [1, 4, 25, 121]);
    }

    #[test]
    fn a_layer_ends_where_games_end() {
        // Four empty squares.
        let full = MoveSequence::from_moves("23163416124767223154467471272416755633").unwrap();
        let layers = below(&full, 10).unwrap();
        assert_eq!(layers.len(), 11);
        assert!(layers[10].is_empty());
    }
}

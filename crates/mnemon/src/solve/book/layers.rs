//! The positions of a book, ply by ply below its root.

use std::collections::HashSet;

use mnemon_connect4::Board;

use crate::Result;
use crate::connect4::book::mirror_key;

/// More positions than this would not fit into the RAM of an ordinary machine.
const MAX_POSITIONS: usize = 20_000_000;

/// For each ply from the root down, the positions that are not over, mirror images once. Siblings are neighbours, so
/// that the table entries of one serve the next.
pub(crate) fn below(root: &Board, depth: u8) -> Result<Vec<Vec<Board>>> {
    let mut layers = vec![vec![*root]];
    let mut room = MAX_POSITIONS;
    for _ in 0..depth {
        let next = children(layers.last().map_or(&[], Vec::as_slice), room);
        room = room.saturating_sub(next.len());
        if room == 0 {
            return Err(format!("a book of depth {depth} has more than {MAX_POSITIONS} positions: choose less").into());
        }
        layers.push(next);
    }
    Ok(layers)
}

/// The positions one ply below these. Stops soon after `most` of them, since the book is too large then.
fn children(layer: &[Board], most: usize) -> Vec<Board> {
    let mut seen = HashSet::new();
    let mut next = Vec::new();
    for board in layer {
        if next.len() >= most {
            break;
        }
        for column in board.columns().filter(|&column| !board.wins_by(column)) {
            let board = board.play(column);
            if seen.insert(mirror_key(&board)) {
                next.push(board);
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
        let layers = below(&Board::new(), 3).unwrap();
        assert_eq!(layers.iter().map(Vec::len).collect::<Vec<_>>(), [1, 4, 25, 121]);
    }

    #[test]
    fn a_layer_ends_where_games_end() {
        // Four empty squares.
        let full = Board::parse("23163416124767223154467471272416755633").unwrap();
        let layers = below(&full, 10).unwrap();
        assert_eq!(layers.len(), 11);
        assert!(layers[10].is_empty());
    }
}

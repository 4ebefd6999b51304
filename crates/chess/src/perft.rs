//! Perft: the number of legal move sequences, the standard test of a move generator.

use cozy_chess::Board;

use crate::Position;

/// The number of legal move sequences of exactly `depth` plies. The last ply is counted in bulk. Draws by insufficient
/// material or by the fifty-move rule do not end a sequence.
///
/// ```
/// use mnemon_chess::{Position, perft};
///
/// assert_eq!(perft(&Position::start(), 3), 8902);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u8) -> u64 {
    count(position.board(), depth)
}

fn count(board: &Board, depth: u8) -> u64 {
    match depth {
        0 => 1,
        1 => leaves(board),
        _ => inner(board, depth),
    }
}

fn inner(board: &Board, depth: u8) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += count(&child, depth - 1);
        }
        false
    });
    nodes
}

fn leaves(board: &Board) -> u64 {
    let mut moves = 0;
    board.generate_moves(|some| {
        moves += some.len() as u64;
        false
    });
    moves
}

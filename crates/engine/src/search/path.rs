//! The path from the root to a node: the keys that decide repetitions, and the only functions that make a move.

use cozy_chess::Move;
use mnemon_chess::Position;
use mnemon_search::PathDependency;

use super::history::PieceTo;
use super::node::Node;
use super::worker::Worker;
use crate::Table;
use crate::eval::Evaluation;

/// The keys of the game's positions before the root, then of the positions from the root down to the current node's
/// parent.
pub(crate) struct Path {
    keys: Vec<u64>,
    /// How many of the keys belong to the game before the root.
    game_len: usize,
    /// The index of the first key that a position may repeat: that after the last null move.
    repeatable_from: usize,
}

impl Path {
    /// The path that ends at the root. `game` holds the keys of the positions before it.
    pub(crate) fn new(game: &[u64]) -> Self {
        Path { keys: game.to_vec(), game_len: game.len(), repeatable_from: 0 }
    }

    /// What the draw depends on if the position, `ply` plies below the root, is drawn by the fifty-move rule, by
    /// repetition or by insufficient material; `None` if it is not drawn. The position is not yet among the keys.
    pub(crate) fn draw(&self, position: &Position, key: u64, ply: usize) -> Option<PathDependency> {
        let clock = usize::from(position.halfmove_clock());
        if clock >= 100 && (!position.is_check() || position.has_moves()) {
            return Some(PathDependency::BEFORE_ROOT);
        }
        if let Some(dependency) = self.repetition(key, clock, ply) {
            return Some(dependency);
        }
        position.is_dead().then_some(PathDependency::NONE)
    }

    /// The position that is repeated: one earlier occurrence below the root is enough, two are needed before the root.
    fn repetition(&self, key: u64, clock: usize, ply: usize) -> Option<PathDependency> {
        let mut occurrences_in_game = 0;
        for plies_back in (4..=clock.min(self.keys.len() - self.repeatable_from)).step_by(2) {
            let index = self.keys.len() - plies_back;
            if self.keys[index] == key {
                if index >= self.game_len {
                    return Some(PathDependency::on_ply((ply - plies_back) as u16));
                }
                occurrences_in_game += 1;
                if occurrences_in_game == 2 {
                    return Some(PathDependency::BEFORE_ROOT);
                }
            }
        }
        None
    }
}

impl<E: Evaluation> Worker<'_, E> {
    /// Makes a legal move, runs `search` on the child, and takes the move back, even if the search was stopped.
    #[inline]
    pub(super) fn with_move<T>(
        &mut self,
        node: &Node<'_>,
        mv: Move,
        moved: PieceTo,
        search: impl FnOnce(&mut Self, &Position) -> T,
    ) -> T {
        let child = child(self.table, node.position, mv);
        self.descend(node, Some((mv, moved)), &child, search)
    }

    /// As [`with_move`](Self::with_move) with a null move; `None` in check, where there is none. No repetition leads
    /// back across a null move, since legal moves cannot.
    pub(super) fn with_null_move<T>(
        &mut self,
        node: &Node<'_>,
        search: impl FnOnce(&mut Self, &Position) -> T,
    ) -> Option<T> {
        let child = node.position.after_null_move()?;
        let repeatable_from = std::mem::replace(&mut self.path.repeatable_from, self.path.keys.len() + 1);
        let result = self.descend(node, None, &child, search);
        self.path.repeatable_from = repeatable_from;
        Some(result)
    }

    /// Makes a move or, with `None`, a null move on everything that follows the path: frame, evaluation, keys. No other
    /// function does.
    #[inline]
    fn descend<T>(
        &mut self,
        node: &Node<'_>,
        made: Option<(Move, PieceTo)>,
        child: &Position,
        search: impl FnOnce(&mut Self, &Position) -> T,
    ) -> T {
        self.frames[node.ply].moved = made.map(|(_, moved)| moved);
        self.evaluation.make_move(node.position, made.map(|(mv, _)| mv));
        self.path.keys.push(node.key);
        let result = search(self, child);
        self.path.keys.pop();
        self.evaluation.unmake_move();
        result
    }
}

/// The position after a legal move, while the table's entry for it is prefetched. Not inlined: every node comes through
/// here, and one copy of this code stays in the instruction cache.
#[inline(never)]
fn child(table: &Table, position: &Position, mv: Move) -> Position {
    position.play_with_prefetch(mv, |likely_key| table.prefetch(likely_key))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two positions of the game, then the root and three more: the node asked about stands at ply 4.
    fn path() -> Path {
        Path { keys: vec![1, 2, 3, 4, 5, 6], game_len: 2, repeatable_from: 0 }
    }

    #[test]
    fn a_repetition_depends_on_the_position_that_it_repeats() {
        assert_eq!(path().repetition(3, 10, 4), Some(PathDependency::on_ply(0)));
        assert_eq!(path().repetition(7, 10, 4), None);
        assert_eq!(path().repetition(3, 3, 4), None, "a capture or a pawn move three plies ago");
        let after_null_move = Path { repeatable_from: 3, ..path() };
        assert_eq!(after_null_move.repetition(3, 10, 4), None);
    }

    #[test]
    fn before_the_root_only_the_second_repetition_is_a_draw() {
        let game = |keys: &[u64]| Path::new(keys).repetition(9, 10, 0);
        assert_eq!(game(&[9, 1, 2, 3]), None);
        assert_eq!(game(&[9, 1, 2, 3, 9, 1, 2, 3]), Some(PathDependency::BEFORE_ROOT));
    }
}

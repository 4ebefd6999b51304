//! The interface through which the search asks for static scores.

use cozy_chess::Move;
use mnemon_chess::Position;
use mnemon_table::Score;

use super::Evaluator;

/// A static evaluation that follows the moves of a search.
///
/// The search announces its root, then every move that it makes and takes back, the last made first. An implementation
/// may keep state for the current position, as an incrementally updated network (NNUE) keeps its accumulators.
/// [`Evaluator`] keeps none, and its notifications cost nothing.
pub trait Evaluation: Send {
    /// A search begins at `root`. Moves that an earlier search made no longer count.
    fn set_root(&mut self, root: &Position);

    /// The search makes a move in `position`; `None` is a null move.
    fn make_move(&mut self, position: &Position, mv: Option<Move>);

    /// The search takes back the last move made.
    fn unmake_move(&mut self);

    /// The score of the current position for its side to move, in hundredths of a pawn, within
    /// `±`[`HIGHEST_POINTS`](mnemon_search::HIGHEST_POINTS). The side to move is not in check.
    fn evaluate(&mut self, position: &Position) -> Score;
}

impl Evaluation for Evaluator {
    #[inline]
    fn set_root(&mut self, _root: &Position) {}

    #[inline]
    fn make_move(&mut self, _position: &Position, _mv: Option<Move>) {}

    #[inline]
    fn unmake_move(&mut self) {}

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        Evaluator::evaluate(self, position.board())
    }
}

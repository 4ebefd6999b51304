//! A chess position as a [`Game`] with the engine's evaluation, for searches of `mnemon-search`.

use std::borrow::Cow;
use std::num::NonZeroU16;

use cozy_chess::Move;
use mnemon_chess::Position;
use mnemon_search::{Game, Outcome};
use mnemon_table::Score;

use crate::eval::evaluate;

/// A [`Position`] with the engine's evaluation in place of the material balance. All else is the position's, the keys in
/// a memory included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluatedPosition(pub Position);

impl Game for EvaluatedPosition {
    type Move = Move;

    const CYCLES: bool = Position::CYCLES;

    fn name() -> Cow<'static, str> {
        Position::name()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        self.0.moves(moves);
    }

    fn play(&self, mv: Move) -> Self {
        EvaluatedPosition(self.0.play(mv))
    }

    fn evaluate(&self) -> Score {
        evaluate(self.0.board())
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        self.0.pack(bytes);
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        Position::unpack(bytes).map(EvaluatedPosition)
    }

    fn code(mv: Move) -> NonZeroU16 {
        Position::code(mv)
    }

    fn is_drawn_by_counter(&self) -> bool {
        self.0.is_drawn_by_counter()
    }

    fn ordering_score(&self, mv: Move) -> i32 {
        self.0.ordering_score(mv)
    }
}

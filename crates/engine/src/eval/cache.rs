//! Evaluation with a memory for what pawns and kings decide, one for each thread.

use cozy_chess::{BitBoard, Board, Color};
use mnemon_table::Score;

use super::pawns::look_at_pawns;
use super::scene::EvalContext;
use super::{Pair, Sum, weighed};
use crate::scatter::scatter;

/// How many pawn structures are kept.
const SIZE: usize = 1 << 13;

/// What is kept of one pawn structure. A king always stands somewhere, so no position equals the empty one.
#[derive(Clone, Copy, Default)]
struct Structure {
    pawns: [u64; 2],
    kings: u64,
    passed: u64,
    sum: Pair,
}

impl Structure {
    // Not inlined: it is needed seldom, and would stand in the way of what always is.
    #[inline(never)]
    fn new(board: &Board, pawns: [u64; 2], kings: u64) -> Self {
        let mut sum = Sum(Pair::ZERO);
        let passed = look_at_pawns(&EvalContext::new(board), &mut sum).0;
        Structure { pawns, kings, passed, sum: sum.0 }
    }
}

/// Evaluates positions, and remembers their pawn structures. Its scores are those of [`evaluate`](super::evaluate).
///
/// ```
/// use mnemon_engine::eval::{Evaluator, evaluate};
/// use mnemon_chess::Position;
///
/// let position: Position = "4k3/2p5/8/3P4/8/8/8/R3K3 w Q - 0 1".parse()?;
/// let mut evaluator = Evaluator::new();
/// assert_eq!(evaluator.evaluate(position.board()), evaluate(position.board()));
/// # Ok::<(), mnemon_chess::ChessError>(())
/// ```
pub struct Evaluator {
    structures: Box<[Structure]>,
}

impl Evaluator {
    /// One that remembers nothing.
    #[must_use]
    pub fn new() -> Self {
        Evaluator { structures: vec![Structure::default(); SIZE].into() }
    }

    /// The score for the side to move, in hundredths of a pawn.
    pub fn evaluate(&mut self, board: &Board) -> Score {
        let mut scene = EvalContext::new(board);
        let Structure { passed, sum, .. } = *self.structure(&scene);
        let mut sum = Sum(sum);
        scene.look_at_pieces(BitBoard(passed), &mut sum);
        weighed(board, sum.0)
    }

    fn structure(&mut self, scene: &EvalContext<'_>) -> &Structure {
        let pawns = Color::ALL.map(|side| scene.side(side).pawns.0);
        let king = |side| scene.side(side).king as u64;
        let kings = king(Color::White) | king(Color::Black) << 6;
        let kept = &mut self.structures[place(pawns, kings)];
        if kept.pawns != pawns || kept.kings != kings {
            *kept = Structure::new(scene.board, pawns, kings);
        }
        kept
    }
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::new()
    }
}

fn place(pawns: [u64; 2], kings: u64) -> usize {
    scatter([pawns[0], pawns[1], kings], SIZE.trailing_zeros())
}

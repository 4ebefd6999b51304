//! Evaluation with a cache of pawn structures; each search thread has its own.

use cozy_chess::{BitBoard, Board, Color};
use mnemon_search::random::mix;
use mnemon_table::Score;

use super::context::EvalContext;
use super::pawns::trace_pawns;
use super::{TaperedScore, WeightedSum, to_score};

/// The size of the cache is `1 << INDEX_BITS` pawn structures.
const INDEX_BITS: u32 = 13;

/// The cached features of pawns and kings. In the empty entry both kings are on a1, so it equals no position.
#[derive(Clone, Copy, Default)]
struct Structure {
    pawns: [u64; 2],
    kings: u64,
    passed: u64,
    sum: TaperedScore,
}

impl Structure {
    // Cache misses are rare: not inlined, so that the hot path fits the instruction cache.
    #[inline(never)]
    fn new(board: &Board, pawns: [u64; 2], kings: u64) -> Self {
        let mut sum = WeightedSum(TaperedScore::ZERO);
        let passed = trace_pawns(&EvalContext::new(board), &mut sum).0;
        Structure { pawns, kings, passed, sum: sum.0 }
    }
}

/// Evaluates positions and caches their pawn structures. Its scores are those of [`evaluate`](super::evaluate).
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
    /// An evaluator with an empty cache.
    #[must_use]
    pub fn new() -> Self {
        Evaluator { structures: vec![Structure::default(); 1 << INDEX_BITS].into() }
    }

    /// The static evaluation for the side to move, in centipawns.
    pub fn evaluate(&mut self, board: &Board) -> Score {
        let mut context = EvalContext::new(board);
        let Structure { passed, sum, .. } = *self.structure(&context);
        let mut sum = WeightedSum(sum);
        context.trace_pieces(BitBoard(passed), &mut sum);
        to_score(board, sum.0)
    }

    fn structure(&mut self, context: &EvalContext<'_>) -> &Structure {
        let pawns = Color::ALL.map(|side| context.side(side).pawns.0);
        let king = |side| context.side(side).king as u64;
        let kings = king(Color::White) | king(Color::Black) << 6;
        let kept = &mut self.structures[index([pawns[0], pawns[1], kings])];
        if kept.pawns != pawns || kept.kings != kings {
            *kept = Structure::new(context.board, pawns, kings);
        }
        kept
    }
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::new()
    }
}

/// Odd factors without a common pattern.
const FACTORS: [u64; 3] = [mix(1) | 1, mix(2) | 1, mix(3) | 1];

/// The index of a pawn structure: a multiplicative hash whose products do not depend on each other.
#[inline]
fn index(words: [u64; 3]) -> usize {
    let sum = words.iter().zip(FACTORS).fold(0, |sum: u64, (word, factor)| sum ^ word.wrapping_mul(factor));
    // The low bits of a product depend only on the low bits of its factors: the index is taken from the high ones.
    ((sum ^ (sum >> 29)).wrapping_mul(FACTORS[0]) >> (u64::BITS - INDEX_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pawn_structures_are_spread_over_the_cache() {
        let mut hits = vec![0; 1 << INDEX_BITS];
        for white in 0..256_u64 {
            for black in 0..128_u64 {
                hits[index([white << 8, black << 48, 0])] += 1;
            }
        }
        // 32,768 entries at 8192 indices: 4 on average; by chance about 1.8 % of the indices would be empty.
        assert!(hits.iter().filter(|&&times| times == 0).count() < 480);
        assert!(hits.iter().all(|&times| times < 20));
    }
}

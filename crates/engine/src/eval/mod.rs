//! The static evaluation: an estimate of a position's score without any search.
//!
//! It is a sum of [features](terms) times [weights](WEIGHTS), with a weight for the middlegame and one for the endgame,
//! tapered by the pieces that are left. [`trace`] reports the features to any [`FeatureSink`], so that a tuner sees what
//! the sum sees. An [`Evaluator`] caches pawn structures and computes all else from the board. The search reaches it through
//! [`Evaluation`], which sees every move made and taken back, as an incrementally updated network needs.

mod cache;
mod context;
mod evaluation;
mod features;
mod king_safety;
mod kpk;
pub(crate) mod masks;
mod passed_pawns;
mod pawns;
mod tapered;
pub mod terms;
mod threats;
mod weights;

use cozy_chess::{BitBoard, Board, Color, Piece};
use mnemon_search::HIGHEST_POINTS;
use mnemon_table::Score;

pub use cache::Evaluator;
pub use evaluation::Evaluation;
pub use features::{FeatureSink, trace};
pub use tapered::TaperedScore;
use terms::Group;
pub use weights::WEIGHTS;

/// The [`phase`] of a position with all pieces.
pub const MAX_PHASE: i32 = 24;
/// The [`scale`] of an endgame score that is not reduced.
pub const FULL_SCALE: i32 = 64;

/// The score for the side to move, in hundredths of a pawn.
///
/// ```
/// use mnemon_chess::Position;
/// use mnemon_engine::evaluate;
///
/// let up_a_queen: Position = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1".parse()?;
/// assert!(evaluate(up_a_queen.board()) > 500);
/// # Ok::<(), mnemon_chess::ChessError>(())
/// ```
pub fn evaluate(board: &Board) -> Score {
    let mut sum = WeightedSum(TaperedScore::ZERO);
    trace(board, &mut sum);
    to_score(board, sum.0)
}

/// The sum as a score for the side to move: tapered, scaled, and clamped below mate scores. King and pawn against king are
/// scored by their result instead.
fn to_score(board: &Board, sum: TaperedScore) -> Score {
    if let Some(score) = kpk::score(board) {
        return score;
    }
    let white = sum.taper(phase(board), MAX_PHASE, scale(board, sum.end()), FULL_SCALE);
    let score = if board.side_to_move() == Color::White { white } else { -white };
    let limit = i32::from(HIGHEST_POINTS);
    score.clamp(-limit, limit) as Score
}

/// A sink that sums features times weights.
struct WeightedSum(TaperedScore);

impl FeatureSink for WeightedSum {
    #[inline]
    fn add(&mut self, side: Color, group: Group, number: usize, times: i32) {
        let worth = WEIGHTS[group.start + number] * times;
        match side {
            Color::White => self.0 += worth,
            Color::Black => self.0 -= worth,
        }
    }
}

/// How much of the middlegame is left: [`MAX_PHASE`] at the start, 0 with kings and pawns only.
pub fn phase(board: &Board) -> i32 {
    let count = |piece| board.pieces(piece).len() as i32;
    let pieces = count(Piece::Knight) + count(Piece::Bishop) + 2 * count(Piece::Rook) + 4 * count(Piece::Queen);
    pieces.min(MAX_PHASE)
}

/// The scale factor of the endgame score, of [`FULL_SCALE`]: low for the side that is ahead without pawns, reduced with
/// bishops of opposite colours. `end` is White's endgame score.
pub fn scale(board: &Board, end: i32) -> i32 {
    let strong = if end >= 0 { Color::White } else { Color::Black };
    let count = |side, piece| board.colored_pieces(side, piece).len() as i32;
    let pawns = count(strong, Piece::Pawn);
    let worth = |side| {
        3 * (count(side, Piece::Knight) + count(side, Piece::Bishop))
            + 5 * count(side, Piece::Rook)
            + 9 * count(side, Piece::Queen)
    };
    if pawns == 0 && worth(strong) - worth(!strong) <= 3 {
        // Without pawns, an advantage of a minor piece or less does not win.
        return if worth(strong) <= 3 { 0 } else { FULL_SCALE / 8 };
    }
    if opposite_bishops(board) {
        let only_bishops = worth(Color::White) == 3 && worth(Color::Black) == 3;
        return if only_bishops { 16 + 4 * pawns } else { 44 + 2 * pawns }.min(FULL_SCALE);
    }
    (48 + 4 * pawns).min(FULL_SCALE)
}

/// Whether each side has one bishop, on squares of different colours.
fn opposite_bishops(board: &Board) -> bool {
    let bishops = Color::ALL.map(|side| board.colored_pieces(side, Piece::Bishop));
    let dark = bishops.map(|bishops| (bishops & BitBoard::DARK_SQUARES).len());
    bishops.iter().all(|bishops| bishops.len() == 1) && dark[0] != dark[1]
}

//! The evaluation: a guess at a position's score without any search.
//!
//! It is a sum of [features](terms) times [weights](WEIGHTS), one for the middle game and one for the endgame, tapered by
//! the pieces that are left. [`look`] tells the features to anyone who counts them, so that a tuner sees what the sum sees.
//! The search asks an [`Evaluator`], which remembers pawn structures; a network would take its place and nothing else.

mod cache;
mod danger;
mod evaluation;
mod features;
pub(crate) mod masks;
mod pair;
mod passers;
mod pawns;
mod scene;
pub mod terms;
mod threats;
mod weights;

use cozy_chess::{BitBoard, Board, Color, Piece};
use mnemon_search::HIGHEST_POINTS;
use mnemon_table::Score;

pub use cache::Evaluator;
pub use evaluation::Evaluation;
pub use features::{FeatureSink, look};
pub use pair::Pair;
use terms::Group;
pub use weights::WEIGHTS;

/// The pieces at the start of the game, as the phase counts them.
pub const WHOLE_PHASE: i32 = 24;
/// An endgame score that is not scaled down.
pub const WHOLE_SCALE: i32 = 64;

/// The score for the side to move, in hundredths of a pawn.
///
/// ```
/// use mnemon_chess::{Position, evaluate};
///
/// let up_a_queen: Position = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1".parse()?;
/// assert!(evaluate(up_a_queen.board()) > 500);
/// # Ok::<(), mnemon_chess::ChessError>(())
/// ```
pub fn evaluate(board: &Board) -> Score {
    let mut sum = Sum(Pair::ZERO);
    look(board, &mut sum);
    weighed(board, sum.0)
}

/// The sum as a score for the side to move: tapered, scaled, and within what is no mate.
fn weighed(board: &Board, sum: Pair) -> Score {
    let white = sum.taper(phase(board), WHOLE_PHASE, scale(board, sum.end()), WHOLE_SCALE);
    let score = if board.side_to_move() == Color::White { white } else { -white };
    let limit = i32::from(HIGHEST_POINTS);
    score.clamp(-limit, limit) as Score
}

/// The sum of features times weights.
struct Sum(Pair);

impl FeatureSink for Sum {
    #[inline]
    fn add(&mut self, side: Color, group: Group, number: usize, times: i32) {
        let worth = WEIGHTS[group.start + number] * times;
        match side {
            Color::White => self.0 += worth,
            Color::Black => self.0 -= worth,
        }
    }
}

/// How much of the middle game is left: 24 at the start, 0 with kings and pawns only.
pub fn phase(board: &Board) -> i32 {
    let count = |piece| board.pieces(piece).len() as i32;
    let pieces = count(Piece::Knight) + count(Piece::Bishop) + 2 * count(Piece::Rook) + 4 * count(Piece::Queen);
    pieces.min(WHOLE_PHASE)
}

/// How much of an endgame advantage can be made to count, of [`WHOLE_SCALE`]: little without pawns, some with bishops of
/// opposite colours. `end` is White's endgame score.
pub fn scale(board: &Board, end: i32) -> i32 {
    let strong = if end >= 0 { Color::White } else { Color::Black };
    let men = |side, piece| board.colored_pieces(side, piece).len() as i32;
    let pawns = men(strong, Piece::Pawn);
    let worth = |side| {
        3 * (men(side, Piece::Knight) + men(side, Piece::Bishop))
            + 5 * men(side, Piece::Rook)
            + 9 * men(side, Piece::Queen)
    };
    if pawns == 0 && worth(strong) - worth(!strong) <= 3 {
        // A minor piece more does not win without pawns, and less does not either.
        return if worth(strong) <= 3 { 0 } else { WHOLE_SCALE / 8 };
    }
    if opposite_bishops(board) {
        let only_bishops = worth(Color::White) == 3 && worth(Color::Black) == 3;
        return if only_bishops { 16 + 4 * pawns } else { 44 + 2 * pawns }.min(WHOLE_SCALE);
    }
    (48 + 4 * pawns).min(WHOLE_SCALE)
}

/// Whether each side has one bishop, on squares of different colours.
fn opposite_bishops(board: &Board) -> bool {
    let bishops = Color::ALL.map(|side| board.colored_pieces(side, Piece::Bishop));
    let dark = bishops.map(|bishops| (bishops & BitBoard::DARK_SQUARES).len());
    bishops.iter().all(|bishops| bishops.len() == 1) && dark[0] != dark[1]
}

//! History statistics, which order moves, reduce and prune late ones, and correct the evaluation: quiet history,
//! capture history, continuation history, countermoves, correction history.

use cozy_chess::{Color, Move, Piece, Square};
use mnemon_chess::Position;
use mnemon_table::Score;

use super::correction::CorrectionHistory;

/// The index of a moved piece and its target square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    pub(crate) const COUNT: usize = 2 * 6 * 64;

    pub(crate) fn new(side: Color, piece: Piece, mv: Move) -> Self {
        PieceTo(((side as u16 * 6) + piece as u16) * 64 + mv.to as u16)
    }

    fn index(self) -> usize {
        self.0.into()
    }
}

/// Statistics stay within `±LIMIT`.
const LIMIT: i32 = 16_384;

/// Adds a bonus or, if negative, a malus. The nearer a statistic is to its limit the less it moves (history gravity).
fn add_bonus(statistic: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let old = i32::from(*statistic);
    *statistic = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

/// Continuation history after a null move, or before the root.
static NO_CONTINUATION: [i16; PieceTo::COUNT] = [0; PieceTo::COUNT];

/// Quiet and continuation history for the quiet moves of one node.
pub(crate) struct QuietHistory<'h> {
    side: Color,
    quiet: &'h [i16],
    continuation: [&'h [i16; PieceTo::COUNT]; 3],
}

impl QuietHistory<'_> {
    /// The statistics of one piece's quiet moves.
    #[inline]
    pub(crate) fn of_piece(&self, piece: Piece, from: Square) -> PieceHistory<'_> {
        let quiet = &self.quiet.as_chunks().0[self.side as usize * 64 + from as usize];
        let [one, two, four] = self.continuation.map(|row| &row.as_chunks().0[self.side as usize * 6 + piece as usize]);
        PieceHistory([quiet, one, two, four])
    }
}

/// Quiet and continuation history of one piece's moves, by target square.
pub(crate) struct PieceHistory<'h>([&'h [i16; 64]; 4]);

impl PieceHistory<'_> {
    /// The sum of the statistics of the move to this square.
    #[inline]
    pub(crate) fn to(&self, square: Square) -> i32 {
        self.0.iter().map(|row| i32::from(row[square as usize])).sum()
    }
}

/// One thread's statistics. They are kept from search to search within a game.
pub(crate) struct History {
    /// Quiet history, by side, from and to.
    quiet: Vec<i16>,
    /// Capture history, by moved piece, target square and captured piece.
    capture: Vec<i16>,
    /// Continuation history, by an earlier move and the move itself.
    continuation: Vec<i16>,
    /// The countermove: the quiet move that last refuted a move.
    countermoves: Vec<Option<Move>>,
    correction: CorrectionHistory,
}

impl History {
    pub(crate) fn new() -> Self {
        History {
            quiet: vec![0; 2 * 64 * 64],
            capture: vec![0; PieceTo::COUNT * 6],
            continuation: vec![0; PieceTo::COUNT * PieceTo::COUNT],
            countermoves: vec![None; PieceTo::COUNT],
            correction: CorrectionHistory::new(),
        }
    }

    /// Forgets everything, and keeps the allocations: the system would have to map new ones page by page.
    pub(crate) fn clear(&mut self) {
        self.quiet.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
        self.countermoves.fill(None);
        self.correction.clear();
    }

    fn quiet_index(side: Color, mv: Move) -> usize {
        (side as usize * 64 + mv.from as usize) * 64 + mv.to as usize
    }

    /// Quiet and continuation history of a move, after the moves before it.
    pub(crate) fn quiet(&self, side: Color, piece: Piece, mv: Move, prior: &[Option<PieceTo>; 3]) -> i32 {
        self.quiet_history(side, prior).of_piece(piece, mv.from).to(mv.to)
    }

    /// Quiet and continuation history of the side's moves, after the moves before them.
    pub(crate) fn quiet_history(&self, side: Color, prior: &[Option<PieceTo>; 3]) -> QuietHistory<'_> {
        let rows = self.continuation.as_chunks::<{ PieceTo::COUNT }>().0;
        let continuation = prior.map(|prior| prior.map_or(&NO_CONTINUATION, |prior| &rows[prior.index()]));
        QuietHistory { side, quiet: &self.quiet, continuation }
    }

    fn continuation_index(prior: PieceTo, moved: PieceTo) -> usize {
        prior.index() * PieceTo::COUNT + moved.index()
    }

    /// Adds a bonus or malus to quiet and continuation history.
    pub(crate) fn update_quiet(
        &mut self,
        side: Color,
        mv: Move,
        moved: PieceTo,
        prior: &[Option<PieceTo>; 3],
        bonus: i32,
    ) {
        add_bonus(&mut self.quiet[Self::quiet_index(side, mv)], bonus);
        self.update_continuation(moved, prior, bonus);
    }

    /// Adds a bonus or malus to continuation history.
    pub(crate) fn update_continuation(&mut self, moved: PieceTo, prior: &[Option<PieceTo>; 3], bonus: i32) {
        for prior in prior.iter().flatten() {
            add_bonus(&mut self.continuation[Self::continuation_index(*prior, moved)], bonus);
        }
    }

    /// Capture history of a move.
    pub(crate) fn capture(&self, moved: PieceTo, victim: Piece) -> i32 {
        self.capture[moved.index() * 6 + victim as usize].into()
    }

    /// Adds a bonus or malus to capture history.
    pub(crate) fn update_capture(&mut self, moved: PieceTo, victim: Piece, bonus: i32) {
        add_bonus(&mut self.capture[moved.index() * 6 + victim as usize], bonus);
    }

    /// The countermove of the move before.
    pub(crate) fn countermove(&self, prior: Option<PieceTo>) -> Option<Move> {
        self.countermoves[prior?.index()]
    }

    /// Sets the countermove of the move before.
    pub(crate) fn set_countermove(&mut self, prior: Option<PieceTo>, mv: Move) {
        if let Some(prior) = prior {
            self.countermoves[prior.index()] = Some(mv);
        }
    }

    /// What correction history adds to the position's static evaluation.
    pub(crate) fn correction(&self, position: &Position) -> i32 {
        self.correction.get(position)
    }

    /// Teaches correction history that a search to `depth` gave `score` where the evaluation was `eval`.
    pub(crate) fn update_correction(&mut self, position: &Position, depth: i32, score: Score, eval: Score) {
        self.correction.update(position, depth, i32::from(score) - i32::from(eval));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_stay_within_their_limit() {
        let mut statistic = 0;
        for _ in 0..1000 {
            add_bonus(&mut statistic, 3000);
        }
        assert!(i32::from(statistic) <= LIMIT && statistic > 15_000);
        add_bonus(&mut statistic, -LIMIT);
        assert!(i32::from(statistic) >= -LIMIT);
    }

    #[test]
    fn nothing_is_left_when_it_is_cleared() {
        let mut history = History::new();
        let position = Position::start();
        let mv = Move { from: Square::E2, to: Square::E4, promotion: None };
        let moved = PieceTo::new(Color::White, Piece::Pawn, mv);
        let prior = [Some(moved); 3];
        history.update_quiet(Color::White, mv, moved, &prior, 900);
        history.update_capture(moved, Piece::Queen, 900);
        history.set_countermove(Some(moved), mv);
        history.update_correction(&position, 16, 60, 0);
        history.clear();
        assert_eq!(history.quiet(Color::White, Piece::Pawn, mv, &prior), 0);
        assert_eq!(history.capture(moved, Piece::Queen), 0);
        assert_eq!(history.countermove(Some(moved)), None);
        assert_eq!(history.correction(&position), 0);
    }

    #[test]
    fn corrections_follow_the_error() {
        let mut history = History::new();
        let position = Position::start();
        for _ in 0..500 {
            history.update_correction(&position, 8, 60, 0);
        }
        let correction = history.correction(&position);
        assert!((60..=120).contains(&correction), "{correction}");
    }
}

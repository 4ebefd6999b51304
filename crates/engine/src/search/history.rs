//! What past cutoffs say about moves: statistics that order moves, reduce late ones and correct the evaluation.

use cozy_chess::{Color, Move, Piece, Square};
use mnemon_table::Score;

use mnemon_chess::Position;

/// A man on the square that it moved to, as tables number it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moved(u16);

impl Moved {
    pub(crate) const COUNT: usize = 2 * 6 * 64;

    pub(crate) fn new(side: Color, piece: Piece, mv: Move) -> Self {
        Moved(((side as u16 * 6) + piece as u16) * 64 + mv.to as u16)
    }

    fn index(self) -> usize {
        self.0.into()
    }
}

/// A statistic moves towards ±this.
const LIMIT: i32 = 16_384;

fn shift(statistic: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let old = i32::from(*statistic);
    *statistic = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

/// What continuation statistics say after no move.
static NOTHING: [i16; Moved::COUNT] = [0; Moved::COUNT];

/// The statistics that one node's quiet moves are ranked by.
pub(crate) struct QuietHistory<'h> {
    side: Color,
    quiet: &'h [i16],
    after: [&'h [i16; Moved::COUNT]; 3],
}

impl QuietHistory<'_> {
    /// What is known of the quiet moves of one of the side's men.
    #[inline]
    pub(crate) fn of_man(&self, piece: Piece, from: Square) -> PieceHistory<'_> {
        let own = &self.quiet.as_chunks().0[self.side as usize * 64 + from as usize];
        let [one, two, four] = self.after.map(|row| &row.as_chunks().0[self.side as usize * 6 + piece as usize]);
        PieceHistory([own, one, two, four])
    }
}

/// The statistics of one man's quiet moves, by the square that it goes to.
pub(crate) struct PieceHistory<'h>([&'h [i16; 64]; 4]);

impl PieceHistory<'_> {
    /// How well going there has done.
    #[inline]
    pub(crate) fn to(&self, square: Square) -> i32 {
        self.0.iter().map(|row| i32::from(row[square as usize])).sum()
    }
}

/// One thread's statistics. They outlive a search, and not a game.
pub(crate) struct History {
    /// By side, from and to.
    quiet: Vec<i16>,
    /// By the man that moved, its square, and what it took.
    capture: Vec<i16>,
    /// By an earlier move and this one.
    continuation: Vec<i16>,
    /// The quiet move that refuted a move last.
    counter: Vec<Option<Move>>,
    correction: Correction,
}

impl History {
    pub(crate) fn new() -> Self {
        History {
            quiet: vec![0; 2 * 64 * 64],
            capture: vec![0; Moved::COUNT * 6],
            continuation: vec![0; Moved::COUNT * Moved::COUNT],
            counter: vec![None; Moved::COUNT],
            correction: Correction::new(),
        }
    }

    /// Forgets everything. The memory stays: new one would have to be fetched from the system page by page.
    pub(crate) fn clear(&mut self) {
        self.quiet.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
        self.counter.fill(None);
        self.correction.tables.iter_mut().for_each(|table| table.fill(0));
    }

    fn quiet_index(side: Color, mv: Move) -> usize {
        (side as usize * 64 + mv.from as usize) * 64 + mv.to as usize
    }

    /// How well a quiet move has done, by itself and after the moves before it.
    pub(crate) fn quiet(&self, side: Color, piece: Piece, mv: Move, before: &[Option<Moved>; 3]) -> i32 {
        self.past(side, before).of_man(piece, mv.from).to(mv.to)
    }

    /// What is known of the side's quiet moves after these.
    pub(crate) fn past(&self, side: Color, before: &[Option<Moved>; 3]) -> QuietHistory<'_> {
        let rows = self.continuation.as_chunks::<{ Moved::COUNT }>().0;
        let after = before.map(|before| before.map_or(&NOTHING, |before| &rows[before.index()]));
        QuietHistory { side, quiet: &self.quiet, after }
    }

    fn pair(before: Moved, moved: Moved) -> usize {
        before.index() * Moved::COUNT + moved.index()
    }

    /// Praises or blames a quiet move.
    pub(crate) fn update_quiet(
        &mut self,
        side: Color,
        mv: Move,
        moved: Moved,
        before: &[Option<Moved>; 3],
        bonus: i32,
    ) {
        shift(&mut self.quiet[Self::quiet_index(side, mv)], bonus);
        self.update_continuation(moved, before, bonus);
    }

    /// Praises or blames a move after the moves before it only.
    pub(crate) fn update_continuation(&mut self, moved: Moved, before: &[Option<Moved>; 3], bonus: i32) {
        for before in before.iter().flatten() {
            shift(&mut self.continuation[Self::pair(*before, moved)], bonus);
        }
    }

    /// How well a capture has done.
    pub(crate) fn capture(&self, moved: Moved, taken: Piece) -> i32 {
        self.capture[moved.index() * 6 + taken as usize].into()
    }

    /// Praises or blames a capture.
    pub(crate) fn update_capture(&mut self, moved: Moved, taken: Piece, bonus: i32) {
        shift(&mut self.capture[moved.index() * 6 + taken as usize], bonus);
    }

    /// The quiet move that refuted this one last.
    pub(crate) fn counter(&self, before: Option<Moved>) -> Option<Move> {
        self.counter[before?.index()]
    }

    /// Remembers a refutation.
    pub(crate) fn set_counter(&mut self, before: Option<Moved>, mv: Move) {
        if let Some(before) = before {
            self.counter[before.index()] = Some(mv);
        }
    }

    /// By how much searches of similar positions differed from their evaluation.
    pub(crate) fn correction(&self, position: &Position) -> i32 {
        self.correction.get(position)
    }

    /// A search to `depth` gave `score` where the evaluation said `eval`.
    pub(crate) fn correct(&mut self, position: &Position, depth: i32, score: Score, eval: Score) {
        self.correction.update(position, depth, i32::from(score) - i32::from(eval));
    }
}

/// Errors of the evaluation, by pawns and by each side's pieces.
struct Correction {
    tables: [Vec<i16>; 3],
}

impl Correction {
    const BITS: u32 = 14;
    const SIZE: usize = 1 << Self::BITS;
    /// A statistic of this much is one hundredth of a pawn.
    const GRAIN: i32 = 64;
    const LARGEST: i32 = 128;

    fn new() -> Self {
        Correction { tables: std::array::from_fn(|_| vec![0; 2 * Self::SIZE]) }
    }

    fn indices(position: &Position) -> [usize; 3] {
        let side = position.side_to_move() as usize * Self::SIZE;
        position.mailbox().parts().map(|key| side + (key >> (u64::BITS - Self::BITS)) as usize)
    }

    fn get(&self, position: &Position) -> i32 {
        let errors = self.tables.iter().zip(Self::indices(position)).map(|(table, index)| i32::from(table[index]));
        4 * errors.sum::<i32>() / (9 * Self::GRAIN)
    }

    fn update(&mut self, position: &Position, depth: i32, error: i32) {
        let weight = (depth + 1).min(16);
        let target = error.clamp(-Self::LARGEST, Self::LARGEST) * Self::GRAIN;
        for (table, index) in self.tables.iter_mut().zip(Self::indices(position)) {
            let old = i32::from(table[index]);
            table[index] = ((old * (256 - weight) + target * weight) / 256) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_stay_within_their_limit() {
        let mut statistic = 0;
        for _ in 0..1000 {
            shift(&mut statistic, 3000);
        }
        assert!(i32::from(statistic) <= LIMIT && statistic > 15_000);
        shift(&mut statistic, -LIMIT);
        assert!(i32::from(statistic) >= -LIMIT);
    }

    #[test]
    fn nothing_is_left_when_it_is_cleared() {
        let mut history = History::new();
        let position = Position::start();
        let mv = Move { from: Square::E2, to: Square::E4, promotion: None };
        let moved = Moved::new(Color::White, Piece::Pawn, mv);
        let before = [Some(moved); 3];
        history.update_quiet(Color::White, mv, moved, &before, 900);
        history.update_capture(moved, Piece::Queen, 900);
        history.set_counter(Some(moved), mv);
        history.correct(&position, 16, 60, 0);
        history.clear();
        assert_eq!(history.quiet(Color::White, Piece::Pawn, mv, &before), 0);
        assert_eq!(history.capture(moved, Piece::Queen), 0);
        assert_eq!(history.counter(Some(moved)), None);
        assert_eq!(history.correction(&position), 0);
    }

    #[test]
    fn corrections_follow_the_error() {
        let mut history = History::new();
        let position = Position::start();
        for _ in 0..500 {
            history.correct(&position, 8, 60, 0);
        }
        let correction = history.correction(&position);
        assert!((60..=120).contains(&correction), "{correction}");
    }
}

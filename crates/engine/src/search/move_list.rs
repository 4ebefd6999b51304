//! Moves with ordering scores, of which the best is taken out again and again.

use std::num::NonZeroU16;

use cozy_chess::Move;
use mnemon_chess::{from_code, to_code};

/// An item's low bits: the move, and above it the item's index, counted down.
const MOVE_BITS: u32 = 16;
const INDEX_BITS: u32 = 16;
const MAX_INDEX: i64 = (1 << INDEX_BITS) - 1;
/// Less than any item.
const TAKEN: i64 = i64::MIN;

/// Moves and their ordering scores. Of moves with equal scores the first added comes first.
///
/// Score, index and move are packed into one number, so that the selection is a plain maximum.
#[derive(Default)]
pub(crate) struct MoveList(Vec<i64>);

impl MoveList {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a move.
    #[inline]
    pub(crate) fn push(&mut self, mv: Move, score: i32) {
        let index = MAX_INDEX - self.0.len() as i64;
        debug_assert!(index >= 0);
        let high = i64::from(score) << (INDEX_BITS + MOVE_BITS);
        self.0.push(high | index << MOVE_BITS | i64::from(to_code(mv).get()));
    }

    /// Takes out the move with the highest score; `None` if none is left.
    #[inline(never)]
    pub(crate) fn take_best(&mut self) -> Option<Move> {
        let best = self.0.iter().fold(TAKEN, |best, &item| best.max(item));
        let code = NonZeroU16::new(best as u16)?;
        let index = (MAX_INDEX - (best >> MOVE_BITS & MAX_INDEX)) as usize;
        self.0[index] = TAKEN;
        from_code(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemon_chess::random_games::walk;

    /// The order is that of a stable sort.
    #[test]
    fn moves_come_by_their_scores() {
        walk(5, 2_000, |position, moves, random| {
            let mut sorted: Vec<(Move, i32)> =
                moves.iter().map(|&mv| (mv, random.below(100) as i32 * 2_000 - 100_000)).collect();
            sorted[0].1 = i32::MIN;
            let mut list = MoveList::default();
            sorted.iter().for_each(|&(mv, score)| list.push(mv, score));
            sorted.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
            let taken: Vec<Move> = std::iter::from_fn(|| list.take_best()).collect();
            assert_eq!(taken, sorted.into_iter().map(|(mv, _)| mv).collect::<Vec<_>>(), "{position}");
        });
    }
}

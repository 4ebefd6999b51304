//! Moves with ranks, of which the best is taken again and again.

use std::num::NonZeroU16;

use cozy_chess::Move;

use mnemon_chess::{from_code, to_code};

/// The low bits of a key: the move, and above it where the key stands, counted down.
const MOVE_BITS: u32 = 16;
const PLACE_BITS: u32 = 16;
const LAST_PLACE: i64 = (1 << PLACE_BITS) - 1;
/// Less than any key.
const NOTHING: i64 = i64::MIN;

/// Moves and their ranks. Of equal ones the first comes first.
///
/// Rank, place and move are one number, so that looking for the best remembers nothing on the way.
#[derive(Default)]
pub(crate) struct Ranking(Vec<i64>);

impl Ranking {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a move.
    #[inline]
    pub(crate) fn push(&mut self, mv: Move, rank: i32) {
        let place = LAST_PLACE - self.0.len() as i64;
        debug_assert!(place >= 0);
        let high = i64::from(rank) << (PLACE_BITS + MOVE_BITS);
        self.0.push(high | place << MOVE_BITS | i64::from(to_code(mv).get()));
    }

    /// Takes out the best move.
    #[inline(never)]
    pub(crate) fn take_best(&mut self) -> Option<Move> {
        let best = self.0.iter().fold(NOTHING, |best, &key| best.max(key));
        let code = NonZeroU16::new(best as u16)?;
        let place = (LAST_PLACE - (best >> MOVE_BITS & LAST_PLACE)) as usize;
        self.0[place] = NOTHING;
        from_code(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemon_chess::random_games::walk;

    /// Best first, as sorting does it.
    #[test]
    fn moves_come_by_their_ranks() {
        walk(5, 2_000, |position, moves, random| {
            let mut sorted: Vec<(Move, i32)> =
                moves.iter().map(|&mv| (mv, random.below(100) as i32 * 2_000 - 100_000)).collect();
            sorted[0].1 = i32::MIN;
            let mut ranking = Ranking::default();
            sorted.iter().for_each(|&(mv, rank)| ranking.push(mv, rank));
            sorted.sort_by_key(|&(_, rank)| std::cmp::Reverse(rank));
            let taken: Vec<Move> = std::iter::from_fn(|| ranking.take_best()).collect();
            assert_eq!(taken, sorted.into_iter().map(|(mv, _)| mv).collect::<Vec<_>>(), "{position}");
        });
    }
}

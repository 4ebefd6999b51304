//! Two scores in one number: one for the middle game, one for the endgame.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middle-game and an endgame score, added and multiplied together.
///
/// The endgame's stands in the high half; a negative middle-game score borrows one from it, which [`end`](Self::end) gives
/// back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair(i32);

impl Pair {
    /// Nothing.
    pub const ZERO: Pair = Pair(0);

    /// A pair.
    pub const fn new(middle: i16, end: i16) -> Self {
        Pair(((end as i32) << 16) + middle as i32)
    }

    /// The middle-game score.
    pub const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame score.
    pub const fn end(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }

    /// The score between the two: `phase` is `whole` at the start of the game and 0 when only kings and pawns are left;
    /// the endgame's part is scaled by `scale` of `whole_scale`.
    pub const fn taper(self, phase: i32, whole: i32, scale: i32, whole_scale: i32) -> i32 {
        (self.middle() * phase + self.end() * (whole - phase) * scale / whole_scale) / whole
    }
}

impl Add for Pair {
    type Output = Pair;
    #[inline]
    fn add(self, other: Pair) -> Pair {
        Pair(self.0 + other.0)
    }
}

impl AddAssign for Pair {
    #[inline]
    fn add_assign(&mut self, other: Pair) {
        self.0 += other.0;
    }
}

impl Sub for Pair {
    type Output = Pair;
    #[inline]
    fn sub(self, other: Pair) -> Pair {
        Pair(self.0 - other.0)
    }
}

impl SubAssign for Pair {
    #[inline]
    fn sub_assign(&mut self, other: Pair) {
        self.0 -= other.0;
    }
}

impl Neg for Pair {
    type Output = Pair;
    #[inline]
    fn neg(self) -> Pair {
        Pair(-self.0)
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;
    #[inline]
    fn mul(self, times: i32) -> Pair {
        Pair(self.0 * times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_count_for_themselves() {
        for (a, b) in [(10, -20), (-10, 20), (-300, -1), (0, -5), (-5, 0)] {
            let pair = Pair::new(a, b);
            assert_eq!((pair.middle(), pair.end()), (i32::from(a), i32::from(b)));
            let sum = pair * 3 - Pair::new(7, -9);
            assert_eq!((sum.middle(), sum.end()), (i32::from(a) * 3 - 7, i32::from(b) * 3 + 9));
        }
    }

    #[test]
    fn tapering_goes_from_one_to_the_other() {
        let pair = Pair::new(100, 20);
        assert_eq!([0, 12, 24].map(|phase| pair.taper(phase, 24, 64, 64)), [20, 60, 100]);
        assert_eq!(pair.taper(0, 24, 32, 64), 10);
    }
}

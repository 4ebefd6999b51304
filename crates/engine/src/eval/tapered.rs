//! A middlegame and an endgame score packed into one integer.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame score, added and multiplied as one integer.
///
/// The endgame score is the high half; a negative middlegame score borrows 1 from it, which [`end`](Self::end) adds
/// back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaperedScore(i32);

impl TaperedScore {
    /// Zero for both.
    pub const ZERO: TaperedScore = TaperedScore(0);

    /// Packs both scores.
    pub const fn new(middle: i16, end: i16) -> Self {
        TaperedScore(((end as i32) << 16) + middle as i32)
    }

    /// The middlegame score.
    pub const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame score.
    pub const fn end(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }

    /// The interpolated score: `phase` is `whole` at the start of the game and 0 when only kings and pawns are left;
    /// the endgame's part is scaled by `scale` of `whole_scale`.
    pub const fn taper(self, phase: i32, whole: i32, scale: i32, whole_scale: i32) -> i32 {
        (self.middle() * phase + self.end() * (whole - phase) * scale / whole_scale) / whole
    }
}

impl Add for TaperedScore {
    type Output = TaperedScore;
    #[inline]
    fn add(self, other: TaperedScore) -> TaperedScore {
        TaperedScore(self.0 + other.0)
    }
}

impl AddAssign for TaperedScore {
    #[inline]
    fn add_assign(&mut self, other: TaperedScore) {
        self.0 += other.0;
    }
}

impl Sub for TaperedScore {
    type Output = TaperedScore;
    #[inline]
    fn sub(self, other: TaperedScore) -> TaperedScore {
        TaperedScore(self.0 - other.0)
    }
}

impl SubAssign for TaperedScore {
    #[inline]
    fn sub_assign(&mut self, other: TaperedScore) {
        self.0 -= other.0;
    }
}

impl Neg for TaperedScore {
    type Output = TaperedScore;
    #[inline]
    fn neg(self) -> TaperedScore {
        TaperedScore(-self.0)
    }
}

impl Mul<i32> for TaperedScore {
    type Output = TaperedScore;
    #[inline]
    fn mul(self, times: i32) -> TaperedScore {
        TaperedScore(self.0 * times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_count_for_themselves() {
        for (a, b) in [(10, -20), (-10, 20), (-300, -1), (0, -5), (-5, 0)] {
            let score = TaperedScore::new(a, b);
            assert_eq!((score.middle(), score.end()), (i32::from(a), i32::from(b)));
            let sum = score * 3 - TaperedScore::new(7, -9);
            assert_eq!((sum.middle(), sum.end()), (i32::from(a) * 3 - 7, i32::from(b) * 3 + 9));
        }
    }

    #[test]
    fn tapering_goes_from_one_to_the_other() {
        let score = TaperedScore::new(100, 20);
        assert_eq!([0, 12, 24].map(|phase| score.taper(phase, 24, 64, 64)), [20, 60, 100]);
        assert_eq!(score.taper(0, 24, 32, 64), 10);
    }
}

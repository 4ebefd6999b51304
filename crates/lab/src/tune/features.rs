//! A position as the tuner sees it: the coefficient of each weight of the evaluation.

use mnemon_chess::{Board, Color};
use mnemon_engine::eval::terms::{COUNT, Group};
use mnemon_engine::eval::{self, FULL_SCALE, FeatureSink, MAX_PHASE, TaperedScore, WEIGHTS};

/// A weight while it is being fitted: for the middlegame and for the endgame.
pub(super) type Weight = [f64; 2];

/// The weights that the engine was built with.
pub(super) fn built_in() -> Vec<Weight> {
    WEIGHTS.iter().map(|weight| [weight.middle().into(), weight.end().into()]).collect()
}

/// The features of one position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Features {
    /// The features that occur, and their number for White less that for Black.
    pub(super) terms: Box<[(u16, i8)]>,
    /// The shares of the middlegame's and the endgame's weights. The endgame's is scaled for drawish endings, which depends
    /// on the side that is ahead by the built-in weights; that is taken as constant.
    pub(super) shares: [f64; 2],
}

impl Features {
    pub(super) fn of(board: &Board) -> Self {
        let mut counts = Counts([0; COUNT]);
        eval::trace(board, &mut counts);
        let present = || counts.0.iter().enumerate().filter(|&(_, &times)| times != 0);
        let sum = present().fold(TaperedScore::ZERO, |sum, (number, &times)| sum + WEIGHTS[number] * i32::from(times));
        let phase = f64::from(eval::phase(board)) / f64::from(MAX_PHASE);
        let scale = f64::from(eval::scale(board, sum.end())) / f64::from(FULL_SCALE);
        let terms = present().map(|(number, &times)| (number as u16, times)).collect();
        Features { terms, shares: [phase, (1.0 - phase) * scale] }
    }

    /// The evaluation for White, in centipawns.
    pub(super) fn score(&self, weights: &[Weight]) -> f64 {
        let mut sums = [0.0; 2];
        for &(number, times) in &self.terms {
            let weight = weights[usize::from(number)];
            sums[0] += weight[0] * f64::from(times);
            sums[1] += weight[1] * f64::from(times);
        }
        sums[0] * self.shares[0] + sums[1] * self.shares[1]
    }
}

struct Counts([i8; COUNT]);

impl FeatureSink for Counts {
    fn add(&mut self, side: Color, group: Group, number: usize, times: i32) {
        let times = times as i8;
        self.0[group.start + number] += if side == Color::White { times } else { -times };
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::positions;
    use super::*;

    #[test]
    fn the_sum_is_the_evaluation() {
        let weights = built_in();
        let mut seen = 0;
        for position in positions(200, 1) {
            let board = position.board();
            let own = f64::from(mnemon_engine::evaluate(board));
            let white = if position.side_to_move() == Color::White { own } else { -own };
            let score = Features::of(board).score(&weights);
            // The evaluation rounds towards zero twice: once after scaling, once after tapering.
            assert!((score - white).abs() < 1.0 + 1.0 / f64::from(MAX_PHASE), "{position}: {score} for {white}");
            seen += usize::from(white.abs() > 50.0);
        }
        assert!(seen > 1_000, "{seen}");
    }
}

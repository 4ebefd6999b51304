//! Analysis of a position: the score of each column, the best moves, the principal variation, and a score in words.

use crate::board::Board;
use crate::error::SolverError;
use crate::report::{Report, Silent};
use crate::solver::{Precision, Solver};
use std::fmt;

/// The score of every column of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// For each column from the left: the score of the move, seen by the side to move; `None` when the column is full.
    pub scores: Vec<Option<i32>>,
    /// Positions searched.
    pub nodes: u64,
}

impl Analysis {
    /// The score of the position, that of its best column, seen by the side to move; `None` when the board is full.
    #[must_use]
    pub fn score(&self) -> Option<i32> {
        self.scores.iter().flatten().copied().max()
    }

    /// The columns, counted from 0, that keep the position's score.
    #[must_use]
    pub fn best(&self) -> Vec<usize> {
        let best = self.score();
        (0..self.scores.len()).filter(|&column| best.is_some() && self.scores[column] == best).collect()
    }
}

impl<const WIDTH: usize, const HEIGHT: usize> Solver<WIDTH, HEIGHT> {
    /// Solves every column of a position and reports the progress of each to `report`.
    ///
    /// # Errors
    /// [`SolverError::Stopped`] when the stop flag was set.
    pub fn analyze(
        &self,
        board: &Board<WIDTH, HEIGHT>,
        precision: Precision,
        report: &dyn Report,
    ) -> Result<Analysis, SolverError> {
        let mut analysis = Analysis { scores: vec![None; WIDTH], nodes: 0 };
        for column in board.columns() {
            let score = if board.wins_by(column) {
                if precision == Precision::Weak { 1 } else { board.score_of_win_now() }
            } else {
                let solution = self.solve_and_report(&board.play(column), precision, report)?;
                analysis.nodes += solution.nodes;
                -solution.score
            };
            analysis.scores[column] = Some(score);
        }
        Ok(analysis)
    }

    /// The principal variation from `board` to the end of the game: columns counted from 0, the most central where several
    /// have the best score. The last move makes four, unless the game is a draw.
    ///
    /// # Errors
    /// [`SolverError::Stopped`] when the stop flag was set.
    pub fn principal_variation(&self, board: &Board<WIDTH, HEIGHT>) -> Result<Vec<usize>, SolverError> {
        let mut score = self.solve_and_report(board, Precision::Strong, &Silent)?.score;
        let mut board = *board;
        let mut line = Vec::new();
        while let Some(column) = self.best_column(&board, score)? {
            line.push(column);
            if board.wins_by(column) {
                break;
            }
            board = board.play(column);
            score = -score;
        }
        Ok(line)
    }

    /// A column that keeps `score`, the exact score of `board`, counted from 0; `None` when the board is full. Right after
    /// a solve of `board` the tables usually prove one, so that this takes no search; [`Solver::best_column`] finds the
    /// most central of them at a greater cost.
    ///
    /// # Errors
    /// [`SolverError::Stopped`] when the stop flag was set.
    pub fn any_best_column(&self, board: &Board<WIDTH, HEIGHT>, score: i32) -> Result<Option<usize>, SolverError> {
        let keeps_score = |&column: &usize| {
            !board.can_win_now() && self.known_upper_bound(&board.play(column)).is_some_and(|upper| upper <= -score)
        };
        match board.columns().find(keeps_score) {
            Some(column) => Ok(Some(column)),
            None => self.best_column(board, score),
        }
    }

    /// The best column of `board`, whose exact score is `score`: the one that makes four, or the most central of those
    /// that keep the score; counted from 0, `None` when the board is full. Which column is returned for a `score` that
    /// is not the board's own means nothing.
    ///
    /// # Errors
    /// [`SolverError::Stopped`] when the stop flag was set.
    pub fn best_column(&self, board: &Board<WIDTH, HEIGHT>, score: i32) -> Result<Option<usize>, SolverError> {
        if let Some(column) = board.columns().find(|&column| board.wins_by(column)) {
            return Ok(Some(column));
        }
        let mut columns: Vec<usize> = board.columns().collect();
        columns.sort_by_key(|&column| (2 * column + 1).abs_diff(WIDTH));
        let Some((&last, others)) = columns.split_last() else { return Ok(None) };
        for &column in others {
            if !self.is_higher(&board.play(column), -score)? {
                return Ok(Some(column));
            }
        }
        // One column must keep the score, and no other does.
        Ok(Some(last))
    }
}

/// A score in words, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The side to move wins with its `n`-th move from now.
    WinsIn(u32),
    /// Neither side makes four.
    Draw,
    /// The side to move loses to the other side's `n`-th move from now.
    LosesIn(u32),
}

impl Verdict {
    /// The meaning of an exact score, seen by the side to move of `board`.
    #[must_use]
    pub fn new<const WIDTH: usize, const HEIGHT: usize>(board: &Board<WIDTH, HEIGHT>, score: i32) -> Self {
        let left = Board::<WIDTH, HEIGHT>::SQUARES - board.stones();
        // A win with score n leaves 2 (n - 1) squares empty, or one more, depending on whose stone is the last.
        let empty_after = 2 * (score.unsigned_abs().saturating_sub(1));
        match score {
            0 => Self::Draw,
            1.. => Self::WinsIn((left + 1).saturating_sub(empty_after) / 2),
            _ => Self::LosesIn(left.saturating_sub(empty_after) / 2),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = |count: u32| if count == 1 { "move" } else { "moves" };
        match *self {
            Self::WinsIn(count) => write!(formatter, "wins in {count} {}", moves(count)),
            Self::Draw => write!(formatter, "draw"),
            Self::LosesIn(count) => write!(formatter, "loses in {count} {}", moves(count)),
        }
    }
}

#[cfg(test)]
mod tests;

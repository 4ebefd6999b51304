//! The result of solving a position.

use std::time::{Duration, Instant};

use mnemon_connect4::{Precision, Verdict};

use crate::Result;
use crate::connect4::progress::SolveProgress;
use crate::connect4::solver::BookSolver;
use mnemon_connect4::sequence::MoveSequence;

/// How much of a position is to be found out.
#[derive(Clone, Copy)]
pub(crate) struct SolveRequest {
    pub(crate) precision: Precision,
    /// Every column's score too, and the line of best play.
    pub(crate) all: bool,
}

/// What a solve gives. Scores are for the side to move.
pub(crate) struct SolveOutcome {
    pub(crate) score: i32,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
    pub(crate) details: Option<Details>,
}

/// What only `--all` shows.
pub(crate) struct Details {
    /// The score of playing each column, `None` where it is full.
    pub(crate) columns: Vec<Option<i32>>,
    /// A line of best play, columns counted from 0; empty for a weak result, which has none.
    pub(crate) line: Vec<usize>,
}

impl Details {
    /// The columns with the best score, counted from 1.
    pub(crate) fn best(&self) -> Vec<usize> {
        let best = self.columns.iter().flatten().max();
        (1..=self.columns.len()).filter(|&column| best.is_some() && self.columns[column - 1].as_ref() == best).collect()
    }
}

/// Solves the position as far as requested.
pub(crate) fn solve(
    solver: &BookSolver,
    position: &MoveSequence,
    request: SolveRequest,
    progress: &SolveProgress,
) -> Result<SolveOutcome> {
    let start = Instant::now();
    let SolveRequest { precision, all } = request;
    if !all {
        let solution = solver.solve(&position.board, precision, progress)?;
        return Ok(SolveOutcome { score: solution.score, nodes: solution.nodes, time: start.elapsed(), details: None });
    }
    let (columns, nodes) = solver.columns(&position.board, precision, progress)?;
    // A full board has no columns left, and is a draw.
    let score = columns.iter().flatten().copied().max().unwrap_or(0);
    let line = if precision == Precision::Strong { solver.line(&position.board)? } else { Vec::new() };
    Ok(SolveOutcome { score, nodes, time: start.elapsed(), details: Some(Details { columns, line }) })
}

/// The meaning of the score: "wins in 3 moves", or with a weak score "wins".
pub(crate) fn verdict(position: &MoveSequence, score: i32, precision: Precision) -> String {
    match (precision, score) {
        (Precision::Strong, _) => Verdict::new(&position.board, score).to_string(),
        (Precision::Weak, 0) => "draw".to_owned(),
        (Precision::Weak, 1..) => "wins".to_owned(),
        (Precision::Weak, _) => "loses".to_owned(),
    }
}

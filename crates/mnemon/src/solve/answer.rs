//! What is said about a position.

use std::time::{Duration, Instant};

use mnemon_connect4::{Precision, Verdict};

use crate::Result;
use crate::connect4::solver::Engine;
use crate::connect4::watch::Watch;
use mnemon_connect4::sequence::MoveSequence;

/// How much is asked.
#[derive(Clone, Copy)]
pub(crate) struct Question {
    pub(crate) precision: Precision,
    /// Every column's score too, and the line of best play.
    pub(crate) all: bool,
}

/// The answer. Scores are for the side to move.
pub(crate) struct Answer {
    pub(crate) score: i32,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
    pub(crate) details: Option<Details>,
}

/// What only `--all` shows.
pub(crate) struct Details {
    /// The score of playing each column, `None` where it is full.
    pub(crate) columns: Vec<Option<i32>>,
    /// A line of best play, columns counted from 0; empty for a weak answer, which knows none.
    pub(crate) line: Vec<usize>,
}

impl Details {
    /// The columns with the best score, counted from 1.
    pub(crate) fn best(&self) -> Vec<usize> {
        let best = self.columns.iter().flatten().max();
        (1..=self.columns.len()).filter(|&column| best.is_some() && self.columns[column - 1].as_ref() == best).collect()
    }
}

/// Answers the question about the position.
pub(crate) fn answer(engine: &Engine, position: &MoveSequence, question: Question, watch: &Watch) -> Result<Answer> {
    let start = Instant::now();
    let Question { precision, all } = question;
    if !all {
        let solution = engine.solve(&position.board, precision, watch)?;
        return Ok(Answer { score: solution.score, nodes: solution.nodes, time: start.elapsed(), details: None });
    }
    let (columns, nodes) = engine.columns(&position.board, precision, watch)?;
    // A full board has no columns left, and is a draw.
    let score = columns.iter().flatten().copied().max().unwrap_or(0);
    let line = if precision == Precision::Strong { engine.line(&position.board)? } else { Vec::new() };
    Ok(Answer { score, nodes, time: start.elapsed(), details: Some(Details { columns, line }) })
}

/// The score in words.
pub(crate) fn verdict(position: &MoveSequence, score: i32, precision: Precision) -> String {
    match (precision, score) {
        (Precision::Strong, _) => Verdict::new(&position.board, score).to_string(),
        (Precision::Weak, 0) => "draw".to_owned(),
        (Precision::Weak, 1..) => "wins".to_owned(),
        (Precision::Weak, _) => "loses".to_owned(),
    }
}

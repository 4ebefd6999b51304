//! A solved position for programs.

use std::time::Instant;

use mnemon_connect4::{Board, Verdict, WIDTH};
use serde::Serialize;

use super::game::Played;
use super::perfect::{Columns, Perfect, is_complete};
use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::known::{MoveName, Step};

/// The exact scores of a position.
#[derive(Serialize)]
pub(crate) struct SolvedReport {
    position: String,
    mover: &'static str,
    ending: Option<&'static str>,
    score: Option<i32>,
    verdict: Option<String>,
    columns: Vec<ColumnReport>,
    /// The moves of best play, as far as they are solved.
    line: Vec<Step>,
    seconds: f64,
}

/// The score of a move; none for a full column.
#[derive(Serialize)]
struct ColumnReport {
    /// Counted from 1.
    column: usize,
    score: Option<i32>,
    verdict: Option<String>,
    /// The position after the move.
    position: Option<String>,
    is_best: bool,
}

/// Solves the position that these columns lead to.
///
/// # Errors
/// What is no position; 503 where it takes longer than [`solve_time`](crate::Limits::solve_time).
pub(crate) async fn columns(app: &App, moves: &str) -> ApiResult<SolvedReport> {
    let started = Instant::now();
    let played = Played::read(moves)?;
    let board = played.board;
    let mut scores = Columns::default();
    if !played.is_over() {
        app.read(move |app| Ok(app.perfect.learn(&*app.store, &board)?)).await?;
        scores = app.perfect.columns(&board, app.limits.solve_time).await;
        if !is_complete(&board, &scores) {
            return Err(ApiError::busy("the position is not solved yet; ask again"));
        }
    }
    Ok(SolvedReport::new(&played, &scores, &app.perfect, started))
}

impl SolvedReport {
    fn new(played: &Played, scores: &Columns, perfect: &Perfect, started: Instant) -> Self {
        let score = scores.iter().flatten().copied().max();
        let verdict = |score: i32| Verdict::new(&played.board, score).to_string();
        let column = |column: usize| ColumnReport {
            column: column + 1,
            score: scores[column],
            verdict: scores[column].map(verdict),
            position: scores[column].map(|_| format!("{}{}", played.moves, column + 1)),
            is_best: scores[column].is_some() && scores[column] == score,
        };
        let ending =
            if !played.four.is_empty() { Some("four in a row") } else { played.board.is_full().then_some("draw") };
        SolvedReport {
            position: if played.moves.is_empty() { "-".to_owned() } else { played.moves.clone() },
            mover: if played.is_first_to_move() { "first" } else { "second" },
            ending,
            score,
            verdict: score.map(verdict),
            columns: (0..WIDTH).map(column).collect(),
            line: if ending.is_none() { line(played, perfect) } else { Vec::new() },
            seconds: started.elapsed().as_secs_f64(),
        }
    }
}

/// Best play, the most central of equal columns, while all columns are known.
fn line(played: &Played, perfect: &Perfect) -> Vec<Step> {
    let (mut board, mut moves, mut line): (Board, String, Vec<Step>) = (played.board, played.moves.clone(), Vec::new());
    loop {
        let scores = perfect.known(&board);
        let Some(best) = scores.iter().flatten().max().filter(|_| is_complete(&board, &scores)) else { return line };
        let best = board.columns().filter(|&column| scores[column] == Some(*best));
        let Some(column) = best.min_by_key(|column| column.abs_diff(WIDTH / 2)) else { return line };
        let text = (column + 1).to_string();
        moves += &text;
        line.push(Step { name: MoveName { text, uci: None }, position: moves.clone() });
        if board.wins_by(column) {
            return line;
        }
        board = board.play(column);
    }
}

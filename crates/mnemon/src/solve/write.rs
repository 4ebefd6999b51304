//! Results in the form that was requested.

use mnemon_connect4::Precision;
use serde::Serialize;

use super::input::LineNumber;
use super::outcome::{SolveOutcome, verdict};
use super::picture;
use crate::{Result, output};
use mnemon_connect4::sequence::MoveSequence;

/// The form of a result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Moves, score, nodes, microseconds.
    Line,
    /// A JSON object.
    Json,
    /// The board.
    Picture,
}

/// A result as text.
pub(crate) fn text(
    form: Form,
    at: &LineNumber,
    position: &MoveSequence,
    outcome: &SolveOutcome,
    precision: Precision,
) -> Result<String> {
    Ok(match form {
        Form::Line => line(position, outcome),
        Form::Json => output::json_line(&Object::new(at, position, outcome, precision))?,
        Form::Picture => picture::picture(position, outcome, precision),
    })
}

/// Pons' output format, and after it the columns' scores where they were requested.
fn line(position: &MoveSequence, outcome: &SolveOutcome) -> String {
    let SolveOutcome { score, nodes, time, details } = outcome;
    let mut line = format!("{} {score} {nodes} {}", position.text(), time.as_micros());
    for score in details.iter().flat_map(|details| &details.columns) {
        line += &score.map_or_else(|| " -".to_owned(), |score| format!(" {score}"));
    }
    line
}

/// The members of the JSON object, in their order.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    line: u64,
    moves: &'a str,
    /// The side that every score is for.
    scores_for: &'static str,
    score: i32,
    verdict: String,
    nodes: u64,
    microseconds: u64,
    #[serde(flatten)]
    details: Option<Columns>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<i32>,
}

#[derive(Serialize)]
struct Columns {
    /// From the left, `null` for a full column.
    columns: Vec<Option<i32>>,
    /// Columns counted from 1.
    best: Vec<usize>,
    #[serde(skip_serializing_if = "String::is_empty")]
    principal_variation: String,
}

impl<'a> Object<'a> {
    fn new(at: &'a LineNumber, position: &'a MoveSequence, outcome: &SolveOutcome, precision: Precision) -> Self {
        let details = outcome.details.as_ref().map(|details| Columns {
            columns: details.columns.clone(),
            best: details.best(),
            principal_variation: picture::digits(&details.line),
        });
        Self {
            file: at.file.as_deref(),
            line: at.number,
            moves: &position.moves,
            scores_for: "side to move",
            score: outcome.score,
            verdict: verdict(position, outcome.score, precision),
            nodes: outcome.nodes,
            microseconds: u64::try_from(outcome.time.as_micros()).unwrap_or(u64::MAX),
            details,
            expected: position.expected,
        }
    }
}

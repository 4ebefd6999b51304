//! Answers in the form that was asked for.

use mnemon_connect4::Precision;
use serde::Serialize;

use super::answer::{Answer, verdict};
use super::input::Place;
use super::picture;
use crate::{Result, output};
use mnemon_connect4::sequence::MoveSequence;

/// The form of an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Moves, score, nodes, microseconds.
    Line,
    /// A JSON object.
    Json,
    /// The board.
    Picture,
}

/// The text of an answer.
pub(crate) fn text(
    form: Form,
    place: &Place,
    position: &MoveSequence,
    answer: &Answer,
    precision: Precision,
) -> Result<String> {
    Ok(match form {
        Form::Line => line(position, answer),
        Form::Json => output::json_line(&Object::new(place, position, answer, precision))?,
        Form::Picture => picture::picture(position, answer, precision),
    })
}

/// Pons' output format, and after it the columns' scores where they were asked for.
fn line(position: &MoveSequence, answer: &Answer) -> String {
    let Answer { score, nodes, time, details } = answer;
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
    /// Whose view every score is, in so many words.
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
    fn new(place: &'a Place, position: &'a MoveSequence, answer: &Answer, precision: Precision) -> Self {
        let details = answer.details.as_ref().map(|details| Columns {
            columns: details.columns.clone(),
            best: details.best(),
            principal_variation: picture::digits(&details.line),
        });
        Self {
            file: place.file.as_deref(),
            line: place.number,
            moves: &position.moves,
            scores_for: "side to move",
            score: answer.score,
            verdict: verdict(position, answer.score, precision),
            nodes: answer.nodes,
            microseconds: u64::try_from(answer.time.as_micros()).unwrap_or(u64::MAX),
            details,
            expected: position.expected,
        }
    }
}

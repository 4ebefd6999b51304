//! A position: its records, lines, notes, value, and each of its legal moves with what is known of it.

use std::cmp::Reverse;

use mnemon_explore::notation::{Position, to_hex};
use mnemon_explore::{BackedUp, Views, views, views_of};
use mnemon_memory::{Content, Record, Source};
use mnemon_table::Score;
use serde::Serialize;

use super::moves::{MoveName, Step, codes, steps};
use super::records::{RecordReport, Teller};
use super::score::ScoreReport;
use crate::app::App;
use crate::error::ApiResult;

/// What is known of a position. All scores, also those of the moves, are for its side to move.
#[derive(Serialize)]
pub(crate) struct PositionReport {
    pub(crate) game: String,
    /// The position in the game's notation.
    pub(crate) position: String,
    pub(crate) packed: String,
    /// The side to move, which every score is for: `White`.
    pub(crate) mover: &'static str,
    /// Why the game is over: `checkmate`; `null` if it goes on.
    pub(crate) ending: Option<&'static str>,
    /// The backed-up value.
    pub(crate) value: Option<ValueReport>,
    pub(crate) records: Vec<RecordReport>,
    pub(crate) lines: Vec<LineSetReport>,
    pub(crate) notes: Vec<NoteReport>,
    /// Every legal move, known ones first, the best of them first.
    pub(crate) moves: Vec<MoveReport>,
}

/// A value by negamax over everything that is known below the position.
#[derive(Serialize)]
pub(crate) struct ValueReport {
    pub(crate) score: ScoreReport,
    /// The moves to the position whose own search the value comes from.
    pub(crate) line: Vec<Step>,
    /// That position.
    pub(crate) leaf: String,
    pub(crate) leaf_sources: Vec<String>,
    /// How many known positions it was computed from.
    pub(crate) positions: usize,
}

/// The lines of one search.
#[derive(Serialize)]
pub(crate) struct LineSetReport {
    pub(crate) by: String,
    pub(crate) is_believed: bool,
    pub(crate) depth: u8,
    pub(crate) time: u32,
    pub(crate) age: String,
    pub(crate) lines: Vec<LineReport>,
}

/// One line.
#[derive(Serialize)]
pub(crate) struct LineReport {
    pub(crate) score: Option<ScoreReport>,
    pub(crate) moves: Vec<Step>,
}

/// A person's words.
#[derive(Serialize)]
pub(crate) struct NoteReport {
    pub(crate) by: String,
    pub(crate) text: String,
    pub(crate) time: u32,
    pub(crate) age: String,
}

/// A legal move.
#[derive(Serialize)]
pub(crate) struct MoveReport {
    #[serde(flatten)]
    pub(crate) name: MoveName,
    pub(crate) code: u16,
    /// The position after it.
    pub(crate) position: String,
    /// Why the game is over after it.
    pub(crate) ending: Option<&'static str>,
    /// The record that the move is ranked by: the deepest that is believed, or else the deepest.
    pub(crate) best: Option<RecordReport>,
    /// All records of the position after the move, the deepest first.
    pub(crate) records: Vec<RecordReport>,
}

impl PositionReport {
    /// Reads everything that the memory knows of the position.
    pub(crate) fn read(app: &App, position: &dyn Position) -> ApiResult<Self> {
        let (store, teller) = (&*app.store, Teller::new(&*app.store)?);
        let mut records = views_of(store, position)?;
        sort(&mut records);
        let annotations = store.annotations(&position.game(), &position.packed())?;
        let value = position.backed_up(store, &app.own)?;
        Ok(PositionReport {
            game: position.game().to_string(),
            position: position.text(),
            packed: to_hex(&position.packed()),
            mover: position.mover(),
            ending: position.ending(),
            value: value.and_then(|value| ValueReport::new(position, value)),
            records: records.iter().map(|(source, record)| teller.record(position, position, source, record)).collect(),
            lines: line_sets(&teller, position, &annotations),
            notes: notes(&teller, &annotations),
            moves: moves(app, &teller, position)?,
        })
    }
}

impl ValueReport {
    fn new(position: &dyn Position, value: BackedUp) -> Option<Self> {
        Some(ValueReport {
            score: ScoreReport::new(position, &value.record)?,
            line: steps(position, &codes(position, &value.line)),
            leaf: value.leaf,
            leaf_sources: value.sources,
            positions: value.positions,
        })
    }
}

/// Searches first, the deepest first; then players.
fn sort(views: &mut Views) {
    views.sort_by_key(|(source, record)| (source.is_player(), Reverse(record.lower.depth.max(record.upper.depth))));
}

fn line_sets(teller: &Teller, position: &dyn Position, annotations: &[(Source, Content)]) -> Vec<LineSetReport> {
    let mut reports = Vec::new();
    for (source, content) in annotations {
        let Content::Lines(lines) = content else { continue };
        for set in lines.sets() {
            let line = |line: &mnemon_memory::Line| LineReport {
                score: ScoreReport::new(position, &Record::between(line.window(), set.depth).found_at(set.time)),
                moves: steps(position, line.moves()),
            };
            reports.push(LineSetReport {
                by: source.described(&teller.contributors),
                is_believed: teller.trust.believes(source),
                depth: set.depth,
                time: set.time,
                age: teller.age(set.time),
                lines: set.lines.iter().map(line).collect(),
            });
        }
    }
    reports.sort_by_key(|set| Reverse((set.is_believed, set.depth, set.time)));
    reports
}

fn notes(teller: &Teller, annotations: &[(Source, Content)]) -> Vec<NoteReport> {
    let note = |(source, content): &(Source, Content)| match content {
        Content::Note(note) => Some(NoteReport {
            by: source.described(&teller.contributors),
            text: note.text.clone(),
            time: note.time,
            age: teller.age(note.time),
        }),
        Content::Lines(_) => None,
    };
    annotations.iter().filter_map(note).collect()
}

/// The legal moves, ranked by the value of their best record.
fn moves(app: &App, teller: &Teller, position: &dyn Position) -> ApiResult<Vec<MoveReport>> {
    let children = position.children();
    let packed: Vec<Vec<u8>> = children.iter().map(|(_, after)| after.packed()).collect();
    let views = views(&*app.store, &position.game(), &packed)?;
    let mut moves = Vec::with_capacity(children.len());
    for ((code, after), mut views) in children.into_iter().zip(views) {
        let Some(name) = MoveName::new(position, code) else { continue };
        views.iter_mut().for_each(|(_, record)| *record = record.from_parent());
        sort(&mut views);
        let report = |(source, record): &(Source, Record)| teller.record(position, &*after, source, record);
        let best = views.iter().find(|(source, _)| teller.trust.believes(source)).or(views.first()).map(report);
        let records = views.iter().map(report).collect();
        moves.push(MoveReport { name, code, position: after.text(), ending: after.ending(), best, records });
    }
    moves.sort_by_key(|known| Reverse(rank(known)));
    Ok(moves)
}

/// Known moves before others, then by their values; of equal values a lower bound is worth more than an upper bound.
fn rank(known: &MoveReport) -> (Option<Score>, bool) {
    let score = known.best.as_ref().and_then(|best| best.score.as_ref());
    (score.map(|score| score.value), score.is_some_and(|score| score.bound != "upper"))
}

//! A position: its records, lines, notes, value, and each of its legal moves with what is known of it.

use std::cmp::Reverse;

use mnemon_explore::notation::{Position, to_hex};
use mnemon_explore::tree::{Bounds, Tree, TreeNode, TreeQuery};
use mnemon_explore::{Views, views, views_of};
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
    /// Whether everything that is known was read; if not, the value rests on a part of it.
    pub(crate) is_complete: bool,
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
    /// The backed-up value of the move.
    pub(crate) value: Option<ScoreReport>,
    /// The record that speaks for the move: the deepest that is believed, or else the deepest.
    pub(crate) best: Option<RecordReport>,
    /// All records of the position after the move, the deepest first.
    pub(crate) records: Vec<RecordReport>,
}

/// The moves of the position, with their values, and nothing below them.
const MOVES: Bounds = Bounds { plies: 1, width: 256, within: None, nodes: 300 };

impl PositionReport {
    /// Reads everything that the memory knows of the position.
    pub(crate) fn read(app: &App, position: &dyn Position) -> ApiResult<Self> {
        let (store, teller) = (&*app.store, Teller::new(&*app.store)?);
        let mut records = views_of(store, position)?;
        sort(&mut records);
        let annotations = store.annotations(&position.game(), &position.packed())?;
        let tree = position.tree(store, &TreeQuery { bounds: MOVES, ..TreeQuery::new(&app.own) })?;
        Ok(PositionReport {
            game: position.game().to_string(),
            position: position.text(),
            packed: to_hex(&position.packed()),
            mover: position.mover(),
            ending: position.ending(),
            value: ValueReport::new(app, &teller, position, &tree)?,
            records: records.iter().map(|(source, record)| teller.record(position, position, source, record)).collect(),
            lines: line_sets(&teller, position, &annotations),
            notes: notes(&teller, &annotations),
            moves: moves(app, &teller, position, &tree)?,
        })
    }
}

impl ValueReport {
    fn new(app: &App, teller: &Teller, position: &dyn Position, tree: &Tree) -> ApiResult<Option<Self>> {
        let Some(score) = tree.nodes.first().and_then(|root| backed_up(position, root)) else { return Ok(None) };
        let line = steps(position, &codes(position, &tree.main_line));
        let leaf = line.last().map_or_else(|| position.text(), |step| step.position.clone());
        let at_leaf = app.games.read(&position.game(), &leaf)?;
        let sources = views_of(&*app.store, &*at_leaf)?;
        let leaf_sources = sources.iter().map(|(source, _)| source.described(&teller.contributors)).collect();
        let Tree { known: positions, is_complete, .. } = *tree;
        Ok(Some(ValueReport { score, line, leaf, leaf_sources, positions, is_complete }))
    }
}

/// The backed-up value of a node.
fn backed_up(position: &dyn Position, node: &TreeNode) -> Option<ScoreReport> {
    ScoreReport::new(position, &node.backed_up.as_ref()?.ends.to_record())
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

/// The legal moves, ranked by their backed-up values or else by the values of their records.
fn moves(app: &App, teller: &Teller, position: &dyn Position, tree: &Tree) -> ApiResult<Vec<MoveReport>> {
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
        let node = tree.nodes.iter().skip(1).find(|node| node.code == code);
        let value = node.and_then(|node| backed_up(position, node));
        moves.push(MoveReport { name, code, position: after.text(), ending: after.ending(), value, best, records });
    }
    moves.sort_by_key(|known| Reverse(rank(known)));
    Ok(moves)
}

/// Known moves before others, then by their values; of equal values a lower bound is worth more than an upper bound.
fn rank(known: &MoveReport) -> (Option<Score>, bool) {
    let score = known.value.as_ref().or_else(|| known.best.as_ref()?.score.as_ref());
    (score.map(|score| score.value), score.is_some_and(|score| score.bound != "upper"))
}

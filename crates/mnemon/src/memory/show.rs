//! `mnemon memory show`: a position, what each source thinks of it, and what is known of each move.

use std::cmp::Reverse;

use clap::Args;
use mnemon_memory::{Record, Source};
use mnemon_table::Window;
use serde::Serialize;

use super::subtree::{self, Views};
use crate::backed_up::BackedUp;
use crate::columns::aligned;
use crate::format;
use crate::memory_location::{self, MemoryLocation};
use crate::notation::{Position, to_hex};
use crate::position_arg::PositionArg;
use crate::record_json::{Ends, Who};
use crate::{Result, output};

/// Of what.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    asked: PositionArg,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, location: &MemoryLocation) -> Result<bool> {
    let position = arguments.asked.position()?;
    let store = location.for_reading()?;
    let moves = known_moves(&*store, &*position)?;
    let mut views = subtree::views_of(&*store, &*position)?;
    views.sort_by_key(|(_, record)| Reverse(trust(record)));
    let value = position.backed_up(&*store)?;
    if arguments.json {
        let memory = location.path().display().to_string();
        output::say(output::json_line(&Object::new(&memory, &*position, value.as_ref(), &views, &moves))?)?;
    } else {
        output::show(&text(&*position, value.as_ref(), &views, &moves))?;
    }
    memory_location::is_sound(&*store)
}

/// A move that leads to a position of which something is known.
struct Known {
    code: u16,
    after: Box<dyn Position>,
    /// What each source says of the move, for the side that plays it, the deepest first.
    views: Views,
}

impl Known {
    /// How good the move is for the side that plays it, by what was searched deepest; a move that is at most so good
    /// comes after one that is at least so good.
    fn worth(&self) -> (Option<i16>, bool) {
        let (window, _) = self.views.first().map_or((Window::UNKNOWN, 0), |(_, record)| record.window());
        match window {
            Window { lower: Window::NO_LOWER, upper: Window::NO_UPPER } => (None, false),
            Window { lower: Window::NO_LOWER, upper } => (Some(upper), false),
            Window { lower, .. } => (Some(lower), true),
        }
    }
}

/// The moves of which something is known, the best first.
fn known_moves(store: &dyn mnemon_memory::Store, position: &dyn Position) -> Result<Vec<Known>> {
    let children = position.children();
    let packed: Vec<Vec<u8>> = children.iter().map(|(_, after)| after.packed()).collect();
    let views = subtree::views(store, &position.game(), &packed)?;
    let mut moves = Vec::new();
    for ((code, after), views) in children.into_iter().zip(views) {
        if !views.is_empty() {
            let mut views: Views = views.into_iter().map(|(source, record)| (source, record.from_parent())).collect();
            views.sort_by_key(|(_, record)| Reverse(trust(record)));
            moves.push(Known { code, after, views });
        }
    }
    moves.sort_by_key(|known| Reverse(known.worth()));
    Ok(moves)
}

/// How far a record can be trusted.
fn trust(record: &Record) -> u8 {
    record.lower.depth.max(record.upper.depth)
}

fn text(position: &dyn Position, value: Option<&BackedUp>, views: &Views, moves: &[Known]) -> String {
    let mut text = format!("{}  {}\n\n{}\n", position.game(), position.text(), position.draw());
    if position.is_known() {
        text += &format!("To move: {}\n", position.mover());
    }
    if let Some(ending) = position.ending() {
        text += &format!("{}{}\n", ending[..1].to_uppercase(), &ending[1..]);
    }
    if views.is_empty() && moves.is_empty() {
        return text + "Nothing is known of this position and its moves.\n";
    }
    text += &format!("Scores are for {}.\n", position.mover());
    if let Some(value) = value {
        text += &value.text(position);
    }
    let now = mnemon_memory::unix_time();
    if views.is_empty() {
        text += "\nNothing is known of the position itself.\n";
    } else {
        let rows: Vec<_> = views.iter().map(|(source, record)| row(position, position, source, record, now)).collect();
        text += "\nThe position\n";
        text += &aligned(["score", "depth", "best", "source", "age", "origin"], &rows);
    }
    if !moves.is_empty() {
        text += "\nMoves\n";
        text +=
            &aligned(["move", "score", "depth", "reply", "source", "age", "origin"], &move_rows(position, moves, now));
    }
    text
}

fn move_rows(position: &dyn Position, moves: &[Known], now: u32) -> Vec<[String; 7]> {
    let of_move = |known: &Known| -> Vec<[String; 7]> {
        let name = position.write_move(known.code).unwrap_or_default();
        let with_name = |(source, record): &(Source, Record)| {
            let [score, depth, reply, source, age, origin] = row(position, &*known.after, source, record, now);
            [name.clone(), score, depth, reply, source, age, origin]
        };
        known.views.iter().map(with_name).collect()
    };
    moves.iter().flat_map(of_move).collect()
}

/// A record in words. Its scores are for the side to move in `position`, its best move is played in `after`.
fn row(position: &dyn Position, after: &dyn Position, source: &Source, record: &Record, now: u32) -> [String; 6] {
    [
        format::score(position, record),
        format::depths(record),
        format::best(after, record),
        format::source(source),
        format::age(record.time, now),
        format::origins(record.origins),
    ]
}

/// The members of the JSON object.
#[derive(Serialize)]
struct Object<'a> {
    memory: &'a str,
    game: String,
    position: String,
    packed: String,
    /// Whose view every score is, also those of the moves.
    scores_for: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<&'static str>,
    /// What the position is worth by all that is known below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Value<'a>>,
    records: Vec<View>,
    moves: Vec<Move>,
}

#[derive(Serialize)]
struct Value<'a> {
    score: String,
    #[serde(flatten)]
    ends: Ends,
    line: &'a [String],
    leaf: &'a str,
    leaf_sources: &'a [String],
    positions: usize,
}

impl<'a> Value<'a> {
    fn new(position: &dyn Position, value: &'a BackedUp) -> Self {
        Value {
            score: format::score(position, &value.record),
            ends: Ends::new(&value.record),
            line: &value.line,
            leaf: &value.leaf,
            leaf_sources: &value.sources,
            positions: value.positions,
        }
    }
}

#[derive(Serialize)]
struct Move {
    #[serde(rename = "move")]
    name: Option<String>,
    code: u16,
    position: String,
    packed: String,
    records: Vec<View>,
}

#[derive(Serialize)]
struct View {
    source: Who,
    score: String,
    #[serde(flatten)]
    ends: Ends,
    #[serde(skip_serializing_if = "Option::is_none")]
    best_move: Option<String>,
    origins: Vec<&'static str>,
    time: u32,
}

impl View {
    fn new(position: &dyn Position, after: &dyn Position, (source, record): &(Source, Record)) -> Self {
        View {
            source: Who::new(source),
            score: format::score(position, record),
            ends: Ends::new(record),
            best_move: after.write_move(record.best),
            origins: record.origins.names().collect(),
            time: record.time,
        }
    }
}

impl<'a> Object<'a> {
    fn new(
        memory: &'a str,
        position: &dyn Position,
        value: Option<&'a BackedUp>,
        views: &Views,
        moves: &[Known],
    ) -> Self {
        let of_move = |known: &Known| Move {
            name: position.write_move(known.code),
            code: known.code,
            position: known.after.text(),
            packed: to_hex(&known.after.packed()),
            records: known.views.iter().map(|view| View::new(position, &*known.after, view)).collect(),
        };
        Object {
            memory,
            game: position.game().to_string(),
            position: position.text(),
            packed: to_hex(&position.packed()),
            scores_for: position.mover(),
            ending: position.ending(),
            value: value.map(|value| Value::new(position, value)),
            records: views.iter().map(|view| View::new(position, position, view)).collect(),
            moves: moves.iter().map(of_move).collect(),
        }
    }
}

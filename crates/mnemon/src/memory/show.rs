//! `mnemon memory show`: a position, its record of each source, and the records of each move.

use std::cmp::Reverse;
use std::path::Path;

use mnemon_engine::Engine;
use mnemon_explore::notation::{Position, to_hex};
use mnemon_explore::record_json::{AnnotationLine, Ends, Names, PositionHeader, SourceJson};
use mnemon_explore::tree::AT_ONCE;
use mnemon_explore::{BackedUp, Views, views, views_of};
use mnemon_memory::recall::Budget;
use mnemon_memory::{Annotation, Content, Contributor, Key, MoveRank, Record, Source};
use serde::Serialize;

use super::results;
use crate::columns::aligned;
use crate::format;
use crate::memory_location::{self, MemoryLocation};
use crate::position_arg::ShowQuery;
use crate::{Result, output};

pub(crate) fn run(ShowQuery { query: arguments, whole }: &ShowQuery, location: &MemoryLocation) -> Result<bool> {
    let position = arguments.position()?;
    let store = location.for_reading()?;
    let filter = arguments.sources.known_filter(&*store)?;
    let mut moves = known_moves(&*store, &*position)?;
    moves.iter_mut().for_each(|known| known.views.retain(|(source, _)| filter.matches(source)));
    moves.retain(|known| !known.views.is_empty());
    let mut views = views_of(&*store, &*position)?;
    views.retain(|(source, _)| filter.matches(source));
    views.sort_by_key(|(source, record)| (source.is_player(), Reverse(max_depth(record))));
    let mut annotations = store.annotations(&position.game(), &position.packed())?;
    annotations.retain(|(source, _)| filter.matches(source));
    let budget = if *whole { Budget::UNLIMITED } else { AT_ONCE };
    let value = position.backed_up(&*store, &Engine::source(), budget)?;
    let known = Known { value, views, moves, annotations };
    if arguments.json {
        let names = Names::within(&*store)?;
        output::say(output::json_line(&Object::new(location.path(), &*position, &known, &names))?)?;
    } else {
        output::show(&text(&*position, &known, &store.contributors()?))?;
    }
    memory_location::is_sound(&*store)
}

/// What is shown of a position.
struct Known {
    value: Option<BackedUp>,
    views: Views,
    moves: Vec<KnownMove>,
    annotations: Vec<(Source, Content)>,
}

/// A move that leads to a position with records.
struct KnownMove {
    code: u16,
    after: Box<dyn Position>,
    /// The records of each source, with scores for the side that plays the move: searches, the deepest first, then players.
    views: Views,
}

impl KnownMove {
    /// Searched moves first, then those that were only bounded, then those that only games or advice know.
    fn rank(&self) -> (bool, MoveRank) {
        let Some((source, record)) = self.views.first() else { return (false, MoveRank::UNKNOWN) };
        (!source.is_player() && !source.is_person(), MoveRank::of(record))
    }
}

/// The moves that lead to positions with records, the best first.
fn known_moves(store: &dyn mnemon_memory::Store, position: &dyn Position) -> Result<Vec<KnownMove>> {
    let children = position.children();
    let packed: Vec<Vec<u8>> = children.iter().map(|(_, after)| after.packed()).collect();
    let views = views(store, &position.game(), &packed)?;
    let mut moves = Vec::new();
    for ((code, after), views) in children.into_iter().zip(views) {
        if !views.is_empty() {
            let mut views: Views = views.into_iter().map(|(source, record)| (source, record.from_parent())).collect();
            views.sort_by_key(|(source, record)| (source.is_player(), Reverse(max_depth(record))));
            moves.push(KnownMove { code, after, views });
        }
    }
    moves.sort_by_key(|known| Reverse(known.rank()));
    Ok(moves)
}

/// The depth of the deeper end of a record.
fn max_depth(record: &Record) -> u8 {
    record.lower.depth.max(record.upper.depth)
}

fn text(position: &dyn Position, known: &Known, contributors: &[Contributor]) -> String {
    let Known { value, views: all, moves, annotations } = known;
    let (views, played) = results::split(all);
    let mut text = format!("{}  {}\n\n{}\n", position.game(), position.text(), position.draw());
    if position.is_known() {
        text += &format!("To move: {}\n", position.mover());
    }
    if let Some(ending) = position.ending() {
        text += &format!("{}{}\n", ending[..1].to_uppercase(), &ending[1..]);
    }
    text += &notes(annotations, contributors);
    if all.is_empty() && moves.is_empty() {
        return text + "Nothing is known of this position and its moves.\n";
    }
    text += &format!("Scores are for {}.\n", position.mover());
    match value {
        Some(value) => {
            text += &value.text(position);
            if !value.is_complete {
                text += "  There is more below than was read at once: '--whole' reads all of it.\n";
            }
        }
        None => text += "\nNo value: the scores are advice, results of games, or of contributors who are not trusted\n",
    }
    let table = Rows { position, contributors, now: mnemon_memory::unix_time() };
    if views.is_empty() {
        text += "\nNothing is known of the position itself.\n";
    } else {
        let rows: Vec<_> = views.iter().map(|(source, record)| table.row(position, source, record)).collect();
        text += "\nThe position\n";
        text += &aligned(["score", "depth", "best", "source", "age", "origin"], &rows);
    }
    text += &lines(position, annotations, contributors);
    let rows = table.move_rows(moves);
    if !rows.is_empty() {
        text += "\nMoves\n";
        text += &aligned(["move", "score", "depth", "reply", "source", "age", "origin"], &rows);
    }
    text + &results::text(position, &played, &results_of_moves(position, moves), contributors)
}

/// The players' records of each move.
fn results_of_moves(position: &dyn Position, moves: &[KnownMove]) -> Vec<(String, Views)> {
    let of_move = |known: &KnownMove| {
        let name = position.write_move(known.code).unwrap_or_default();
        (name, results::split(&known.views).1)
    };
    moves.iter().map(of_move).collect()
}

/// What people have noted.
fn notes(annotations: &[(Source, Content)], contributors: &[Contributor]) -> String {
    let note = |(source, content): &(Source, Content)| match content {
        Content::Note(note) => Some(format!("{}: {}\n", source.described(contributors), note.text)),
        Content::Lines(_) => None,
    };
    let notes: String = annotations.iter().filter_map(note).collect();
    if notes.is_empty() { notes } else { notes + "\n" }
}

/// The lines of each source's searches, in blocks of one depth.
fn lines(position: &dyn Position, annotations: &[(Source, Content)], contributors: &[Contributor]) -> String {
    let mut text = String::new();
    for (source, content) in annotations {
        let Content::Lines(lines) = content else { continue };
        for set in lines.sets() {
            let s = format::plural(set.lines.len() as u64);
            text += &format!("\nLine{s} of {}, depth {}\n", format::source(source, contributors), set.depth);
            for line in &set.lines {
                let score = format::score(position, &Record::between(line.window(), set.depth));
                text += &format!("  {score}  {}\n", position.moves_text(line.moves()));
            }
        }
    }
    text
}

/// Records as rows of a table.
struct Rows<'a> {
    position: &'a dyn Position,
    contributors: &'a [Contributor],
    now: u32,
}

impl Rows<'_> {
    fn move_rows(&self, moves: &[KnownMove]) -> Vec<[String; 7]> {
        let of_move = |known: &KnownMove| -> Vec<[String; 7]> {
            let name = self.position.write_move(known.code).unwrap_or_default();
            let with_name = |(source, record): &(Source, Record)| {
                let [score, depth, reply, source, age, origin] = self.row(&*known.after, source, record);
                [name.clone(), score, depth, reply, source, age, origin]
            };
            results::split(&known.views).0.iter().map(with_name).collect()
        };
        moves.iter().flat_map(of_move).collect()
    }

    /// A record as a row. Its scores are for the side to move in the position, its best move is played in `after`.
    fn row(&self, after: &dyn Position, source: &Source, record: &Record) -> [String; 6] {
        [
            format::score(self.position, record),
            format::depths(self.position, record),
            format::best(after, record),
            format::source(source, self.contributors),
            format::age(record.time, self.now),
            format::origins(record.origins),
        ]
    }
}

/// The members of the JSON object.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    header: PositionHeader,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<&'static str>,
    /// The backed-up value.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ValueObject<'a>>,
    records: Vec<RecordObject>,
    /// Notes and lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    annotations: Vec<AnnotationLine>,
    moves: Vec<MoveObject>,
}

#[derive(Serialize)]
struct ValueObject<'a> {
    score: String,
    #[serde(flatten)]
    ends: Ends,
    line: &'a [String],
    leaf: &'a str,
    leaf_sources: &'a [String],
    positions: usize,
    /// Whether everything below the position was read for it.
    is_complete: bool,
}

impl<'a> ValueObject<'a> {
    fn new(position: &dyn Position, value: &'a BackedUp) -> Self {
        ValueObject {
            score: format::score(position, &value.record),
            ends: Ends::new(&value.record),
            line: &value.line,
            leaf: &value.leaf,
            leaf_sources: &value.sources,
            positions: value.positions,
            is_complete: value.is_complete,
        }
    }
}

#[derive(Serialize)]
struct MoveObject {
    #[serde(rename = "move")]
    name: Option<String>,
    code: u16,
    position: String,
    packed: String,
    records: Vec<RecordObject>,
}

#[derive(Serialize)]
struct RecordObject {
    source: SourceJson,
    score: String,
    #[serde(flatten)]
    ends: Ends,
    #[serde(skip_serializing_if = "Option::is_none")]
    best_move: Option<String>,
    origins: Vec<&'static str>,
    /// Of a player: the number of games.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u64>,
    time: u32,
}

impl RecordObject {
    fn new(position: &dyn Position, after: &dyn Position, (source, record): &(Source, Record), names: &Names) -> Self {
        RecordObject {
            source: SourceJson::new(source, names),
            score: format::score(position, record),
            ends: Ends::new(record),
            best_move: after.write_move(record.best),
            origins: record.origins.names().collect(),
            games: source.is_player().then_some(record.nodes),
            time: record.time,
        }
    }
}

impl<'a> Object<'a> {
    fn new(memory: &Path, position: &dyn Position, known: &'a Known, names: &Names) -> Self {
        let of_move = |known: &KnownMove| MoveObject {
            name: position.write_move(known.code),
            code: known.code,
            position: known.after.text(),
            packed: to_hex(&known.after.packed()),
            records: known.views.iter().map(|view| RecordObject::new(position, &*known.after, view, names)).collect(),
        };
        let annotation = |(source, content): &(Source, Content)| {
            let key = Key::new(&position.game(), position.packed(), source);
            AnnotationLine::new(Some(position), &Annotation { key, content: content.clone() }, names)
        };
        Object {
            header: PositionHeader::new(memory, position),
            ending: position.ending(),
            value: known.value.as_ref().map(|value| ValueObject::new(position, value)),
            records: known.views.iter().map(|view| RecordObject::new(position, position, view, names)).collect(),
            annotations: known.annotations.iter().map(annotation).collect(),
            moves: known.moves.iter().map(of_move).collect(),
        }
    }
}

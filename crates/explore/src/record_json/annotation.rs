//! Lines and notes as JSON.

use std::sync::Arc;

use mnemon_memory::{Annotation, Content, Identity, Key, Line, LineSet, Note};
use mnemon_table::{Score, Window};
use serde::{Deserialize, Serialize};

use super::source::{Names, SourceJson};
use super::{JsonError, read_position};
use crate::notation::{Games, Position, to_hex};

/// Lines or a note, with the position and the source.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnnotationLine {
    game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    packed: Option<String>,
    source: SourceJson,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<LineSetJson>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<NoteJson>,
}

/// The lines of one search.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineSetJson {
    depth: u8,
    #[serde(default)]
    time: u32,
    lines: Vec<LineJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LineJson {
    /// The value is at least this; equal to `upper` if it is exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lower: Option<Score>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    upper: Option<Score>,
    /// The moves' codes.
    moves: Vec<u16>,
    /// The moves in the game's notation, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    text: String,
}

/// A person's words.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NoteJson {
    text: String,
    #[serde(default)]
    time: u32,
}

impl LineSetJson {
    pub(super) fn new(position: Option<&dyn Position>, set: &LineSet) -> Self {
        let line = |line: &Line| {
            let Window { lower, upper } = line.window();
            LineJson {
                lower: Some(lower).filter(|&lower| lower != Window::NO_LOWER),
                upper: Some(upper).filter(|&upper| upper != Window::NO_UPPER),
                moves: line.moves().to_vec(),
                text: position.map(|position| position.moves_text(line.moves())).unwrap_or_default(),
            }
        };
        LineSetJson { depth: set.depth, time: set.time, lines: set.lines.iter().map(line).collect() }
    }

    fn set(&self) -> LineSet {
        let line = |line: &LineJson| {
            let (lower, upper) = (line.lower.unwrap_or(Window::NO_LOWER), line.upper.unwrap_or(Window::NO_UPPER));
            Line::new(Window { lower, upper }, line.moves.iter().copied())
        };
        LineSet { depth: self.depth, time: self.time, lines: self.lines.iter().map(line).collect() }
    }
}

impl AnnotationLine {
    /// Whether a line of JSON is one of these and no record: it has one of their members. In a text within the line the
    /// quotation marks would be escaped.
    pub(super) fn is_meant(line: &[u8]) -> bool {
        let has = |member: &[u8]| line.windows(member.len()).any(|part| part == member);
        has(b"\"lines\":") || has(b"\"note\":")
    }

    /// The annotation in the words of its position, if the game is known.
    pub fn new(position: Option<&dyn Position>, annotation: &Annotation, names: &Names) -> Self {
        let Annotation { key, content } = annotation;
        let (lines, note) = match content {
            Content::Lines(lines) => {
                (Some(lines.sets().iter().map(|set| LineSetJson::new(position, set)).collect()), None)
            }
            Content::Note(note) => (None, Some(NoteJson { text: note.text.clone(), time: note.time })),
        };
        AnnotationLine {
            game: key.game.to_string(),
            position: position.and_then(Position::notation),
            packed: Some(to_hex(&key.position)),
            source: SourceJson::new(&key.source, names),
            lines,
            note,
        }
    }

    /// The annotation that the line describes, and the contributors that it names.
    pub(super) fn annotation(&self, games: &Games) -> Result<(Annotation, Vec<Identity>), JsonError> {
        let game: Arc<str> = self.game.as_str().into();
        let position = read_position(games, &game, self.packed.as_deref(), self.position.as_ref())?;
        let (source, contributors) = self.source.source()?;
        let content = match (&self.lines, &self.note) {
            (Some(sets), None) => Content::Lines(sets.iter().map(LineSetJson::set).collect()),
            (None, Some(note)) => Content::Note(Note { time: note.time, text: note.text.clone() }),
            _ => return Err(JsonError::Invalid("it has \"lines\" and a \"note\": these are two lines".to_owned())),
        };
        let annotation = Annotation { key: Key::new(&game, position.packed(), &source), content };
        annotation.validate().map_err(|error| JsonError::Invalid(error.to_string()))?;
        Ok((annotation, contributors))
    }
}

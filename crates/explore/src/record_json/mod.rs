//! Records as JSON: what `export` writes and `import` reads, one object a line. docs/memory.md describes the fields.

mod annotation;
mod error;
mod source;

use std::path::Path;
use std::sync::Arc;

use mnemon_memory::{Annotation, Claim, Flags, Identity, Item, Key, Origins, Record, Source, SourceKind};
use mnemon_table::Score;
use serde::{Deserialize, Serialize};

use crate::notation::{Games, Position, from_hex, to_hex};

pub use annotation::AnnotationLine;
pub use error::JsonError;
pub use source::{Names, SourceJson};

/// The position that an object is about, and the memory that it comes from.
#[derive(Serialize)]
pub struct PositionHeader {
    memory: String,
    game: String,
    position: String,
    packed: String,
    /// The side that every score is for, also those of the moves.
    scores_for: &'static str,
}

impl PositionHeader {
    /// The header of an answer about the position.
    pub fn new(memory: &Path, position: &dyn Position) -> Self {
        PositionHeader {
            memory: memory.display().to_string(),
            game: position.game().to_string(),
            position: position.text(),
            packed: to_hex(&position.packed()),
            scores_for: position.mover(),
        }
    }
}

/// The bounds of a value. Scores are for the side to move, depths in plies, 255 for a proven bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ends {
    /// The value is at least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower: Option<Score>,
    /// The depth of the lower bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_depth: Option<u8>,
    /// The value is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<Score>,
    /// The depth of the upper bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper_depth: Option<u8>,
}

impl Ends {
    /// Both ends of the record, as far as they are known.
    pub fn new(record: &Record) -> Self {
        let (lower, upper) = (known(record.lower), known(record.upper));
        Ends {
            lower: lower.map(|claim| claim.score),
            lower_depth: lower.map(|claim| claim.depth),
            upper: upper.map(|claim| claim.score),
            upper_depth: upper.map(|claim| claim.depth),
        }
    }

    /// A record with these ends and nothing else.
    pub fn to_record(self) -> Record {
        let claim = |score: Option<Score>, depth: Option<u8>| Some(Claim::new(score?, depth.unwrap_or(0)));
        Record {
            lower: claim(self.lower, self.lower_depth).unwrap_or(Claim::NO_LOWER),
            upper: claim(self.upper, self.upper_depth).unwrap_or(Claim::NO_UPPER),
            ..Record::default()
        }
    }
}

fn known(claim: Claim) -> Option<Claim> {
    claim.is_known().then_some(claim)
}

/// A record with all its members.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordLine {
    game: String,
    /// In the game's notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    /// The form in which memories keep it, as hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    packed: Option<String>,
    source: SourceJson,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lower: Option<Score>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lower_depth: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lower_time: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    upper: Option<Score>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    upper_depth: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    upper_time: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    best: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    best_move: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origins: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    root: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game_ply: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    root_ply: Option<u16>,
    #[serde(default)]
    nodes: u64,
    /// Seconds since 1970.
    #[serde(default)]
    time: u32,
}

impl RecordLine {
    /// The line for a record. `position` is its position; `None` where the packed bytes are no position of the game.
    pub fn new(position: Option<&dyn Position>, item: &Item, names: &Names) -> Self {
        let Item { key, record } = item;
        let other_time = |claim: Claim| known(claim).map(|claim| claim.time).filter(|&time| time != record.time);
        let ply = |ply: u16| (ply != Record::NO_PLY).then_some(ply);
        let Ends { lower, lower_depth, upper, upper_depth } = Ends::new(record);
        RecordLine {
            game: key.game.to_string(),
            position: position.and_then(Position::notation),
            packed: Some(to_hex(&key.position)),
            source: SourceJson::new(&key.source, names),
            lower,
            lower_depth,
            lower_time: other_time(record.lower),
            upper,
            upper_depth,
            upper_time: other_time(record.upper),
            best: (record.best != 0).then_some(record.best),
            best_move: position.and_then(|position| position.write_move(record.best)),
            origins: Some(record.origins.names().map(str::to_owned).collect()),
            root: record.flags.contains(Flags::ROOT),
            game_ply: ply(record.game_ply),
            root_ply: ply(record.root_ply),
            nodes: record.nodes,
            time: record.time,
        }
    }

    /// The record that the line describes, and the contributors that it names.
    fn item(&self, games: &Games) -> Result<(Item, Vec<Identity>), JsonError> {
        let game: Arc<str> = self.game.as_str().into();
        let position = read_position(games, &game, self.packed.as_deref(), self.position.as_ref())?;
        let (source, contributors) = self.source.source()?;
        let at = |claim: Claim, time: Option<u32>| Claim { time: time.unwrap_or(self.time), ..claim };
        let lower = claim("lower", self.lower, self.lower_depth)?.map(|claim| at(claim, self.lower_time));
        let upper = claim("upper", self.upper, self.upper_depth)?.map(|claim| at(claim, self.upper_time));
        let record = Record {
            lower: lower.unwrap_or(Claim::NO_LOWER),
            upper: upper.unwrap_or(Claim::NO_UPPER),
            best: self.best(&*position)?,
            origins: self.origins(&source)?,
            flags: if self.root { Flags::ROOT } else { Flags::NONE },
            game_ply: self.game_ply.unwrap_or(Record::NO_PLY),
            root_ply: self.root_ply.unwrap_or(Record::NO_PLY),
            nodes: self.nodes,
            time: self.time,
        };
        let item = Item { key: Key::new(&game, position.packed(), &source), record };
        item.validate().map_err(|error| JsonError::Invalid(error.to_string()))?;
        Ok((item, contributors))
    }

    /// The best move's code, which is given itself or in the game's notation. If both are given they must agree.
    fn best(&self, position: &dyn Position) -> Result<u16, JsonError> {
        let named = self.best_move.as_deref();
        match (self.best.filter(|&code| code != 0), named) {
            (None, None) => Ok(0),
            (None, Some(text)) => Ok(position.read_move(text)?),
            (Some(code), _) if !position.is_known() => Ok(code),
            (Some(code), _) if position.write_move(code).is_none() => Err(JsonError::IllegalMove(code)),
            (Some(code), Some(text)) if position.read_move(text)? != code => Err(JsonError::MovesDiffer),
            (Some(code), _) => Ok(code),
        }
    }

    /// The origins that the line names; without any, advice of a person, results of a player, and an import from an engine.
    fn origins(&self, source: &Source) -> Result<Origins, JsonError> {
        let Some(names) = &self.origins else {
            return Ok(match source.kind() {
                SourceKind::Person => Origins::ADVICE,
                SourceKind::Player => Origins::RESULT,
                SourceKind::Engine | SourceKind::File => Origins::IMPORT,
            });
        };
        let mut bits = 0;
        for name in names {
            bits |= Origins::named(name).ok_or_else(|| JsonError::Origin(name.clone()))?.bits();
        }
        Ok(Origins::from_bits(bits))
    }
}

/// The position, which is given packed or in the game's notation. If both are given they must agree.
fn read_position(
    games: &Games,
    game: &Arc<str>,
    packed: Option<&str>,
    text: Option<&String>,
) -> Result<Box<dyn Position>, JsonError> {
    let packed = packed.map(|digits| {
        let bytes = from_hex(digits).ok_or(JsonError::NoHexadecimal)?;
        games.unpack(game, &bytes).ok_or_else(|| JsonError::Packed { game: Arc::clone(game) })
    });
    let read =
        |text: &String| games.read(game, text).map_err(|error| JsonError::Position { text: text.clone(), error });
    match (packed.transpose()?, text) {
        (None, None) => Err(JsonError::NoPosition),
        (None, Some(text)) => read(text),
        (Some(packed), Some(text)) if packed.is_known() && read(text)?.packed() != packed.packed() => {
            Err(JsonError::PositionsDiffer)
        }
        (Some(packed), _) => Ok(packed),
    }
}

/// One bound with its depth; `None` where the line has none.
fn claim(end: &'static str, score: Option<Score>, depth: Option<u8>) -> Result<Option<Claim>, JsonError> {
    match (score, depth) {
        (None, Some(_)) => Err(JsonError::DepthWithoutScore(end)),
        (None, None) => Ok(None),
        (Some(score), depth) => {
            let claim = Claim::new(score, depth.unwrap_or(0));
            if claim.is_known() { Ok(Some(claim)) } else { Err(JsonError::ScoreTooLarge { end, score }) }
        }
    }
}

/// What a line describes.
#[derive(Debug, PartialEq, Eq)]
pub enum Entry {
    /// A record.
    Record(Item),
    /// Lines or a note.
    Annotation(Annotation),
}

/// Reads a line of JSON: what it describes, and the contributors that it names.
pub fn read(text: &[u8], games: &Games) -> Result<(Entry, Vec<Identity>), JsonError> {
    if AnnotationLine::is_meant(text) {
        let line: AnnotationLine = serde_json::from_slice(text)?;
        return line.annotation(games).map(|(annotation, contributors)| (Entry::Annotation(annotation), contributors));
    }
    let line: RecordLine = serde_json::from_slice(text)?;
    line.item(games).map(|(item, contributors)| (Entry::Record(item), contributors))
}

/// A value as one line of JSON. Control characters that JSON would let pass are escaped too: a terminal may show this.
pub fn json_line(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string(value)?;
    if !text.contains(char::is_control) {
        return Ok(text);
    }
    let escaped = |character: char| match character {
        control if control.is_control() => format!("\\u{:04x}", u32::from(control)),
        other => other.to_string(),
    };
    Ok(text.chars().map(escaped).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str =
        r#"{"game":"connect4-7x6","position":"44","source":{"engine":"e","version":"1"},"lower":2,"lower_depth":7}"#;

    fn error_of(text: &str) -> String {
        read(text.as_bytes(), &Games::new()).expect_err(text).to_string()
    }

    #[test]
    fn a_record_survives_as_a_line() {
        let games = Games::new();
        let (Entry::Record(item), _) = read(GOOD.as_bytes(), &games).expect("a record") else { panic!("a record") };
        assert_eq!(item.record.lower, Claim::new(2, 7));
        let position = games.unpack(&item.key.game, &item.key.position).expect("a position");
        let text = json_line(&RecordLine::new(Some(&*position), &item, &Names::default())).expect("JSON");
        assert_eq!(read(text.as_bytes(), &games), Ok((Entry::Record(item), Vec::new())));
    }

    #[test]
    fn each_error_is_named() {
        for (from, to, expected) in [
            ("\"44\"", "\"448\"", "is no position"),
            ("\"position\":\"44\"", "\"packed\":\"00\"", "is no position"),
            ("\"position\":\"44\"", "\"packed\":\"0\"", "hexadecimal"),
            ("\"position\":\"44\",", "", "is missing"),
            ("\"44\"", "\"44\",\"packed\":\"0000000000000000\"", "different positions"),
            ("\"44\"", "\"44\",\"best_move\":\"9\"", "no column"),
            ("\"44\"", "\"44\",\"best\":4,\"best_move\":\"5\"", "different moves"),
            ("\"44\"", "\"44\",\"best\":99", "no legal move"),
            ("\"44\"", "\"44\",\"origins\":[\"heaven\"]", "no origin"),
            ("\"44\"", "\"44\",\"lowr\":3", "unknown field `lowr`"),
            ("\"44\"", "\"44\",\"upper_depth\":3", "without"),
            ("\"lower\":2", "\"lower\":-32768", "too large"),
            ("\"lower\":2", "\"lower\":99999", "column"),
            ("\"lower\":2,\"lower_depth\":7", "\"nodes\":1", "needs a score or a move"),
            ("\"engine\":\"e\",\"version\":\"1\"", "\"version\":\"1\"", "a source is"),
            ("\"engine\":\"e\",\"version\":\"1\"", "\"person\":\"Ada\",\"engine\":\"e\"", "a source is"),
            ("connect4-7x6", "go", "not known here"),
            ("\"game\":\"connect4-7x6\",", "", "missing field `game`"),
            ("}}", "}", "column"),
        ] {
            let text = if from == "}}" { GOOD[..GOOD.len() - 1].to_owned() } else { GOOD.replacen(from, to, 1) };
            assert!(error_of(&text).contains(expected), "{text}: {}", error_of(&text));
        }
    }

    #[test]
    fn control_characters_stay_escaped() {
        let text = json_line(&"a\u{1b}[31m\u{7f}\u{9b}é").expect("JSON");
        assert_eq!(text, r#""a\u001b[31m\u007f\u009bé""#);
        assert_eq!(serde_json::from_str::<String>(&text).expect("JSON"), "a\u{1b}[31m\u{7f}\u{9b}é");
    }
}

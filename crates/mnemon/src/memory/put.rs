//! `mnemon memory put`: a person's advice about a position.

use clap::Args;
use mnemon_explore::notation::Position;
use mnemon_explore::views_of;
use mnemon_memory::{Item, Key, Origins, PROVEN, Record, Source};
use mnemon_search::MAX_DEPTH;
use mnemon_table::Window;

use super::person;
use crate::format;
use crate::memory_location::{self, MemoryLocation};
use crate::position_arg::PositionArg;
use crate::{Result, UsageError, output};

/// The advice.
#[derive(Args)]
#[command(group = clap::ArgGroup::new("advice").args(["best", "score"]).required(true).multiple(true))]
pub(crate) struct Arguments {
    #[command(flatten)]
    position: PositionArg,
    /// The move to play
    #[arg(long = "move", id = "best", value_name = "MOVE")]
    best: Option<String>,
    /// The score for the side to move: pawns such as -0.35, #3 or #-3 for a mate, points for Connect Four
    #[arg(long, allow_hyphen_values = true)]
    score: Option<String>,
    /// How deep a search the score is worth, in plies, or 'proven'
    #[arg(long, default_value = "0", requires = "score", value_parser = depth)]
    depth: u8,
    /// The score is at least this
    #[arg(long, requires = "score", conflicts_with = "at_most")]
    at_least: bool,
    /// The score is at most this
    #[arg(long, requires = "score")]
    at_most: bool,
    /// The person's name [default: the user's name]
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
}

/// A depth in plies, or [`PROVEN`].
fn depth(text: &str) -> std::result::Result<u8, String> {
    if text == "proven" {
        return Ok(PROVEN);
    }
    text.parse()
        .ok()
        .filter(|&depth| depth <= MAX_DEPTH)
        .ok_or_else(|| format!("expected 0 to {MAX_DEPTH}, or 'proven'"))
}

pub(crate) fn run(arguments: &Arguments, location: &MemoryLocation) -> Result<bool> {
    let position = arguments.position.read()?;
    if !position.is_known() {
        return Err(
            UsageError(format!("the rules of {} are not known here, so it takes no advice", position.game())).into()
        );
    }
    let source = Source::person(&person::name(arguments.by.as_deref()));
    let record = arguments.record(&*position)?;
    let at = |time| record.found_at(time);
    let key = Key::new(&position.game(), position.packed(), &source);
    Item { key: key.clone(), record }.validate()?;
    let store = location.for_adding()?;
    let before = views_of(&*store, &*position)?.into_iter().find(|(known, _)| *known == source);
    let before = before.map(|(_, record)| record);
    // The later advice replaces the earlier, also within one second or after the clock was set back.
    let time = before.map_or(0, |before| before.time.saturating_add(1)).max(mnemon_memory::unix_time());
    store.merge_many(&[Item { key, record: at(time) }])?;
    store.sync()?;
    let kept = views_of(&*store, &*position)?.into_iter().find(|(known, _)| *known == source);
    if kept.is_none_or(|(_, kept)| kept != at(time)) {
        return Err(format!("the earlier advice of {source} stays: its time is in the future; forget it first").into());
    }
    output::show(&text(&*position, &source, &record, before.as_ref()))?;
    memory_location::is_sound(&*store)
}

impl Arguments {
    /// The advice, without its time.
    fn record(&self, position: &dyn Position) -> Result<Record> {
        let best = self.best.as_deref().map(|text| position.read_move(text)).transpose();
        let best = best.map_err(|error| UsageError(format!("--move: {error}")))?;
        let score = self.score.as_deref().map(|text| position.read_score(text)).transpose();
        let score = score.map_err(|error| UsageError(format!("--score: {error}")))?;
        let window = match score {
            None => Window::UNKNOWN,
            Some(score) if self.at_least => Window::at_least(score),
            Some(score) if self.at_most => Window::at_most(score),
            Some(score) => Window::exact(score),
        };
        let record = Record::between(window, self.depth);
        Ok(Record { best: best.unwrap_or(0), origins: Origins::ADVICE, ..record })
    }
}

/// The advice, and what it replaced.
fn text(position: &dyn Position, source: &Source, record: &Record, before: Option<&Record>) -> String {
    let advice = |record: &Record| {
        let score = format::score(position, record);
        let depth = format::depths(position, record);
        format!("move {}, score {score}, depth {depth}", format::best(position, record))
    };
    let mut text = format!("{}  {}\n", position.game(), position.text());
    text += &format!("{source} advises: {} (for {})\n", advice(record), position.mover());
    if let Some(before) = before {
        let age = format::age(before.time, mnemon_memory::unix_time());
        text += &format!("replaced:  {} (said {age})\n", advice(before));
    }
    text
}

//! `mnemon memory get`: the exact records of one position.

use clap::Args;
use mnemon_memory::{Flags, Item, Key, Record};
use serde::Serialize;

use super::subtree;
use crate::format;
use crate::memory_location::{self, MemoryLocation};
use crate::notation::{Position, to_hex};
use crate::position_arg::PositionArg;
use crate::record_json::Line;
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

/// The members of the JSON object.
#[derive(Serialize)]
struct Object<'a> {
    memory: &'a str,
    game: &'a str,
    position: String,
    packed: String,
    scores_for: &'a str,
    records: Vec<Line>,
}

pub(crate) fn run(arguments: &Arguments, location: &MemoryLocation) -> Result<bool> {
    let position = arguments.asked.position()?;
    let store = location.for_reading()?;
    let game = position.game();
    let views = subtree::views_of(&*store, &*position)?;
    let item = |(source, record): (_, _)| Item { key: Key::new(&game, position.packed(), &source), record };
    let items: Vec<Item> = views.into_iter().map(item).collect();
    if arguments.json {
        let object = Object {
            memory: &location.path().display().to_string(),
            game: &game,
            position: position.text(),
            packed: to_hex(&position.packed()),
            scores_for: position.mover(),
            records: items.iter().map(|item| Line::new(Some(&*position), item)).collect(),
        };
        output::say(output::json_line(&object)?)?;
    } else {
        items.iter().try_for_each(|item| output::show(&line(&*position, item)))?;
        if items.is_empty() {
            eprintln!("{}", output::harmless(&format!("nothing is known of {}", position.text())));
        }
    }
    memory_location::is_sound(&*store)
}

/// Everything that a record says, in one line.
fn line(position: &dyn Position, item: &Item) -> String {
    let Item { key, record } = item;
    let Record { origins, flags, game_ply, root_ply, nodes, time, .. } = *record;
    let ply = |ply: u16| if ply == Record::NO_PLY { format::NOTHING.to_owned() } else { ply.to_string() };
    format!(
        "{}: score {}; depth {}; best {}; origins {}{}; game ply {}; root ply {}; nodes {nodes}; time {}\n",
        format::source(&key.source),
        format::score(position, record),
        format::depths(record),
        format::best(position, record),
        format::origins(origins),
        if flags.contains(Flags::ROOT) { "; root" } else { "" },
        ply(game_ply),
        ply(root_ply),
        if time == 0 { format::NOTHING.to_owned() } else { format::moment(time) },
    )
}

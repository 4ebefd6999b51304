//! `mnemon memory get`: the exact records of one position.

use mnemon_explore::notation::Position;
use mnemon_explore::record_json::{Names, PositionHeader, RecordLine};
use mnemon_explore::views_of;
use mnemon_memory::{Contributor, Flags, Item, Key, Record};
use serde::Serialize;

use crate::format;
use crate::memory_location::{self, MemoryLocation};
use crate::position_arg::PositionQuery;
use crate::{Result, output};

/// The members of the JSON object.
#[derive(Serialize)]
struct Object {
    #[serde(flatten)]
    header: PositionHeader,
    records: Vec<RecordLine>,
}

pub(crate) fn run(arguments: &PositionQuery, location: &MemoryLocation) -> Result<bool> {
    let position = arguments.position()?;
    let store = location.for_reading()?;
    let game = position.game();
    let (filter, names) = (arguments.sources.known_filter(&*store)?, Names::within(&*store)?);
    let contributors = store.contributors()?;
    let views = views_of(&*store, &*position)?;
    let views = views.into_iter().filter(|(source, _)| filter.matches(source));
    let item = |(source, record): (_, _)| Item { key: Key::new(&game, position.packed(), &source), record };
    let items: Vec<Item> = views.map(item).collect();
    if arguments.json {
        let records = items.iter().map(|item| RecordLine::new(Some(&*position), item, &names)).collect();
        let object = Object { header: PositionHeader::new(location.path(), &*position), records };
        output::say(output::json_line(&object)?)?;
    } else {
        items.iter().try_for_each(|item| output::show(&line(&*position, item, &contributors)))?;
        if items.is_empty() {
            eprintln!("{}", output::escape_controls(&format!("nothing is known of {}", position.text())));
        }
    }
    memory_location::is_sound(&*store)
}

/// A record with all its members, in one line.
fn line(position: &dyn Position, item: &Item, contributors: &[Contributor]) -> String {
    let Item { key, record } = item;
    let Record { origins, flags, game_ply, root_ply, nodes, time, .. } = *record;
    let ply = |ply: u16| if ply == Record::NO_PLY { format::NOTHING.to_owned() } else { ply.to_string() };
    let (score, depths) = format::both_ends(position, record);
    format!(
        "{}: score {score}; depth {depths}; best {}; origins {}{}; game ply {}; root ply {}; nodes {nodes}; time {}\n",
        format::source(&key.source, contributors),
        format::best(position, record),
        format::origins(origins),
        if flags.contains(Flags::ROOT) { "; root" } else { "" },
        ply(game_ply),
        ply(root_ply),
        if time == 0 { format::NOTHING.to_owned() } else { format::moment(time) },
    )
}

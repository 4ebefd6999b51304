//! `mnemon memory stats`: the number of records by game and source.

use clap::Args;
use indicatif::{HumanBytes, HumanCount};
use mnemon_explore::record_json::{Names, SourceJson};
use mnemon_memory::{Contributor, Identity, Statistics};
use serde::Serialize;

use super::filter::SourceArgs;
use crate::columns::aligned;
use crate::format;
use crate::memory_location::{self, MemoryLocation};
use crate::{Result, output};

/// The form of the output.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    sources: SourceArgs,
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, location: &MemoryLocation) -> Result<bool> {
    let store = location.for_reading()?;
    let mut statistics = store.statistics()?;
    let filter = arguments.sources.filter(&*store)?;
    statistics.counts.retain(|count| filter.matches(&count.source));
    let path = location.path().display().to_string();
    let identity = store.identity()?;
    if arguments.json {
        let names = Names::within(&*store)?;
        output::say(output::json_line(&Object::new(&path, &statistics, identity, &names))?)?;
    } else {
        output::show(&text(&path, &statistics, &identity, &store.contributors()?))?;
    }
    memory_location::is_sound(&*store)
}

fn text(path: &str, statistics: &Statistics, identity: &Identity, contributors: &[Contributor]) -> String {
    let Statistics { format, bytes, counts, .. } = statistics;
    let mut text = format!(
        "{path}\n{} ({}), format {format}, {}, {}{}\n",
        identity.label,
        identity.id.short(),
        HumanBytes(*bytes),
        format::records(statistics.records()),
        bytes_a_record(statistics).map_or_else(String::new, |bytes| format!(", {bytes:.1} bytes each")),
    );
    if !counts.is_empty() {
        let row = |count: &mnemon_memory::Count| {
            [count.game.to_string(), format::source(&count.source, contributors), HumanCount(count.records).to_string()]
        };
        text += "\n";
        text += &aligned(["game", "source", " records"], &counts.iter().map(row).collect::<Vec<_>>());
    }
    text
}

/// The file's bytes divided by the number of records; `None` if there are none.
fn bytes_a_record(statistics: &Statistics) -> Option<f64> {
    let records = statistics.records();
    (records > 0).then(|| statistics.bytes as f64 / records as f64)
}

/// The members of the JSON object.
#[derive(Serialize)]
struct Object<'a> {
    memory: &'a str,
    label: String,
    identity: String,
    format: u32,
    bytes: u64,
    records: u64,
    bytes_per_record: Option<f64>,
    counts: Vec<Count<'a>>,
    damaged: u64,
}

#[derive(Serialize)]
struct Count<'a> {
    game: &'a str,
    source: SourceJson,
    records: u64,
}

impl<'a> Object<'a> {
    fn new(memory: &'a str, statistics: &'a Statistics, identity: Identity, names: &Names) -> Self {
        let count = |count: &'a mnemon_memory::Count| Count {
            game: &count.game,
            source: SourceJson::new(&count.source, names),
            records: count.records,
        };
        Object {
            memory,
            label: identity.label,
            identity: identity.id.to_string(),
            format: statistics.format,
            bytes: statistics.bytes,
            records: statistics.records(),
            bytes_per_record: bytes_a_record(statistics),
            counts: statistics.counts.iter().map(count).collect(),
            damaged: statistics.damaged,
        }
    }
}

//! `mnemon memory contributors`, `trust`, `untrust` and `label`: whose records are in a memory, and whom its owner believes.

use clap::Args;
use indicatif::HumanCount;
use mnemon_memory::{Contributor, Store};
use serde::Serialize;

use crate::columns::aligned;
use crate::memory_location::{self, MemoryLocation};
use crate::{Result, contributors, format, output};

/// The form of the list.
#[derive(Args)]
pub(crate) struct List {
    /// Answer with one JSON object
    #[arg(long)]
    json: bool,
}

/// A contributor.
#[derive(Args)]
pub(crate) struct Named {
    /// The contributor's label, or the first eight or more digits of its identity
    #[arg(value_name = "LABEL")]
    name: String,
}

/// The memory's label.
#[derive(Args)]
pub(crate) struct Label {
    /// The new label, under which others see what comes from this memory; without it the present one is shown
    #[arg(value_name = "LABEL")]
    label: Option<String>,
}

/// A contributor with the numbers of records that are his, and that rest on his.
#[derive(Serialize)]
struct Row {
    label: String,
    identity: String,
    records: u64,
    /// The records of searches that believed him.
    dependents: u64,
    trusted: bool,
    since: u32,
}

fn rows(store: &dyn Store) -> Result<Vec<Row>> {
    let counts = store.statistics()?.counts;
    let row = |contributor: Contributor| {
        let id = contributor.id;
        let sum = |is_meant: &dyn Fn(&mnemon_memory::Source) -> bool| {
            counts.iter().filter(|count| is_meant(&count.source)).map(|count| count.records).sum()
        };
        Row {
            label: contributor.label,
            identity: id.to_string(),
            records: sum(&|source| source.contributor() == Some(id)),
            dependents: sum(&|source| source.contributor() != Some(id) && source.rests_on(id)),
            trusted: contributor.trusted,
            since: contributor.since,
        }
    };
    // Of one whose records were all forgotten, nothing is left to say.
    let rows = store.contributors()?.into_iter().map(row);
    Ok(rows.filter(|row| row.trusted || row.records + row.dependents > 0).collect())
}

pub(crate) fn list(arguments: &List, location: &MemoryLocation) -> Result<bool> {
    let store = location.for_reading()?;
    let rows = rows(&*store)?;
    if arguments.json {
        #[derive(Serialize)]
        struct Object<'a> {
            memory: String,
            contributors: &'a [Row],
        }
        let memory = location.path().display().to_string();
        output::say(output::json_line(&Object { memory, contributors: &rows })?)?;
    } else if rows.is_empty() {
        output::show("everything in this memory is its own\n")?;
    } else {
        output::show(&table(&rows))?;
    }
    memory_location::is_sound(&*store)
}

fn table(rows: &[Row]) -> String {
    let cells = |row: &Row| {
        [
            row.label.clone(),
            row.identity[..8].to_owned(),
            HumanCount(row.records).to_string(),
            HumanCount(row.dependents).to_string(),
            if row.trusted { "yes" } else { "no" }.to_owned(),
            format::moment(row.since),
        ]
    };
    let header = ["contributor", "identity", " records", " resting on it", "trusted", "since"];
    aligned(header, &rows.iter().map(cells).collect::<Vec<_>>())
}

pub(crate) fn trust(arguments: &Named, location: &MemoryLocation) -> Result<bool> {
    set_trust(arguments, location, true, "its scores are believed from now on; 'untrust' takes that back")
}

pub(crate) fn untrust(arguments: &Named, location: &MemoryLocation) -> Result<bool> {
    set_trust(arguments, location, false, "its scores are no longer believed, nor what was found with them")
}

fn set_trust(arguments: &Named, location: &MemoryLocation, trusted: bool, effect: &str) -> Result<bool> {
    let store = location.for_changing()?;
    let known = store.contributors()?;
    let contributor = contributors::named(&arguments.name, &known)?;
    if contributor.trusted != trusted {
        store.set_contributor(&Contributor { trusted, ..contributor.clone() })?;
    }
    output::show(&format!("{} ({}): {effect}\n", contributor.label, contributor.id.short()))?;
    memory_location::is_sound(&*store)
}

pub(crate) fn label(arguments: &Label, location: &MemoryLocation) -> Result<bool> {
    let store = match &arguments.label {
        None => location.for_reading()?,
        Some(label) => {
            let store = location.for_changing()?;
            store.set_label(label)?;
            store
        }
    };
    let identity = store.identity()?;
    output::show(&format!("{} ({})\n", identity.label, identity.id))?;
    memory_location::is_sound(&*store)
}

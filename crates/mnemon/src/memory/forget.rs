//! `mnemon memory forget`: deletes records from a memory.

use std::io::{self, BufRead, IsTerminal, Write};

use clap::Args;
use indicatif::HumanCount;
use mnemon_memory::{Contributor, Key, Range, Source, Store};

use super::batch;
use super::filter::SourceArgs;
use super::split::{Part, Split};
use crate::memory_location::{self, MemoryLocation};
use crate::position_arg::OptionalPositionArg;
use crate::{Result, UsageError, contributors, format, output};

/// The records to forget.
#[derive(Args)]
#[command(after_help = "\
The sub-tree of a position is every known position to which a shortest line of known positions passes it; --subtree \
takes only those to which every shortest line does: a transposition of equal length stays.

'startpos moves e4 c5' says more of what stood before the position than a FEN does. What goes and what stays is said \
before it is confirmed, and afterwards. 'mnemon memory export --from' shows, and saves, the whole sub-tree.

--contributor without a position takes everything of a contributor, and with it what was found by searches that believed \
him; --source without a position everything of an engine, a person or a player: 'Ada (player)' are the results of the games \
that 'mnemon learn' has read.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    position: OptionalPositionArg,
    /// What follows the position, too, unless another line leads to it as soon
    #[arg(long)]
    subtree: bool,
    #[command(flatten)]
    sources: SourceArgs,
    /// With --contributor and no position: keep what was found by searches that believed him
    #[arg(long, requires = "contributor")]
    keep_dependents: bool,
    /// Forget without asking
    #[arg(long)]
    yes: bool,
}

pub(crate) fn run(arguments: &Arguments, location: &MemoryLocation) -> Result<bool> {
    let position = arguments.position.read()?;
    if position.is_none() && (arguments.subtree || arguments.sources.is_empty()) {
        let problem = "name a position, or a --contributor or --source of whom everything is to go";
        return Err(UsageError(problem.to_owned()).into());
    }
    if !arguments.yes && !io::stdin().is_terminal() {
        return Err(UsageError("stdin is no terminal to confirm this on: add --yes to forget".to_owned()).into());
    }
    let store = location.for_changing()?;
    let filter = arguments.sources.filter(&*store)?;
    let is_meant = |key: &Key| filter.matches(&key.source);
    let Some(position) = position else {
        let is_of_source = match arguments.sources.contributor.as_deref() {
            None => true,
            Some(contributor) => contributor == "own" && arguments.sources.source.is_some(),
        };
        let forget = if is_of_source { forget_source } else { forget_contributor };
        return forget(arguments, &*store);
    };
    let split = if arguments.subtree {
        Split::of_subtree(&*store, &*position, is_meant)?
    } else {
        Split::of_position(&*store, &*position, is_meant)?
    };
    let stayed = split.after();
    let said = if split.keys.is_empty() && stayed.is_empty() {
        format!("nothing is known of {}, nothing was forgotten\n", position.text())
    } else if split.keys.is_empty() {
        format!("nothing was forgotten\n{stayed}")
    } else if !arguments.yes && !confirmed(&split.going.to_string(), &explained(&split, arguments.subtree))? {
        "nothing was forgotten\n".to_owned()
    } else {
        let forgotten = Part { records: store.delete_many(&split.keys)?, ..split.going };
        store.sync()?;
        let what = if forgotten.records == 0 { "the notes on it".to_owned() } else { forgotten.to_string() };
        format!("{what} forgotten\n{stayed}")
    };
    output::show(&said)?;
    memory_location::is_sound(&*store)
}

/// What goes and what stays of a sub-tree.
fn explained(split: &Split, is_subtree: bool) -> String {
    if is_subtree { split.before() } else { String::new() }
}

/// Takes everything of a contributor out, and what searches found that believed him.
fn forget_contributor(arguments: &Arguments, store: &dyn Store) -> Result<bool> {
    let (known, name) = (store.contributors()?, arguments.sources.contributor.as_deref().unwrap_or_default());
    if name == "own" {
        return Err(
            UsageError("'own' is everything that this memory has found itself: name a position".to_owned()).into()
        );
    }
    let contributor = contributors::named(name, &known)?;
    let filter = SourceArgs { contributor: None, ..arguments.sources.clone() };
    let filter = filter.filter(store)?;
    let is_his = |source: &Source| source.contributor() == Some(contributor.id);
    let is_meant = |source: &Source| {
        let rests = !arguments.keep_dependents && source.rests_on(contributor.id);
        (is_his(source) || rests) && filter.matches(source)
    };
    let (keys, records) = keys_of(store, is_meant)?;
    let his = keys[..records].iter().filter(|key| is_his(&key.source)).count() as u64;
    let what = format!(
        "{} of {} and {} that rest on them",
        format::records(his),
        contributor.label,
        HumanCount(records as u64 - his)
    );
    if keys.is_empty() {
        output::show(&format!("nothing of {} is in the memory\n", contributor.label))?;
    } else if !arguments.yes && !confirmed(&what, "")? {
        output::show("nothing was forgotten\n")?;
        return memory_location::is_sound(store);
    } else {
        store.delete_many(&keys)?;
        output::show(&format!("{what} forgotten\n"))?;
    }
    if contributor.trusted {
        store.set_contributor(&Contributor { trusted: false, ..contributor.clone() })?;
        output::show(&format!("{} is no longer trusted\n", contributor.label))?;
    }
    store.sync()?;
    memory_location::is_sound(store)
}

/// Takes everything of an engine, a person or a player out.
fn forget_source(arguments: &Arguments, store: &dyn Store) -> Result<bool> {
    let (filter, name) = (arguments.sources.filter(store)?, arguments.sources.source.as_deref().unwrap_or_default());
    let (keys, records) = keys_of(store, |source| filter.matches(source))?;
    let what = format!("{} of {name}", format::records(records as u64));
    if keys.is_empty() {
        output::show(&format!("nothing of {name} is in the memory\n"))?;
    } else if !arguments.yes && !confirmed(&what, "")? {
        output::show("nothing was forgotten\n")?;
    } else {
        store.delete_many(&keys)?;
        store.sync()?;
        output::show(&format!("{what} forgotten\n"))?;
    }
    memory_location::is_sound(store)
}

/// The keys of every record of these sources, then of every annotation; and the number of the records.
fn keys_of(store: &dyn Store, is_meant: impl Fn(&Source) -> bool) -> Result<(Vec<Key>, usize)> {
    let mut keys = Vec::new();
    batch::each(store, &Range::default(), |item| {
        keys.extend(is_meant(&item.key.source).then_some(item.key));
        Ok(())
    })?;
    let records = keys.len();
    batch::each_annotation(store, &Range::default(), |annotation| {
        keys.extend(is_meant(&annotation.key.source).then_some(annotation.key));
        Ok(())
    })?;
    Ok((keys, records))
}

/// Asks on the terminal; true only for 'y' or 'yes'.
fn confirmed(what: &str, explained: &str) -> Result<bool> {
    let mut err = io::stderr();
    write!(err, "{}", output::escape_controls(explained))?;
    write!(err, "Forget {}? [y/N] ", output::escape_controls(what))?;
    err.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
}

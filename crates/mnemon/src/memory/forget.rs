//! `mnemon memory forget`: deletes records from a memory.

use std::io::{self, BufRead, IsTerminal, Write};

use clap::Args;
use mnemon_memory::{Key, Store};

use super::{filter, subtree};
use crate::format;
use crate::memory_location::{self, MemoryLocation};
use crate::notation::Position;
use crate::position_arg::PositionArg;
use crate::progress::DelayedBar;
use crate::{Result, UsageError, output};

/// The records to forget.
#[derive(Args)]
#[command(after_help = "\
--subtree means the position and everything that can be reached from it by legal moves through positions that the \
memory knows, also where another line of moves leads to it as well. In chess, moves can be taken back: then the \
position's own predecessors may be among them. 'mnemon memory export --from' shows, and saves, what it would forget.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    position: PositionArg,
    /// Everything that can follow the position, too
    #[arg(long)]
    subtree: bool,
    /// Only what this source says: 'mnemon', 'mnemon 0.1.0', or a person's name
    #[arg(long, value_name = "NAME")]
    source: Option<String>,
    /// Forget without asking
    #[arg(long)]
    yes: bool,
}

pub(crate) fn run(arguments: &Arguments, location: &MemoryLocation) -> Result<bool> {
    let position = arguments.position.read()?;
    if !arguments.yes && !io::stdin().is_terminal() {
        return Err(UsageError("stdin is no terminal to confirm this on: add --yes to forget".to_owned()).into());
    }
    let store = location.for_changing()?;
    let (keys, positions) = keys(arguments, &*store, &*position)?;
    if keys.is_empty() {
        output::show(&format!("nothing is known of {}, nothing was forgotten\n", position.text()))?;
        return memory_location::is_sound(&*store);
    }
    let what = format!("{} of {positions} position{}", format::records(keys.len() as u64), format::plural(positions));
    if !arguments.yes && !confirmed(&what)? {
        output::show("nothing was forgotten\n")?;
        return memory_location::is_sound(&*store);
    }
    let forgotten = store.delete_many(&keys)?;
    store.sync()?;
    output::show(&format!(
        "{} of {positions} position{} forgotten\n",
        format::records(forgotten),
        format::plural(positions)
    ))?;
    memory_location::is_sound(&*store)
}

/// The keys to forget, and the number of their positions.
fn keys(arguments: &Arguments, store: &dyn Store, position: &dyn Position) -> Result<(Vec<Key>, u64)> {
    let (mut keys, mut positions, game) = (Vec::new(), 0, position.game());
    let mut gather = |packed: &[u8], views: subtree::Views| {
        let meant = views.iter().filter(|(source, _)| filter::matches(source, arguments.source.as_deref()));
        let before = keys.len();
        keys.extend(meant.map(|(source, _)| Key::new(&game, packed, source)));
        positions += u64::from(keys.len() > before);
        Ok(())
    };
    if arguments.subtree {
        let bar = DelayedBar::new(store.statistics()?.records(), "look");
        subtree::walk(store, position, &bar, &mut gather)?;
    } else {
        gather(&position.packed(), subtree::views_of(store, position)?)?;
    }
    Ok((keys, positions))
}

/// Asks on the terminal; true only for 'y' or 'yes'.
fn confirmed(what: &str) -> Result<bool> {
    let mut err = io::stderr();
    write!(err, "Forget {what}? [y/N] ")?;
    err.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
}

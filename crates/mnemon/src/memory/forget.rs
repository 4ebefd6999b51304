//! `mnemon memory forget`: deletes records from a memory.

use std::io::{self, BufRead, IsTerminal, Write};

use clap::Args;
use mnemon_memory::Key;

use super::filter;
use super::split::{Part, Split};
use crate::memory_location::{self, MemoryLocation};
use crate::position_arg::PositionArg;
use crate::{Result, UsageError, output};

/// The records to forget.
#[derive(Args)]
#[command(after_help = "\
The sub-tree of a position is every known position to which a shortest line of known positions passes it; --subtree \
takes only those to which every shortest line does: a transposition of equal length stays.

'startpos moves e4 c5' says more of what stood before the position than a FEN does. What goes and what stays is said \
before it is confirmed, and afterwards. 'mnemon memory export --from' shows, and saves, the whole sub-tree.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    position: PositionArg,
    /// What follows the position, too, unless another line leads to it as soon
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
    let is_meant = |key: &Key| filter::matches(&key.source, arguments.source.as_deref());
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
    } else if !arguments.yes && !confirmed(&split, arguments.subtree)? {
        "nothing was forgotten\n".to_owned()
    } else {
        let forgotten = Part { records: store.delete_many(&split.keys)?, ..split.going };
        store.sync()?;
        format!("{forgotten} forgotten\n{stayed}")
    };
    output::show(&said)?;
    memory_location::is_sound(&*store)
}

/// Asks on the terminal; true only for 'y' or 'yes'.
fn confirmed(split: &Split, is_subtree: bool) -> Result<bool> {
    let mut err = io::stderr();
    if is_subtree {
        write!(err, "{}", output::escape_controls(&split.before()))?;
    }
    write!(err, "Forget {}? [y/N] ", split.going)?;
    err.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
}

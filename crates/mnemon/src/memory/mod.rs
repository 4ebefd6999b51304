//! `mnemon memory`: shows, teaches, exchanges and maintains the long-term memory.
//!
//! Commands that read never make or change a file. Scores are for the side to move of the position that a command is
//! about, and every output that shows one says so.

mod batch;
mod export;
mod export_tree;
mod filter;
mod forget;
mod get;
mod import;
mod maintenance;
mod merge;
mod note;
mod people;
mod person;
mod put;
mod results;
mod show;
mod split;
mod stats;
mod subtree;

use std::path::PathBuf;
use std::process::ExitCode;

pub(crate) use filter::SourceArgs;
pub(crate) use person::name as person_name;

use clap::{Args, Subcommand};

use crate::Result;
use crate::memory_location::{MemoryLocation, default_path};
use crate::position_arg::PositionQuery;

/// The memory, and what to do with it.
#[derive(Args)]
#[command(after_help = concat!("Without --memory it is MNEMON_MEMORY, or else ", default_path!(), "."))]
pub(crate) struct Arguments {
    /// The memory's file
    #[arg(long, global = true, value_name = "PATH")]
    memory: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

/// The subcommands.
#[derive(Subcommand)]
enum Command {
    /// The number of records by game and source
    Stats(stats::Arguments),
    /// A position with its records and those of each of its moves
    Show(PositionQuery),
    /// The exact records of one position
    Get(PositionQuery),
    /// Advise a move or a score in a position
    Put(put::Arguments),
    /// Write a note on a position
    Note(note::Arguments),
    /// Take a position, what follows it, or everything of a contributor out of the memory
    Forget(forget::Arguments),
    /// Merge other memories into this one
    Merge(merge::Arguments),
    /// The memories and files that records came from, and who is trusted
    Contributors(people::List),
    /// Believe the scores of a contributor
    Trust(people::Named),
    /// No longer believe the scores of a contributor
    Untrust(people::Named),
    /// Show or change the label under which others see what comes from this memory
    Label(people::Label),
    /// Write records as JSON lines or EPD, the known tree as PGN or an opening book, or a part of the memory as a memory
    Export(export::Arguments),
    /// Read JSON lines, games (PGN), analyses (EPD), evaluations of lichess, or an opening book
    Import(import::Arguments),
    /// Check every record
    Verify(maintenance::Verify),
    /// Give unused space back to the system
    Compact,
    /// Copy the memory to a new file, also while others write to it
    Backup(maintenance::Backup),
    /// Replace the memory's contents with those of a backup, also where the memory is damaged or missing
    Restore(maintenance::Restore),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let location = MemoryLocation::choose(arguments.memory.as_deref())?;
    let is_fine = match &arguments.command {
        Command::Stats(arguments) => stats::run(arguments, &location),
        Command::Show(arguments) => show::run(arguments, &location),
        Command::Get(arguments) => get::run(arguments, &location),
        Command::Put(arguments) => put::run(arguments, &location),
        Command::Note(arguments) => note::run(arguments, &location),
        Command::Contributors(arguments) => people::list(arguments, &location),
        Command::Trust(arguments) => people::trust(arguments, &location),
        Command::Untrust(arguments) => people::untrust(arguments, &location),
        Command::Label(arguments) => people::label(arguments, &location),
        Command::Forget(arguments) => forget::run(arguments, &location),
        Command::Merge(arguments) => merge::run(arguments, &location),
        Command::Export(arguments) => export::run(arguments, &location),
        Command::Import(arguments) => import::run(arguments, &location),
        Command::Verify(arguments) => maintenance::verify(arguments, &location),
        Command::Compact => maintenance::compact(&location),
        Command::Backup(arguments) => maintenance::backup(arguments, &location),
        Command::Restore(arguments) => maintenance::restore(arguments, &location),
    }?;
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

//! `mnemon memory`: looking into the long-term memory, teaching it, and taking care of its file.
//!
//! Commands that read never make or change a file. Scores are for the side to move of the position that a command is
//! about, and every output that shows one says so.

mod batch;
mod export;
mod filter;
mod forget;
mod get;
mod import;
mod maintenance;
mod merge;
mod put;
mod show;
mod stats;
mod subtree;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::Result;
use crate::memory_location::{MemoryLocation, default_path};

/// What to do with which memory.
#[derive(Args)]
#[command(after_help = concat!("Without --memory it is MNEMON_MEMORY, or else ", default_path!(), "."))]
pub(crate) struct Arguments {
    /// The memory's file
    #[arg(long, global = true, value_name = "PATH")]
    memory: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

/// What to do.
#[derive(Subcommand)]
enum Command {
    /// How many records there are, of which games and from whom
    Stats(stats::Arguments),
    /// A position with what is known of it and of each of its moves
    Show(show::Arguments),
    /// The exact records of one position
    Get(get::Arguments),
    /// Advise a move or a score in a position
    Put(put::Arguments),
    /// Take a position, or everything that can follow it, out of the memory
    Forget(forget::Arguments),
    /// Merge other memories into this one
    Merge(merge::Arguments),
    /// Write records as JSON lines, or a part of the memory as a memory of its own
    Export(export::Arguments),
    /// Read JSON lines that 'export' wrote, or that another program did
    Import(import::Arguments),
    /// Check every record
    Verify(maintenance::Verify),
    /// Give unused space back to the system
    Compact,
    /// Copy the memory to a new file, also while others write to it
    Backup(maintenance::Backup),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let location = MemoryLocation::choose(arguments.memory.as_deref())?;
    let is_fine = match &arguments.command {
        Command::Stats(arguments) => stats::run(arguments, &location),
        Command::Show(arguments) => show::run(arguments, &location),
        Command::Get(arguments) => get::run(arguments, &location),
        Command::Put(arguments) => put::run(arguments, &location),
        Command::Forget(arguments) => forget::run(arguments, &location),
        Command::Merge(arguments) => merge::run(arguments, &location),
        Command::Export(arguments) => export::run(arguments, &location),
        Command::Import(arguments) => import::run(arguments, &location),
        Command::Verify(arguments) => maintenance::verify(arguments, &location),
        Command::Compact => maintenance::compact(&location),
        Command::Backup(arguments) => maintenance::backup(arguments, &location),
    }?;
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

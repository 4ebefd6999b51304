//! `mnemon solve book`: makes an opening book, goes on with it, and verifies it.
//!
//! A book is a memory (see [`crate::connect4::book`]). It only grows; whatever interrupts its making, the records that
//! were written stay.

mod layers;
mod make;
mod verify;

use std::path::PathBuf;

use clap::Args;

use crate::Result;
use crate::connect4::solver::Settings;

/// Which book to make. Scores in it are for the side to move.
#[derive(Args)]
#[command(after_long_help = "\
The book holds every position that can be reached within --depth plies and is not over, mirror images once. \
Interrupted, the same command goes on where it stopped; with another --depth or --from it adds to the book. A book is \
a memory of proven records: 'mnemon memory show 44 --memory FILE' shows what it knows.")]
pub(crate) struct Arguments {
    /// The depth of the book below its root, in plies
    #[arg(long, required_unless_present = "verify", value_parser = clap::value_parser!(u8).range(0..=42))]
    depth: Option<u8>,
    /// The root: the moves that every position begins with; '-' for the empty board
    #[arg(long, default_value = "-", value_name = "MOVES")]
    from: String,
    /// The memory that is the book, which is made or added to
    #[arg(long, default_value = "connect4.book", value_name = "FILE")]
    out: PathBuf,
    /// Then solve this many of the book's positions again, taken at random, and compare
    #[arg(long, value_name = "COUNT")]
    verify: Option<usize>,
    /// The seed of the choice of --verify
    #[arg(long, default_value_t = 1, requires = "verify")]
    seed: u64,
    #[command(flatten)]
    engine: Settings,
}

/// Makes the book and verifies it, as the arguments say; true when no score is wrong and no record is damaged.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    if let Some(depth) = arguments.depth {
        make::run(arguments, depth)?;
    }
    arguments.verify.map_or(Ok(true), |count| verify::run(arguments, count))
}

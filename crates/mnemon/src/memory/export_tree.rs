//! `mnemon memory export` to .pgn and .bin: the known tree below a position of chess.

use std::io::Write;
use std::path::Path;

use clap::Args;
use mnemon_chess::{Position, read_line_of_play};
use mnemon_explore::exchange::{KnownTree, TreeLimits, TreeRoot, is_written_tree, write_book, write_pgn};
use mnemon_search::{Game, Notation};
use mnemon_table::file::{OwnKind, PendingFile};

use super::export::{Arguments, refused};
use crate::format;
use crate::memory_location::{self, MemoryLocation};
use crate::{Result, UsageError, output, progress};

/// How much of the tree is written.
#[derive(Args)]
pub(crate) struct TreeArgs {
    /// Of a tree, only up to this distance from the position [default: 40]
    #[arg(long, value_name = "N")]
    plies: Option<u16>,
    /// Of a tree, only this many moves of each position [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    width: Option<u16>,
    /// Of a tree, only moves that are worse than the best by at most this many pawns
    #[arg(long, value_name = "PAWNS")]
    within: Option<String>,
    /// Of a tree, only this many positions [default: 50000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    positions: Option<u32>,
}

impl TreeArgs {
    fn limits(&self) -> Result<TreeLimits> {
        let within = self.within.as_deref().map(Position::read_score).transpose();
        let within = within.map_err(|error| UsageError(format!("--within: {error}")))?;
        if within.is_some_and(|within| within < 0) {
            return Err(UsageError("--within: expected pawns such as 0.50".to_owned()).into());
        }
        let default = TreeLimits::default();
        Ok(TreeLimits {
            plies: self.plies.unwrap_or(default.plies),
            width: self.width.map_or(default.width, usize::from),
            within: within.map(i32::from),
            positions: self.positions.map_or(default.positions, |positions| positions as usize),
        })
    }
}

/// The trees that this command writes as PGN.
const WRITTEN_TREE: OwnKind = OwnKind::new("an exported tree", is_written_tree);
/// A book has no mark of its own: none is replaced.
const NEW_FILE: OwnKind = OwnKind::new("an empty file", |_| false);

pub(super) fn run(arguments: &Arguments, file: Option<&Path>, is_pgn: bool, location: &MemoryLocation) -> Result<bool> {
    let root = root(arguments)?;
    let limits = arguments.tree.limits()?;
    let store = location.for_reading()?;
    let filter = arguments.sources.filter(&*store)?;
    let pending = match file {
        Some(path) => {
            let own = if is_pgn { WRITTEN_TREE } else { NEW_FILE };
            Some((path, PendingFile::replacing(path, &own).map_err(|error| refused(path, error))?))
        }
        None => None,
    };
    let known = progress::during("look", || {
        KnownTree::read(&*store, &root.position(), limits, &|source| filter.matches(source))
    })?;
    if known.nodes.len() == 1 && known.nodes[0].moves.is_empty() && known.nodes[0].score.is_none() {
        return Err("nothing is known below this position: there is no tree to export".into());
    }
    let bytes = if is_pgn { write_pgn(&known, &root).into_bytes() } else { write_book(&known).0 };
    let Some((path, mut pending)) = pending else {
        output::bytes(&bytes)?;
        return memory_location::is_sound(&*store);
    };
    pending.as_file_mut().write_all(&bytes).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    pending.replace().map_err(|error| refused(path, error))?;
    let positions = known.nodes.len() as u64;
    let mut said = format!("{positions} position{} written to {}", format::plural(positions), path.display());
    if known.is_cut {
        said += "; there are more (--plies, --width, --within, --positions)";
    }
    output::show(&(said + "\n"))?;
    memory_location::is_sound(&*store)
}

/// The position that the tree is below, with the moves that lead to it.
fn root(arguments: &Arguments) -> Result<TreeRoot> {
    if arguments.game.as_deref().is_some_and(|game| *game != *Position::name()) {
        return Err(UsageError("--game: only trees of chess are written as PGN or as a book".to_owned()).into());
    }
    let text = if arguments.from.is_empty() { "startpos".to_owned() } else { arguments.from.join(" ") };
    let (start, moves) = read_line_of_play(&text).map_err(|error| UsageError(format!("--from: {error}")))?;
    Ok(TreeRoot { start, moves })
}

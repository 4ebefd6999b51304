//! Pictures of a tree in files: only a former picture or an empty file is replaced.

use std::io::{self, Write};
use std::path::Path;

use mnemon_explore::tree::{Tree, dot, svg};
use mnemon_table::file::{FileError, OwnKind, PendingFile};

use crate::{Result, output};

const SVG: OwnKind = OwnKind::new("a drawing of a tree by mnemon", svg::is_own);
const DOT: OwnKind = OwnKind::new("a graph of a tree by mnemon", dot::is_own);

pub(super) fn write_svg(path: &Path, tree: &Tree, now: u32) -> Result {
    write(path, &svg::draw(tree, now), &SVG)
}

pub(super) fn write_dot(path: &Path, tree: &Tree) -> Result {
    write(path, &dot::draw(tree), &DOT)
}

/// Writes the text to the file, whole or not at all, or to stdout.
fn write(path: &Path, text: &str, kind: &OwnKind) -> Result {
    if path.as_os_str() == "-" {
        return Ok(output::bytes(text.as_bytes())?);
    }
    let pending = PendingFile::replacing(path, kind).map_err(refused)?;
    let cannot = |error: io::Error| format!("cannot write {}: {error}", path.display());
    pending.as_file().write_all(text.as_bytes()).map_err(cannot)?;
    pending.replace().map_err(refused)?;
    Ok(output::show(&format!("written to {}\n", path.display()))?)
}

fn refused(error: FileError) -> String {
    match error {
        error @ FileError::WrongKind { .. } => format!("{error}; name a new file"),
        error => error.to_string(),
    }
}

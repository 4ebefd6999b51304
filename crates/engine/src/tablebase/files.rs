//! The files of a set of tables, looked at before anybody trusts them.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// What there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// The most men of a table.
    pub(super) men: u32,
    /// Tables that say who wins.
    pub(super) verdicts: usize,
    /// Tables that say how far it is.
    pub(super) distances: usize,
}

/// The first bytes of a table that says who wins, and of one that says how far it is.
const MAGIC: [(&str, [u8; 4]); 2] = [("rtbw", [0x71, 0xe8, 0x23, 0x5d]), ("rtbz", [0xd7, 0x66, 0x0c, 0xa5])];

/// Looks through the folders of a path; or says why there is nothing to be used.
pub(super) fn look(path: &str) -> Result<Found, String> {
    if path.trim().is_empty() {
        return Err("the path is empty".to_owned());
    }
    let mut found = Found::default();
    for folder in std::env::split_paths(path) {
        look_into(&folder, &mut found)?;
    }
    if found.verdicts == 0 {
        return Err("there is no table in it (tables are files like KQvK.rtbw)".to_owned());
    }
    Ok(found)
}

fn look_into(folder: &Path, found: &mut Found) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let file = entry.path();
        let (stem, ending) = (file.file_stem().and_then(|name| name.to_str()), file.extension());
        let kind = MAGIC.iter().position(|(name, _)| ending.is_some_and(|ending| ending == *name));
        if let (Some(kind), Some(men)) = (kind, stem.and_then(men)) {
            check(&file, MAGIC[kind].1)?;
            found.men = found.men.max(men);
            *[&mut found.verdicts, &mut found.distances][kind] += 1;
        }
    }
    Ok(())
}

/// How many men a table's name has, as in `KRPvKR`; `None` if it is no table's.
fn men(name: &str) -> Option<u32> {
    let (white, black) = name.split_once('v')?;
    let is_side = |side: &str| side.strip_prefix('K').is_some_and(|men| men.chars().all(|man| "QRBNP".contains(man)));
    (is_side(white) && is_side(black)).then_some((white.len() + black.len()) as u32)
}

/// Whether a file begins and ends as a table does. A part of one, as an interrupted download leaves it, would be read
/// beyond its end.
fn check(file: &Path, magic: [u8; 4]) -> Result<(), String> {
    let damaged = |why: &str| format!("{} is damaged ({why}): get it again, or remove it", file.display());
    let unreadable = |error: std::io::Error| format!("{}: {error}", file.display());
    let mut opened = File::open(file).map_err(unreadable)?;
    // Blocks of 64 bytes, and a checksum of 16.
    if opened.metadata().map_err(unreadable)?.len() % 64 != 16 {
        return Err(damaged("its length is no table's"));
    }
    let mut first = [0; 4];
    opened.read_exact(&mut first).map_err(unreadable)?;
    if first == magic { Ok(()) } else { Err(damaged("it does not begin as a table does")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_men() {
        assert_eq!(["KQvK", "KRPvKR", "KvK"].map(men), [Some(3), Some(5), Some(2)]);
        assert_eq!(["KQ", "QvK", "KQvKX", "kqvk", "notes"].map(men), [None; 5]);
    }
}

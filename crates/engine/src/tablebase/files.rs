//! The files of the tablebases, checked before the prober reads them.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::TablebaseError;

/// The tables of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Inventory {
    /// The most pieces of a table, kings included.
    pub(super) max_pieces: u32,
    /// How many WDL tables there are: win, draw or loss.
    pub(super) wdl_tables: usize,
    /// How many DTZ tables there are: plies to the next capture, pawn move or mate.
    pub(super) dtz_tables: usize,
}

/// The extension and the first bytes of a WDL table and of a DTZ table.
const MAGIC: [(&str, [u8; 4]); 2] = [("rtbw", [0x71, 0xe8, 0x23, 0x5d]), ("rtbz", [0xd7, 0x66, 0x0c, 0xa5])];

/// Counts and checks the tables in the folders of a path.
///
/// # Errors
/// A folder or table that cannot be read, a damaged table, or no WDL table at all.
pub(super) fn scan(path: &str) -> Result<Inventory, TablebaseError> {
    if path.trim().is_empty() {
        return Err(TablebaseError::EmptyPath);
    }
    let mut inventory = Inventory::default();
    for folder in std::env::split_paths(path) {
        scan_folder(&folder, &mut inventory)?;
    }
    if inventory.wdl_tables == 0 {
        return Err(TablebaseError::NoTables { path: path.to_owned() });
    }
    Ok(inventory)
}

fn scan_folder(folder: &Path, inventory: &mut Inventory) -> Result<(), TablebaseError> {
    let cannot_read = |error| TablebaseError::Read { path: folder.to_owned(), error };
    for entry in std::fs::read_dir(folder).map_err(cannot_read)?.flatten() {
        let file = entry.path();
        let (stem, extension) = (file.file_stem().and_then(|name| name.to_str()), file.extension());
        let table_type = MAGIC.iter().position(|(name, _)| extension.is_some_and(|extension| extension == *name));
        if let (Some(table_type), Some(pieces)) = (table_type, stem.and_then(piece_count)) {
            check(&file, MAGIC[table_type].1)?;
            inventory.max_pieces = inventory.max_pieces.max(pieces);
            *[&mut inventory.wdl_tables, &mut inventory.dtz_tables][table_type] += 1;
        }
    }
    Ok(())
}

/// How many pieces the name of a table has, as in `KRPvKR`; `None` if it is no table's name.
fn piece_count(name: &str) -> Option<u32> {
    let (white, black) = name.split_once('v')?;
    let is_side =
        |side: &str| side.strip_prefix('K').is_some_and(|pieces| pieces.chars().all(|piece| "QRBNP".contains(piece)));
    (is_side(white) && is_side(black)).then_some((white.len() + black.len()) as u32)
}

/// Checks the magic bytes and the length of a table. The prober would read beyond the end of a part of a table, as an
/// interrupted download leaves it.
fn check(file: &Path, magic: [u8; 4]) -> Result<(), TablebaseError> {
    let damaged = |reason| TablebaseError::Damaged { file: file.to_owned(), reason };
    let cannot_read = |error| TablebaseError::Read { path: file.to_owned(), error };
    let mut opened = File::open(file).map_err(cannot_read)?;
    // Blocks of 64 bytes, and a checksum of 16.
    if opened.metadata().map_err(cannot_read)?.len() % 64 != 16 {
        return Err(damaged("its length is no table's"));
    }
    let mut first = [0; 4];
    opened.read_exact(&mut first).map_err(cannot_read)?;
    if first == magic { Ok(()) } else { Err(damaged("it does not begin as a table does")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_give_the_number_of_pieces() {
        assert_eq!(["KQvK", "KRPvKR", "KvK"].map(piece_count), [Some(3), Some(5), Some(2)]);
        assert_eq!(["KQ", "QvK", "KQvKX", "kqvk", "notes"].map(piece_count), [None; 5]);
    }
}

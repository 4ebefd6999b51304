//! The files of the tablebases, checked before the prober reads them.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::TablebaseError;
use super::blocks;
use super::header::{self, Material, TableType};

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

/// The extension and the first bytes of each type of table.
const TABLE_TYPES: [(&str, [u8; 4], TableType); 2] =
    [("rtbw", [0x71, 0xe8, 0x23, 0x5d], TableType::Wdl), ("rtbz", [0xd7, 0x66, 0x0c, 0xa5], TableType::Dtz)];

/// No header is longer.
const MAX_HEADER_BYTES: u64 = 1 << 18;

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
        let table_type = TABLE_TYPES.iter().find(|(name, ..)| extension.is_some_and(|extension| extension == *name));
        if let (Some((_, magic, table_type)), Some(material)) = (table_type, stem.and_then(Material::of)) {
            check(&file, *magic, &material, *table_type)?;
            inventory.max_pieces = inventory.max_pieces.max(material.pieces() as u32);
            match table_type {
                TableType::Wdl => inventory.wdl_tables += 1,
                TableType::Dtz => inventory.dtz_tables += 1,
            }
        }
    }
    Ok(())
}

/// Checks the length of a table, its magic bytes, its header and its index. The prober would read beyond the end of a part of a table,
/// as an interrupted download leaves it, or wherever damage leads it.
fn check(file: &Path, magic: [u8; 4], material: &Material, table_type: TableType) -> Result<(), TablebaseError> {
    let damaged = |reason| TablebaseError::Damaged { file: file.to_owned(), reason };
    let cannot_read = |error| TablebaseError::Read { path: file.to_owned(), error };
    let mut opened = File::open(file).map_err(cannot_read)?;
    let length = opened.metadata().map_err(cannot_read)?.len();
    // Blocks of 64 bytes, and a checksum of 16.
    if length % 64 != 16 {
        return Err(damaged("its length is no table's"));
    }
    let mut bytes = Vec::new();
    (&opened).take(MAX_HEADER_BYTES).read_to_end(&mut bytes).map_err(cannot_read)?;
    if !bytes.starts_with(&magic) {
        return Err(damaged("it does not begin as a table does"));
    }
    for subtable in header::read(&bytes, length, material, table_type).map_err(damaged)? {
        blocks::check(&mut opened, &subtable, length).map_err(cannot_read)?.map_err(damaged)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_give_the_number_of_pieces() {
        let pieces = |name| Material::of(name).map(|material| material.pieces());
        assert_eq!(["KQvK", "KRPvKR", "KvK"].map(pieces), [Some(3), Some(5), Some(2)]);
        assert_eq!(["KQ", "QvK", "KQvKX", "KKvK", "kqvk", "notes"].map(pieces), [None; 6]);
    }
}

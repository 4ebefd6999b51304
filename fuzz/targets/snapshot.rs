//! Snapshots of the table: a file is loaded only if every byte is as it was saved; whatever loads is saved and loaded again.
//!
//! The first byte chooses: the bytes are the whole file, patches to a saved file, or patches that are followed by right
//! checksums, so that what lies behind them is reached too.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mnemon_fuzz::{Patches, scratch};
use mnemon_table::replace::Aged;
use mnemon_table::{Entry, Table, Wide, Window};

const KEYS: &str = "fuzz keys 1";
/// Offsets in a file: see the format in `crates/table/src/snapshot.rs`.
const HEADER: usize = 40 + "wide-2".len() + KEYS.len() + 4;

static SAVED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let table: Table = Table::new(640).expect("the size is fine");
    for key in (1..100_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) {
        table.store(key, Entry { window: Window::exact(key as i16 & 255), best: 1, ..Entry::default() });
    }
    table.save(&file("saved"), KEYS).expect("saves");
    std::fs::read(file("saved")).expect("reads")
});

fn saved(table: &Table<Wide, Aged>) -> Vec<u8> {
    table.save(&file("again"), KEYS).expect("saves");
    std::fs::read(file("again")).expect("reads")
}

fn file(name: &str) -> PathBuf {
    scratch().join(name)
}

fuzz_target!(|data: &[u8]| {
    let Some((&mode, data)) = data.split_first() else { return };
    let bytes = match mode % 3 {
        0 => data.to_vec(),
        1 => Patches::of(data).apply(&SAVED),
        _ => forged(Patches::of(data).apply(&SAVED)),
    };
    std::fs::write(file("fuzzed"), &bytes).expect("a writable folder");
    let loaded = Table::<Wide, Aged>::load(&file("fuzzed"), KEYS);
    let Ok(table) = loaded else {
        assert!(bytes != *SAVED, "a sound file is refused");
        return;
    };
    assert!(mode % 3 != 1 || bytes == *SAVED, "a damaged file is loaded");
    let saved = saved(&table);
    assert!(mode % 3 != 1 || saved == bytes, "a table is saved as it was loaded");
    // A forged generation is taken modulo their number.
    assert_eq!(self::saved(&Table::load(&file("again"), KEYS).expect("loads")), saved);
    for key in (1..100_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) {
        let _ = table.probe(key);
    }
});

/// The bytes with the checksums of the header and of a single block made right.
fn forged(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() < HEADER + 4 {
        return bytes;
    }
    let crc = crc32fast::hash(&bytes[..HEADER - 4]).to_le_bytes();
    bytes[HEADER - 4..HEADER].copy_from_slice(&crc);
    let end = bytes.len() - 4;
    let mut block = crc32fast::Hasher::new();
    block.update(&crc);
    block.update(&0_u64.to_le_bytes());
    block.update(&bytes[HEADER..end]);
    bytes[end..].copy_from_slice(&block.finalize().to_le_bytes());
    bytes
}

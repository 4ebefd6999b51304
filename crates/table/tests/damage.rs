//! Damaged, forged and foreign files: each is refused with the error that says why.

mod common;

use std::fs::{self, File};
use std::path::PathBuf;

use common::mix;
use mnemon_table::replace::{Aged, TwoDeep};
use mnemon_table::{Compact, Entry, SnapshotError, Table, TableError, Wide, Window};
use tempfile::TempDir;

const KEYS: &str = "test keys 1";

/// Offsets in a file: see the format in `src/snapshot.rs`.
const VERSION: usize = 8;
const HEADER_LENGTH: usize = 12;
const LINES: usize = 16;
const WAYS: usize = 24;
const GENERATION: usize = 28;
const NAMES: usize = 40;
const HEADER: usize = NAMES + "wide-3:15:4".len() + KEYS.len() + 4;
const BLOCK: usize = (1 << 20) + 4;

/// A snapshot in a folder of its own, to be damaged.
struct Snapshot {
    bytes: Vec<u8>,
    path: PathBuf,
    _folder: TempDir,
}

impl Snapshot {
    fn of(table_bytes: usize) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("damaged.tt");
        let table: Table = Table::new(table_bytes).expect("the size is fine");
        for key in (0..table.capacity() as u64).map(mix) {
            table.store(key, Entry { window: Window::exact(key as i16 & 255), best: 1, ..Entry::default() });
        }
        table.save(&path, KEYS).expect("saves");
        Snapshot { bytes: fs::read(&path).expect("reads"), path, _folder: folder }
    }

    /// Why these bytes are refused. Every message names the file.
    fn refusal_of(&self, bytes: &[u8]) -> SnapshotError {
        fs::write(&self.path, bytes).expect("writes");
        self.refusal()
    }

    /// Why the file as it stands is refused.
    fn refusal(&self) -> SnapshotError {
        let error = Table::<Wide, Aged>::load(&self.path, KEYS).err().expect("damage is refused");
        assert!(error.to_string().contains("damaged.tt"), "{error}");
        error
    }

    /// The bytes with some replaced.
    fn with(&self, at: usize, new: &[u8]) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        bytes
    }

    /// The bytes with some of the header replaced and the header's checksum made right again.
    fn forged(&self, at: usize, new: &[u8]) -> Vec<u8> {
        let mut bytes = self.with(at, new);
        let crc = crc32fast::hash(&bytes[..HEADER - 4]);
        bytes[HEADER - 4..HEADER].copy_from_slice(&crc.to_le_bytes());
        bytes
    }
}

/// The error's variant as a word, and the part or difference it names.
fn kind(error: &SnapshotError) -> String {
    match error {
        SnapshotError::Io { action, .. } => format!("io {action}"),
        SnapshotError::WrongKind { kind, .. } => format!("wrong kind: {kind}"),
        SnapshotError::Foreign { .. } => "foreign".to_owned(),
        SnapshotError::Version { found, .. } => format!("version {found}"),
        SnapshotError::Mismatch { what, .. } => format!("mismatch {what}"),
        SnapshotError::Length { .. } => "length".to_owned(),
        SnapshotError::Corrupt { part, .. } => format!("corrupt {part}"),
        SnapshotError::Memory { .. } => "memory".to_owned(),
        other => panic!("an error without a test: {other}"),
    }
}

/// The [`kind`] of error that a file damaged at this byte must give.
fn kind_at(at: usize, bytes: &[u8]) -> String {
    match at {
        0..VERSION => "foreign".to_owned(),
        VERSION..HEADER_LENGTH => {
            let version = bytes[VERSION..HEADER_LENGTH].try_into().expect("four bytes");
            format!("version {}", u32::from_le_bytes(version))
        }
        HEADER_LENGTH..HEADER => "corrupt header".to_owned(),
        _ => format!("corrupt block {}", (at - HEADER) / BLOCK),
    }
}

#[test]
fn the_undamaged_file_is_accepted() {
    let snapshot = Snapshot::of(640);
    assert_eq!(snapshot.bytes.len(), HEADER + 640 + 4);
    Table::<Wide, Aged>::load(&snapshot.path, KEYS).expect("loads");
    fs::write(&snapshot.path, snapshot.forged(0, b"mnemonTT")).expect("writes");
    Table::<Wide, Aged>::load(&snapshot.path, KEYS).expect("the forger knows the checksum");
}

#[test]
fn every_truncation_is_noticed() {
    let snapshot = Snapshot::of(192);
    for length in 0..snapshot.bytes.len() {
        let expected = match length {
            0..44 => "foreign",
            44..HEADER => "corrupt header",
            _ => "length",
        };
        assert_eq!(kind(&snapshot.refusal_of(&snapshot.bytes[..length])), expected, "cut at {length}");
    }
}

#[test]
fn truncations_of_a_large_file_are_noticed() {
    let snapshot = Snapshot::of(3 << 20);
    let whole = snapshot.bytes.len();
    for length in [HEADER, HEADER + 1000, HEADER + BLOCK, HEADER + BLOCK + 7, whole - BLOCK, whole - 4, whole - 1] {
        assert_eq!(kind(&snapshot.refusal_of(&snapshot.bytes[..length])), "length", "cut at {length}");
    }
}

#[test]
fn an_extra_byte_is_noticed() {
    let snapshot = Snapshot::of(640);
    let longer = [&snapshot.bytes[..], &[0]].concat();
    assert_eq!(kind(&snapshot.refusal_of(&longer)), "length");
}

#[test]
fn every_changed_bit_is_noticed() {
    let snapshot = Snapshot::of(128);
    for bit in 0..8 * snapshot.bytes.len() {
        let mut bytes = snapshot.bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(kind(&snapshot.refusal_of(&bytes)), kind_at(bit / 8, &bytes), "bit {bit}");
    }
}

#[test]
fn random_damage_to_a_large_file_is_noticed() {
    let snapshot = Snapshot::of(3 << 20);
    for seed in 0..100 {
        let mut bytes = snapshot.bytes.clone();
        let at = (mix(seed) % bytes.len() as u64) as usize;
        let flip = mix(!seed) as u8 | 1;
        bytes[at] ^= flip;
        assert_eq!(kind(&snapshot.refusal_of(&bytes)), kind_at(at, &bytes), "byte {at}, seed {seed}");
    }
}

#[test]
fn scattered_damage_is_noticed() {
    let snapshot = Snapshot::of(6400);
    for seed in 0..500 {
        let mut bytes = snapshot.bytes.clone();
        for number in 0..=seed % 20 {
            let random = mix(seed << 8 | number);
            let at = random as usize % bytes.len();
            bytes[at] = bytes[at].wrapping_add((random >> 56) as u8 | 1);
        }
        if bytes != snapshot.bytes {
            snapshot.refusal_of(&bytes);
        }
    }
}

#[test]
fn swapped_blocks_are_noticed() {
    let snapshot = Snapshot::of(3 << 20);
    let (header, blocks) = snapshot.bytes.split_at(HEADER);
    let blocks: Vec<&[u8]> = blocks.chunks(BLOCK).collect();
    for (order, broken) in [([1, 0, 2], 0), ([0, 2, 1], 1), ([0, 0, 2], 1)] {
        let swapped = order.map(|number| blocks[number]).concat();
        let error = snapshot.refusal_of(&[header, &swapped].concat());
        assert_eq!(kind(&error), format!("corrupt block {broken}"));
    }
}

#[test]
fn a_block_of_another_snapshot_is_noticed() {
    let (snapshot, larger) = (Snapshot::of(1 << 20), Snapshot::of(2 << 20));
    let grafted = snapshot.with(HEADER, &larger.bytes[HEADER..HEADER + BLOCK]);
    assert_eq!(kind(&snapshot.refusal_of(&grafted)), "corrupt block 0");
}

#[test]
fn other_files_are_foreign() {
    let snapshot = Snapshot::of(640);
    for bytes in [&b""[..], b"hello", &[0; 4096], &[255; 70_000], &snapshot.bytes[1..]] {
        assert_eq!(kind(&snapshot.refusal_of(bytes)), "foreign");
    }
}

#[test]
fn a_folder_and_a_missing_file_are_refused() {
    let snapshot = Snapshot::of(640);
    fs::remove_file(&snapshot.path).expect("removes");
    assert_eq!(kind(&snapshot.refusal()), "io open");
    fs::create_dir(&snapshot.path).expect("a folder");
    assert_eq!(kind(&snapshot.refusal()), "wrong kind: a directory");
}

#[test]
fn another_version_is_named() {
    let snapshot = Snapshot::of(640);
    for version in [0, 2, 77] {
        let error = snapshot.refusal_of(&snapshot.forged(VERSION, &u32::to_le_bytes(version)));
        assert_eq!(kind(&error), format!("version {version}"));
        assert!(error.to_string().contains(&format!("format {version}")), "{error}");
    }
}

#[test]
fn another_kind_of_table_is_named() {
    let Snapshot { path, _folder, .. } = Snapshot::of(640);
    let errors = [
        (Table::<Compact<31, 5, 6, 6>>::load(&path, KEYS).err(), "mismatch layout"),
        (Table::<Wide, Aged>::load(&path, "test keys 2").err(), "mismatch key scheme"),
        (Table::<Wide, TwoDeep>::load(&path, KEYS).err(), "mismatch ways"),
    ];
    for (error, expected) in errors {
        let error = error.expect("another kind of table is refused");
        assert_eq!(kind(&error), expected);
        assert!(error.to_string().contains("damaged.tt"), "{error}");
    }
}

#[test]
fn a_snapshot_of_an_older_layout_is_named() {
    let snapshot = Snapshot::of(640);
    let error = snapshot.refusal_of(&snapshot.forged(NAMES, b"wide-2"));
    assert_eq!(kind(&error), "mismatch layout");
    assert!(error.to_string().contains("layout \"wide-2:15:4\", this table has \"wide-3:15:4\""), "{error}");
}

#[test]
fn forged_headers_are_refused() {
    let snapshot = Snapshot::of(640);
    let forgeries = [
        (LINES, &9_u64.to_le_bytes()[..], "length"),
        (LINES, &(1_u64 << 40).to_le_bytes(), "length"),
        (LINES, &u64::MAX.to_le_bytes(), "length"),
        (WAYS, &2_u32.to_le_bytes(), "mismatch ways"),
        (GENERATION, &200_u32.to_le_bytes(), "corrupt block 0"),
        (HEADER_LENGTH, &0_u32.to_le_bytes(), "corrupt header"),
        (HEADER_LENGTH, &u32::MAX.to_le_bytes(), "corrupt header"),
        (HEADER_LENGTH + 20, &[255; 8], "corrupt header"),
        (HEADER_LENGTH + 20, &7_u32.to_le_bytes(), "corrupt header"),
        (NAMES, b"wide-2", "mismatch layout"),
        (NAMES, &[255; 6], "corrupt header"),
    ];
    for (at, new, expected) in forgeries {
        assert_eq!(kind(&snapshot.refusal_of(&snapshot.forged(at, new))), expected, "{new:?} at {at}");
    }
}

#[test]
fn a_header_that_states_no_lines_is_refused() {
    let snapshot = Snapshot::of(640);
    let empty = snapshot.forged(LINES, &0_u64.to_le_bytes());
    let error = snapshot.refusal_of(&empty[..HEADER]);
    assert!(matches!(error, SnapshotError::Memory { source: TableError::TooSmall { .. }, .. }), "{error}");
}

#[test]
fn a_huge_sparse_file_is_refused_before_memory_is_allocated() {
    let snapshot = Snapshot::of(640);
    let lines = 1_u64 << 32;
    fs::write(&snapshot.path, snapshot.forged(LINES, &lines.to_le_bytes())).expect("writes");
    let file = File::options().write(true).open(&snapshot.path).expect("opens");
    if file.set_len(HEADER as u64 + lines * 64 + lines.div_ceil(1 << 14) * 4).is_err() {
        return eprintln!("not tested: this file system has no sparse files");
    }
    assert_eq!(kind(&snapshot.refusal()), "corrupt block 0");
}

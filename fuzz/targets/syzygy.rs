//! Damaged tablebases: a table is refused, or every probe of it ends.
//!
//! The first byte chooses the table, the second whether the rest are patches to it, patches to its header alone, or the whole
//! file behind its first bytes. With `SYZYGY_PATH` the tables are those of that folder, up to 64 KiB each.

#![no_main]

#[allow(dead_code, reason = "a part of it is for tests")]
#[path = "../../crates/engine/tests/made_tables/mod.rs"]
mod made_tables;

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mnemon_chess::Position;
use mnemon_engine::tablebase::Tablebase;
use mnemon_fuzz::{Patches, clear, scratch};
use mnemon_search::random::Random;

/// A sound table.
struct Sound {
    name: String,
    bytes: Vec<u8>,
    /// How long the part is that leads to all others.
    header: usize,
    /// Positions with its pieces.
    positions: Vec<Position>,
}

static SOUND: LazyLock<Vec<Sound>> = LazyLock::new(|| {
    // Panics of the prober are caught. Those of this target still end it, at the end of the run.
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    match std::env::var_os("SYZYGY_PATH") {
        Some(folder) => installed(Path::new(&folder)),
        None => {
            made_tables::all().into_iter().map(|made| sound(made.name.to_owned(), made.bytes, made.header)).collect()
        }
    }
});

fn installed(folder: &Path) -> Vec<Sound> {
    let files = fs::read_dir(folder).expect("a folder of tables").flatten();
    let mut tables: Vec<Sound> = files
        .filter(|file| file.metadata().is_ok_and(|data| data.len() <= 1 << 16))
        .map(|file| (file.file_name().to_string_lossy().into_owned(), file.path()))
        .filter(|(name, _)| name.ends_with(".rtbw") || name.ends_with(".rtbz"))
        .map(|(name, path)| sound(name, fs::read(path).expect("a table"), 200))
        .collect();
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    tables
}

fn sound(name: String, bytes: Vec<u8>, header: usize) -> Sound {
    let pieces = name.split('.').next().unwrap_or_default();
    let (white, black) = pieces.split_once('v').expect("a table's name");
    let mut random = Random::new(1);
    let positions = (0..400).filter_map(|_| random_position(white, black, &mut random)).take(60).collect();
    Sound { name, bytes, header, positions }
}

/// A position with the pieces, or with the colours exchanged; `None` if it is not legal.
fn random_position(white: &str, black: &str, random: &mut Random) -> Option<Position> {
    let mut board = [' '; 64];
    let (upper, lower) = if random.below(2) == 0 { (white, black) } else { (black, white) };
    for piece in upper.chars().chain(lower.to_lowercase().chars()) {
        let pawn = piece.eq_ignore_ascii_case(&'p');
        let square = if pawn { 8 + random.below(48) } else { random.below(64) };
        (board[square] == ' ').then(|| board[square] = piece)?;
    }
    let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect::<String>().replace(' ', "1")).collect();
    format!("{} {} - -", ranks.join("/"), ["w", "b"][random.below(2)]).parse().ok()
}

fuzz_target!(|data: &[u8]| {
    let tables = &*SOUND;
    let [table, mode, data @ ..] = data else { return };
    let table = &tables[usize::from(*table) % tables.len()];
    let (header, rest) = table.bytes.split_at(table.header.min(table.bytes.len()));
    let bytes = match mode % 3 {
        0 => Patches::of(data).apply(&table.bytes),
        1 => [&Patches::of(data).apply(header), rest].concat(),
        _ => [&table.bytes[..4], data].concat(),
    };
    clear();
    // A length that the prober accepts.
    let mut bytes = bytes;
    bytes.resize(bytes.len() / 64 * 64 + 16, 0);
    fs::write(scratch().join(&table.name), bytes).expect("a writable folder");
    // The WDL table that a DTZ table needs.
    let partner = table.name.replace("rtbz", "rtbw");
    for other in tables.iter().filter(|other| other.name == partner && other.name != table.name) {
        fs::write(scratch().join(&other.name), &other.bytes).expect("a writable folder");
    }
    let Ok(opened) = Tablebase::open(&scratch().display().to_string()) else { return };
    for position in &table.positions {
        let _ = opened.probe_wdl(position);
        if let Some(root) = opened.probe_root(position) {
            assert!(root.moves.iter().all(|&mv| position.is_legal(mv)));
        }
    }
});

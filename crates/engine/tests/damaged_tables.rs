//! Damaged tablebases: they are refused, or every probe of them ends.

mod made_tables;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use made_tables::MadeTable;
use mnemon_chess::Position;
use mnemon_engine::tablebase::{Tablebase, TablebaseError, Wdl};
use mnemon_search::random::Random;

/// The prober allows one set of tables per process.
fn one_at_a_time() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

fn position(fen: &str) -> Position {
    fen.parse().expect("a position")
}

fn probed(folder: &Path, fen: &str) -> Option<Wdl> {
    Tablebase::open(&folder.display().to_string()).expect("sound tables").probe_wdl(&position(fen))
}

/// Some positions of every table.
const FENS: [&str; 8] = [
    "8/8/4k3/8/8/2Q5/8/1K6 w - - 0 1",
    "8/8/4k3/8/8/2Q5/8/1K6 b - - 0 1",
    "8/8/4K3/8/5q2/8/8/k7 b - - 0 1",
    "8/8/4k3/8/Q7/2Q5/8/1K6 w - - 0 1",
    "8/8/4k3/8/8/2P5/8/1K6 w - - 0 1",
    "8/p7/4k3/8/8/8/8/1K6 b - - 0 1",
    "8/p7/4k3/8/8/2P5/8/1K6 w - - 0 1",
    "8/7p/4k3/8/8/2P5/8/1K6 b - - 0 1",
];

fn probe_all(folder: &Path) -> Result<(), TablebaseError> {
    let tables = Tablebase::open(&folder.display().to_string())?;
    for fen in FENS {
        let _ = (tables.probe_wdl(&position(fen)), tables.probe_root(&position(fen)));
    }
    Ok(())
}

#[test]
fn sound_tables_are_read() {
    let _one = one_at_a_time();
    let folder = tempfile::tempdir().expect("a folder");
    made_tables::write(&made_tables::all(), folder.path());
    for fen in FENS {
        let wdl = probed(folder.path(), fen);
        assert!(matches!(wdl, Some(Wdl::Win | Wdl::Draw)), "{fen}: {wdl:?}");
    }
    probe_all(folder.path()).expect("sound tables");
}

/// Why a table is refused after one byte of it was changed.
fn refusal(table: &MadeTable, at: usize, byte: u8) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bytes = table.bytes.clone();
    bytes[at] = byte;
    std::fs::write(folder.path().join(table.name), bytes).expect("a writable folder");
    // Without a WDL table nothing is opened.
    let all = made_tables::all();
    let wdl: Vec<MadeTable> =
        all.into_iter().filter(|other| other.name.ends_with('w') && other.name != table.name).collect();
    made_tables::write(&wdl, folder.path());
    probe_all(folder.path()).err().map(|error| error.to_string())
}

#[test]
fn each_damage_is_named() {
    let _one = one_at_a_time();
    let [queen, queens, pawn, pawns, queen_dtz, pawn_dtz] = &made_tables::all()[..] else { panic!("six tables") };
    // The list of pieces begins at 5, a code behind the lists: flags, block bits, index bits, sizes, 4 bytes of blocks,
    // the longest and the shortest word, nine first symbols, the number of symbols, symbols.
    let code = |lists: usize| (5 + lists).next_multiple_of(2);
    for (table, at, byte, said) in [
        (queen, 3, 0, "begin as a table"),
        (queen, 4, 0, "one side only"),
        (queen, 6, 0x44, "not those of its name"),
        (queen, 5, 0x11, "order of its pieces"),
        (queens, 8, 0x66, "out of order"),
        (queens, 6, 0x5e, "not those of its name"),
        (pawn, 6, 0x66, "not those of its name"),
        (pawn, 9, 0xff, "order of its pieces"),
        (pawns, 6, 0x00, "order of its pieces"),
        (queen, code(4) + 1, 2, "block sizes"),
        (queen, code(4) + 2, 0, "block sizes"),
        (queen, code(4) + 6, 9, "shorter than its header"),
        (queen, code(4) + 8, 33, "no length"),
        (queen, code(4) + 9, 10, "no length"),
        (queen, code(4) + 10, 20, "code words"),
        (queen, code(4) + 29, 1, "its header does not end"),
        (queen, code(4) + 30, 7, "its values"),
        (queen, code(4) + 36, 2, "its symbols"),
        (queen, queen.header + 3, 1, "its index"),
        (queen, queen.header + 4, 255, "its index"),
        (queen_dtz, queen_dtz.header - 16, 255, "shorter than its header"),
        (pawn_dtz, code(16) + 2, 31, "its index"),
    ] {
        let refused = refusal(table, at, byte);
        assert!(refused.as_ref().is_some_and(|refused| refused.contains(said)), "{} {at}: {refused:?}", table.name);
    }
}

/// What is not refused is probed, which must not end the process.
#[test]
fn random_damage_is_refused_or_survived() {
    let _one = one_at_a_time();
    let mut random = Random::new(1);
    let tables = made_tables::all();
    let mut refused = 0;
    for round in 0..300 {
        let table = &tables[round % tables.len()];
        let end = [table.header, table.header + 100, table.bytes.len()][random.below(3)];
        refused +=
            usize::from(refusal(table, random.below(end.min(table.bytes.len())), random.below(256) as u8).is_some());
    }
    assert!(refused > 100, "{refused} of 300");
}

//! Saving and loading: a saved table is loaded as it was, and a failure leaves the old file.

mod common;

use std::fs;
use std::path::Path;
use std::thread;

use common::{is_child, mix, names, passes_under};
use mnemon_table::file::FileKind;
use mnemon_table::replace::{Aged, Replace, TwoDeep};
use mnemon_table::{Compact, Entry, Layout, Origin, SnapshotError, Table, Wide, Window};
use tempfile::TempDir;

type Small = Compact<31, 5, 6, 6>;

const KEYS: &str = "test keys 1";

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// A table whose entries have all fields set, stored over several generations.
fn filled<L: Layout, R: Replace>(bytes: usize, seed: u64) -> Table<L, R> {
    let table: Table<L, R> = Table::new(bytes).expect("the size is fine");
    for number in 0..table.capacity() as u64 {
        let bits = mix(number ^ seed);
        if number % 1000 == 0 {
            table.new_generation();
        }
        let entry = Entry {
            window: Window { lower: -(bits as i16 & 31), upper: bits as i16 & 15 },
            depth: bits as u8 & 63,
            best: bits as u16 & 31,
            eval: Some(bits as i16 >> 3),
            origin: if bits & 1 == 0 { Origin::Recalled } else { Origin::Search },
            nodes: bits >> 40,
            tainted: bits & 2 == 0,
            ..Entry::default()
        };
        table.store(mix(bits), entry);
    }
    table
}

/// Whether two tables return the same entries for all keys that [`filled`] stored with this seed.
fn same_entries<L: Layout, R: Replace>(one: &Table<L, R>, other: &Table<L, R>, seed: u64) -> bool {
    let keys = (0..one.capacity() as u64).map(|number| mix(mix(number ^ seed)));
    let pairs: Vec<_> = keys.map(|key| (one.probe(key), other.probe(key))).collect();
    pairs.iter().any(|(found, _)| found.is_some()) && pairs.iter().all(|(found, again)| found == again)
}

fn comes_back<L: Layout, R: Replace>(bytes: usize) {
    let folder = folder();
    let (first, second) = (folder.path().join("first.tt"), folder.path().join("second.tt"));
    let table = filled::<L, R>(bytes, 1);
    table.save(&first, KEYS).expect("saves");
    let again: Table<L, R> = Table::load(&first, KEYS).expect("loads");
    assert!(same_entries(&table, &again, 1));
    assert_eq!((table.bytes(), table.hashfull()), (again.bytes(), again.hashfull()));
    again.save(&second, KEYS).expect("saves");
    let [first, second] = [first, second].map(|path| fs::read(path).expect("reads"));
    assert!(first == second, "save, load, save gives the same bytes");
}

#[test]
fn a_saved_table_comes_back() {
    for bytes in [64, 192, 1 << 20, (1 << 20) + 64, (5 << 19) + 192] {
        comes_back::<Wide, Aged>(bytes);
        comes_back::<Wide, TwoDeep>(bytes);
        comes_back::<Small, Aged>(bytes);
    }
}

#[test]
fn an_empty_table_comes_back() {
    let folder = folder();
    let path = folder.path().join("empty.tt");
    let table: Table = Table::new(640).expect("the size is fine");
    table.save(&path, "").expect("saves");
    assert_eq!(Table::<Wide>::load(&path, "").expect("loads").hashfull(), 0);
}

#[test]
fn a_restore_takes_the_size_of_the_snapshot() {
    let folder = folder();
    let path = folder.path().join("table.tt");
    let saved = filled::<Wide, Aged>(3 << 16, 1);
    saved.save(&path, KEYS).expect("saves");
    for bytes in [64, 3 << 16, 1 << 20] {
        let mut table = filled::<Wide, Aged>(bytes, 2);
        table.restore(&path, KEYS).expect("restores");
        assert_eq!(table.bytes(), saved.bytes());
        assert!(same_entries(&saved, &table, 1));
    }
}

#[test]
fn a_restore_that_fails_changes_nothing() {
    let folder = folder();
    let path = folder.path().join("table.tt");
    filled::<Wide, Aged>(3 << 20, 1).save(&path, KEYS).expect("saves");
    let mut bytes = fs::read(&path).expect("reads");
    *bytes.last_mut().expect("not empty") ^= 1;
    fs::write(&path, bytes).expect("writes");

    for size in [64 << 10, 3 << 20] {
        let (mut table, same) = (filled::<Wide, Aged>(size, 2), filled::<Wide, Aged>(size, 2));
        let error = table.restore(&path, KEYS).expect_err("the last checksum is wrong");
        assert!(matches!(error, SnapshotError::Corrupt { .. }), "{error}");
        table.restore(&path, "other keys").expect_err("other keys");
        table.restore(&folder.path().join("none.tt"), KEYS).expect_err("no such file");
        assert!(same_entries(&same, &table, 2) && table.bytes() == size);
    }
}

#[test]
fn a_reader_sees_the_old_file_or_the_new_one() {
    let folder = folder();
    let path = folder.path().join("table.tt");
    let [one, other] = [1, 2].map(|seed| filled::<Wide, Aged>((seed as usize) << 18, seed));
    one.save(&path, KEYS).expect("saves");
    thread::scope(|scope| {
        let saving = scope.spawn(|| {
            for _ in 0..60 {
                other.save(&path, KEYS).expect("saves");
                one.save(&path, KEYS).expect("saves");
            }
        });
        while !saving.is_finished() {
            let found: Table = Table::load(&path, KEYS).expect("a whole file is always there");
            let (saved, seed) = if found.bytes() == one.bytes() { (&one, 1) } else { (&other, 2) };
            assert!(same_entries(&found, saved, seed));
        }
    });
    assert_eq!(names(folder.path()), ["table.tt"], "no temporary file is left");
}

#[test]
fn a_save_over_a_folder_leaves_it_alone() {
    let folder = folder();
    let path = folder.path().join("taken");
    fs::create_dir(&path).expect("a folder");
    let error = filled::<Wide, Aged>(640, 1).save(&path, KEYS).expect_err("a folder is in the way");
    assert!(matches!(error, SnapshotError::WrongKind { kind: FileKind::Directory, .. }), "{error}");
    assert!(error.to_string().contains("taken is a directory"), "{error}");
    assert_eq!(names(folder.path()), ["taken"], "no temporary file is left");
}

#[test]
fn a_save_replaces_snapshots_and_nothing_else() {
    let folder = folder();
    let path = folder.path().join("games.pgn");
    let games = "[Event \"?\"]\n\n1. e4 *\n";
    fs::write(&path, games).expect("written");
    let error = filled::<Wide, Aged>(640, 1).save(&path, KEYS).expect_err("games are in the way");
    assert!(
        error.to_string().ends_with("games.pgn is a PGN file, not a hash snapshot: nothing was changed"),
        "{error}"
    );
    assert_eq!(fs::read_to_string(&path).expect("still there"), games);
    fs::write(&path, "").expect("written");
    for seed in [1, 2] {
        filled::<Wide, Aged>(640, seed).save(&path, KEYS).expect("an empty file, then a snapshot");
    }
    assert_eq!(names(folder.path()), ["games.pgn"], "no temporary file is left");
}

#[test]
#[cfg(unix)]
fn a_fifo_is_neither_saved_to_nor_loaded() {
    let folder = folder();
    let path = folder.path().join("fifo");
    common::make_fifo(&path);
    let named = path.clone();
    let errors = common::in_time(move || {
        let mut table = filled::<Wide, Aged>(640, 1);
        let load = Table::<Wide>::load(&named, KEYS).map(drop).expect_err("a FIFO");
        [load, table.restore(&named, KEYS).expect_err("a FIFO"), table.save(&named, KEYS).expect_err("a FIFO")]
    });
    for error in errors {
        assert!(matches!(error, SnapshotError::WrongKind { kind: FileKind::Fifo, .. }), "{error}");
    }
    assert_eq!(names(folder.path()), ["fifo"]);
}

#[test]
fn a_save_into_no_folder_is_an_error() {
    let folder = folder();
    let path = folder.path().join("none").join("table.tt");
    let error = filled::<Wide, Aged>(640, 1).save(&path, KEYS).expect_err("there is no such folder");
    assert!(matches!(error, SnapshotError::Io { .. }) && error.to_string().contains("table.tt"), "{error}");
}

#[test]
fn a_long_key_scheme_is_kept_and_a_longer_one_refused() {
    let folder = folder();
    let path = folder.path().join("table.tt");
    let table = filled::<Wide, Aged>(640, 1);
    let long = "k".repeat(60_000);
    table.save(&path, &long).expect("saves");
    Table::<Wide>::load(&path, &long).expect("loads");
    let error = table.save(&path, &"k".repeat(1 << 16)).expect_err("longer than a header");
    assert!(matches!(error, SnapshotError::Io { .. }), "{error}");
    Table::<Wide>::load(&path, &long).expect("the old file is still there");
    assert_eq!(names(folder.path()), ["table.tt"]);
}

/// The child's table file, in the folder it was started in.
const CHILD_FILE: &str = "child.tt";

#[test]
#[cfg(unix)]
fn the_umask_rules_the_permissions() {
    use std::os::unix::fs::PermissionsExt;
    if is_child() {
        return filled::<Wide, Aged>(640, 1).save(Path::new(CHILD_FILE), KEYS).expect("saves");
    }
    let folder = folder();
    for (umask, mode) in [("022", 0o644), ("027", 0o640), ("077", 0o600)] {
        assert!(passes_under(&format!("umask {umask}"), "the_umask_rules_the_permissions", folder.path()));
        let file = fs::metadata(folder.path().join(CHILD_FILE)).expect("saved");
        assert_eq!(file.permissions().mode() & 0o777, mode, "umask {umask}");
    }
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_the_old_file() {
    if is_child() {
        let error = filled::<Wide, Aged>(1 << 20, 2).save(Path::new(CHILD_FILE), KEYS).expect_err("no room");
        return assert!(matches!(error, SnapshotError::Io { action: "write", .. }), "{error}");
    }
    let folder = folder();
    let path = folder.path().join(CHILD_FILE);
    let old = filled::<Wide, Aged>(640, 1);
    old.save(&path, KEYS).expect("saves");
    // `ulimit -f` limits the size of files: a disk that fills up while the table is written.
    assert!(passes_under("trap '' XFSZ; ulimit -f 8", "a_full_disk_leaves_the_old_file", folder.path()));
    assert!(same_entries(&old, &Table::load(&path, KEYS).expect("still there"), 1));
    assert_eq!(names(folder.path()), [CHILD_FILE], "no temporary file is left");
}

#[test]
#[cfg(unix)]
fn a_folder_without_write_permission_leaves_the_old_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let path = folder.path().join("table.tt");
    let old = filled::<Wide, Aged>(640, 1);
    old.save(&path, KEYS).expect("saves");
    let allow = |mode| fs::set_permissions(folder.path(), PermissionsExt::from_mode(mode)).expect("our own folder");
    allow(0o555);
    let is_root = fs::write(folder.path().join("probe"), "").is_ok();
    let result = filled::<Wide, Aged>(640, 2).save(&path, KEYS);
    allow(0o755);
    if is_root {
        return eprintln!("not tested: this user may write everywhere");
    }
    let error = result.expect_err("the folder is read-only");
    assert!(matches!(error, SnapshotError::Io { .. }) && error.to_string().contains("table.tt"), "{error}");
    assert!(same_entries(&old, &Table::load(&path, KEYS).expect("still there"), 1));
    assert_eq!(names(folder.path()), ["table.tt"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_takes_no_files_is_an_error() {
    let error = filled::<Wide, Aged>(640, 1).save(Path::new("/proc/table.tt"), KEYS).expect_err("not even for root");
    assert!(matches!(error, SnapshotError::Io { .. }) && error.to_string().contains("/proc/table.tt"), "{error}");
}

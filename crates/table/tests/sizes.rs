//! Tables of every size: too small, one line, odd numbers of lines, too large.

mod common;

use common::{is_child, mix, passes_under};
use mnemon_table::replace::{Aged, Always, Replace, TwoTier};
use mnemon_table::{Compact, Entry, Layout, Table, TableError, Wide, Window};

type Small = Compact<31, 5, 6, 6>;

const LINE: usize = 64;

fn table(bytes: usize) -> Table {
    Table::new(bytes).expect("the size is fine")
}

fn entry(key: u64) -> Entry {
    Entry { window: Window::exact((key % 30) as i16), depth: 3, best: 1, ..Entry::default() }
}

#[test]
fn less_than_a_line_is_too_small() {
    for bytes in [0, 1, 63] {
        let error = Table::<Wide>::new(bytes).err().expect("nothing fits");
        assert!(matches!(error, TableError::TooSmall { bytes: asked, least: 64 } if asked == bytes), "{error:?}");
        assert!(error.to_string().contains(&format!("{bytes} bytes")), "{error}");
    }
}

#[test]
fn one_line_works() {
    let table = table(LINE);
    assert_eq!((table.bytes(), table.capacity()), (LINE, 4));
    for number in 0..4 {
        table.store(mix(number), entry(number));
    }
    for number in 0..4 {
        assert_eq!(table.probe(mix(number)), Some(entry(number)));
    }
}

#[test]
fn sizes_round_down_to_whole_lines() {
    for (bytes, lines) in [(64, 1), (127, 1), (128, 2), (3 * LINE, 3), (1000 * LINE + 17, 1000), (1 << 20, 1 << 14)] {
        let table = table(bytes);
        assert_eq!((table.bytes(), table.capacity()), (lines * LINE, lines * 4));
        let table: Table<Small> = Table::new(bytes).expect("the size is fine");
        assert_eq!((table.bytes(), table.capacity()), (lines * LINE, lines * 8));
    }
}

#[test]
fn every_line_is_reachable() {
    for lines in [1, 2, 3, 7, 1000, 32_768, 40_009] {
        let table: Table<Wide, Always> = Table::new(lines * LINE).expect("the size is fine");
        let buckets = table.capacity() as u64;
        let keys = || (0..buckets).map(|number| (((number as u128) << 64) / buckets as u128) as u64 + 1);
        keys().for_each(|key| table.store(key, entry(key)));
        let found = keys().filter(|&key| table.probe(key) == Some(entry(key))).count();
        assert_eq!(found as u64, buckets, "one key for each bucket of {lines} lines");
    }
}

/// The share of slots that is filled after storing spread keys, four for each slot.
fn filled<L: Layout, R: Replace>(bytes: usize) -> f64 {
    let table: Table<L, R> = Table::new(bytes).expect("the size is fine");
    let keys = || (0..4 * table.capacity() as u64).map(mix);
    keys().for_each(|key| table.store(key, entry(key)));
    let found = keys().filter(|&key| table.probe(key).is_some()).count();
    found as f64 / table.capacity() as f64
}

#[test]
fn spread_keys_fill_the_table() {
    for bytes in [3 * LINE, 1000 * LINE + 17, 3 << 20] {
        for share in [filled::<Wide, Aged>(bytes), filled::<Small, Always>(bytes)] {
            assert!((0.6..=1.0).contains(&share), "{share} of {bytes} bytes");
        }
    }
}

#[test]
fn more_than_the_machine_has_is_an_error() {
    for bytes in [1 << 50, usize::MAX - 63, usize::MAX] {
        let error = Table::<Wide>::new(bytes).err().expect("no machine has that much memory");
        assert!(matches!(error, TableError::TooLarge { bytes: asked, .. } if asked == bytes), "{error:?}");
        assert!(error.to_string().contains(&format!("{bytes} bytes does not fit")), "{error}");
    }
}

#[test]
fn memory_that_the_system_refuses_is_an_error() {
    if !is_child() {
        let name = "memory_that_the_system_refuses_is_an_error";
        assert!(passes_under("ulimit -v 1000000", name, &std::env::temp_dir()));
        return;
    }
    let mut table = table(LINE);
    table.store(5, entry(5));
    let error = table.resize(2 << 30).expect_err("the shell allows one gigabyte");
    assert!(matches!(error, TableError::Refused { bytes, .. } if bytes == 2 << 30), "{error:?}");
    assert!(error.to_string().contains("2147483648 bytes"), "{error}");
    assert_eq!(table.probe(5), Some(entry(5)));
}

/// The memory that this process has, in MiB.
#[cfg(target_os = "linux")]
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its resident size");
    line.trim().trim_end_matches(" kB").parse::<usize>().expect("a number") >> 10
}

/// In a process of its own, whose memory no other test changes.
#[cfg(target_os = "linux")]
#[test]
fn a_new_table_is_in_memory_and_a_lazy_one_when_it_is_touched() {
    if !is_child() {
        let name = "a_new_table_is_in_memory_and_a_lazy_one_when_it_is_touched";
        assert!(passes_under("true", name, &std::env::temp_dir()));
        return;
    }
    let before = resident();
    let lazy: Table = Table::lazy(64 << 20, Aged).expect("the size is fine");
    assert!(resident() < before + 16);
    lazy.store(5, entry(5));
    lazy.touch();
    assert!(resident() >= before + 60);
    assert_eq!(lazy.probe(5), Some(entry(5)), "what is stored stays");
    let mut table = table(32 << 20);
    assert!(resident() >= before + 90);
    table.resize(64 << 20).expect("the size is fine");
    assert!(resident() >= before + 120);
}

#[test]
fn a_resize_that_fails_changes_nothing() {
    let mut table = table(3 * LINE);
    table.new_generation();
    table.store(5, entry(5));
    for bytes in [0, 1 << 50, usize::MAX] {
        table.resize(bytes).expect_err("too small or too large");
        assert_eq!((table.probe(5), table.bytes()), (Some(entry(5)), 3 * LINE));
    }
    table.store(6, entry(6));
    assert_eq!(table.probe(6), Some(entry(6)));
}

#[test]
fn a_resize_gives_an_empty_table() {
    let mut table = table(3 * LINE);
    for bytes in [4 << 20, LINE, 100 * LINE] {
        table.store(5, entry(5));
        table.resize(bytes).expect("the size is fine");
        assert_eq!((table.probe(5), table.bytes(), table.hashfull()), (None, bytes, 0));
    }
}

#[test]
fn any_number_of_threads_clears_everything() {
    for lines in [1, 3, 1000] {
        for threads in [0, 1, 2, 7, 12] {
            let table = table(lines * LINE);
            let keys = || (0..4 * table.capacity() as u64).map(mix);
            keys().for_each(|key| table.store(key, entry(key)));
            table.clear(threads);
            assert_eq!(keys().filter(|&key| table.probe(key).is_some()).count(), 0, "{threads} threads");
            assert_eq!(table.hashfull(), 0);
        }
    }
}

#[test]
fn hashfull_counts_the_current_generation() {
    for lines in [1, 3, 1000, 5000] {
        let table = table(lines * LINE);
        assert_eq!(table.hashfull(), 0);
        let full = || (0..30 * table.capacity() as u64).map(mix).for_each(|key| table.store(key, entry(key)));
        full();
        assert!(table.hashfull() >= 999, "{lines} lines, {} per mille", table.hashfull());
        table.new_generation();
        assert_eq!(table.hashfull(), 0);
        full();
        assert!(table.hashfull() >= 999);
    }
}

#[test]
fn hashfull_is_a_share() {
    let table = table(1000 * LINE);
    let keys = (0..2000_u64).map(|number| ((number << 32) / 2000) << 32);
    keys.for_each(|key| table.store(key, entry(key)));
    assert_eq!(table.hashfull(), 500, "two keys in each line of four");
}

#[test]
fn the_smallest_and_largest_keys_are_found() {
    for lines in [1, 3, 1000] {
        let table = table(lines * LINE);
        for key in [0, 1, u64::MAX, u64::MAX - 1] {
            table.prefetch(key);
            assert_eq!(table.probe(key), None);
            table.store(key, entry(key % 7));
            table.prefetch(key);
            assert_eq!(table.probe(key), Some(entry(key % 7)), "{key:x}");
        }
    }
}

#[test]
fn a_number_of_entries_is_rounded_up_to_whole_lines() {
    for (entries, capacity) in [(1, 4), (4, 4), (5, 8), (8192, 8192), (8193, 8196)] {
        let table: Table = Table::with_entries(entries, Aged).expect("a small table");
        assert_eq!(table.capacity(), capacity);
    }
    let compact: Table<Compact<31, 4, 0, 5>, TwoTier> = Table::with_entries(9, TwoTier).expect("a small table");
    assert_eq!((compact.capacity(), compact.ways()), (16, 2));
    for entries in [0, usize::MAX] {
        assert!(Table::<Wide, Aged>::with_entries(entries, Aged).is_err(), "{entries} entries");
    }
}

//! A position stored again is updated with what the layout keeps of the new entry, not with what the caller passed.

use mnemon_table::replace::Aged;
use mnemon_table::{Compact, Dense, Entry, Full, Table, Wide, Window};

/// A solver's layout: three bits of move, no depth.
type Solver = Compact<21, 3, 0, 6>;

const KEY: u64 = 0x9d39_247e_3377_6d41;

fn at(depth: u8, window: Window) -> Entry {
    Entry { window, depth, best: 1, ..Entry::default() }
}

#[test]
fn depths_that_the_layout_keeps_as_equal_intersect_their_windows() {
    let solver: Table<Solver, Aged> = Table::new(64).expect("one line fits");
    let wide: Table<Wide, Aged> = Table::new(64).expect("one line fits");
    let joined = Some(Window { lower: -3, upper: 8 });
    for window in [Window::at_least(-3), Window::at_most(8)] {
        solver.store(KEY, at(30, window));
        wide.store(KEY, at(200, window));
    }
    assert_eq!(solver.probe(KEY).map(|entry| entry.window), joined, "no depth is kept");
    assert_eq!(wide.probe(KEY).map(|entry| entry.window), joined, "the same depth");
}

#[test]
fn a_depth_that_the_layout_cannot_state_is_refused() {
    let dense: Table<Dense, Aged> = Table::new(64).expect("one line fits");
    dense.store(KEY, at(128, Window::exact(3)));
    assert_eq!(dense.probe(KEY), None);
    dense.store(KEY, at(127, Window::exact(3)));
    dense.store(KEY, at(200, Window::exact(9)));
    assert_eq!(dense.probe(KEY).map(|entry| (entry.depth, entry.window)), Some((127, Window::exact(3))));
    let wide: Table = Table::new(64).expect("one line fits");
    wide.store(KEY, at(255, Window::exact(3)));
    assert_eq!(wide.probe(KEY).map(|entry| entry.depth), Some(255), "every depth of an entry");
}

#[test]
fn a_layout_with_one_bound_keeps_the_one_that_was_stored_last() {
    let table: Table<Dense, Aged> = Table::new(64).expect("one line fits");
    let stored = |window| {
        table.store(KEY, at(7, window));
        table.probe(KEY).map(|entry| entry.window)
    };
    assert_eq!(stored(Window::at_least(-3)), Some(Window::at_least(-3)));
    assert_eq!(stored(Window::at_most(8)), Some(Window::at_most(8)));
    assert_eq!(stored(Window::at_least(8)), Some(Window::exact(8)), "both bounds are one score");
}

#[test]
fn flags_and_large_scores_come_back() {
    let table: Table<Full, Aged> = Table::new(64).expect("one line fits");
    for score in [32_766, 32_000, 16_384, 0, -20_000, -32_766] {
        for window in [Window::exact(score), Window::at_least(score), Window::at_most(score)] {
            let entry = Entry { flags: 0b1010, ..at(1, window) };
            table.clear(1);
            table.store(KEY, entry);
            assert_eq!(table.probe(KEY), Some(entry));
        }
    }
}

#[test]
fn a_move_that_does_not_fit_leaves_the_known_one() {
    let table: Table<Solver, Aged> = Table::new(64).expect("one line fits");
    table.store(KEY, Entry { best: 5, ..at(0, Window::at_least(2)) });
    table.store(KEY, Entry { best: 999, ..at(0, Window::at_most(9)) });
    assert_eq!(table.probe(KEY).map(|entry| entry.best), Some(5));
}

#[test]
fn a_layout_without_a_taint_bit_keeps_the_move_and_the_clean_window() {
    type Deep = Compact<21, 3, 6, 6>;
    let table: Table<Deep, Aged> = Table::new(64).expect("one line fits");
    let tainted = |depth, window| Entry { tainted: true, best: 4, ..at(depth, window) };
    table.store(KEY, tainted(5, Window::exact(0)));
    let found = table.probe(KEY).expect("its move is kept");
    assert_eq!((found.window, found.best), (Window::UNKNOWN, 4));
    table.store(KEY, at(9, Window::at_least(3)));
    table.store(KEY, tainted(8, Window::exact(0)));
    let found = table.probe(KEY).expect("nothing else was stored");
    assert_eq!((found.window, found.depth, found.best), (Window::at_least(3), 9, 1), "the clean entry stays");
}

//! The public test sets, where they are present: in `$MNEMON_SHARED`, or in `shared/` beside a parent of this crate.

use mnemon_connect4::{Board, Precision, Solver};
use std::path::{Path, PathBuf};

fn sets() -> Option<PathBuf> {
    let inside = |shared: &Path| {
        let sets = shared.join("data/connect4");
        sets.is_dir().then_some(sets)
    };
    if let Some(shared) = std::env::var_os("MNEMON_SHARED") {
        return inside(Path::new(&shared));
    }
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find_map(|directory| inside(&directory.join("shared")))
}

/// Solves every `step`-th position of a set and compares with its score; does nothing where the set is absent.
fn check(name: &str, step: usize, first: usize) {
    let Some(sets) = sets() else { return };
    let text = std::fs::read_to_string(sets.join(name)).expect("the set can be read");
    let solver = Solver::<7, 6>::new(64 << 20).expect("64 MiB");
    for line in text.lines().step_by(step).take(first) {
        let (moves, score) = line.split_once(' ').expect("moves and a score");
        let score: i32 = score.trim().parse().expect("a number");
        let board = Board::parse(moves).expect("legal moves");
        let solve = |precision| solver.solve(&board, precision).expect("not stopped").score;
        assert_eq!(solve(Precision::Weak), score.signum(), "{moves}, weak");
        assert_eq!(solve(Precision::Strong), score, "{moves}");
    }
}

#[test]
fn end_easy() {
    check("Test_L3_R1", 1, usize::MAX);
}

#[test]
fn middle_easy() {
    check("Test_L2_R1", 1, usize::MAX);
}

#[test]
fn middle_medium() {
    check("Test_L2_R2", 1, usize::MAX);
}

#[test]
fn begin_easy() {
    check("Test_L1_R1", 1, usize::MAX);
}

#[test]
fn begin_medium_sample() {
    check("Test_L1_R2", 25, usize::MAX);
}

#[test]
fn begin_hard_sample() {
    check("Test_L1_R3", 100, 5);
}

/// The first player wins the empty board by the centre column, with its last stone and no earlier.
#[test]
#[ignore = "takes a minute"]
fn the_empty_board_is_a_win_by_the_centre() {
    let solver = Solver::<7, 6>::new(1 << 30).expect("a gigabyte");
    assert_eq!(solver.solve(&Board::new(), Precision::Strong).expect("not stopped").score, 1);
    assert_eq!(solver.principal_variation(&Board::new()).expect("not stopped")[0], 3);
}

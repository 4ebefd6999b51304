//! The solver against plain alpha-beta, with every technique, board size and number of threads.

use super::*;
use crate::oracle::{self, Random};
use crate::report::Progress;
use crate::technique::Technique;
use std::sync::Mutex;

fn agrees_with_the_oracle<const WIDTH: usize, const HEIGHT: usize>(
    solver: &Solver<WIDTH, HEIGHT>,
    positions: usize,
    stones: u32,
) {
    let mut random = Random(0xC0FFEE + u64::from(stones));
    for _ in 0..positions {
        let stones = (stones + random.below(5) as u32).min(Board::<WIDTH, HEIGHT>::SQUARES);
        let board = random.board(stones);
        let expected = oracle::score(&board);
        let strong = solver.solve(&board, Precision::Strong).unwrap().score;
        let weak = solver.solve(&board, Precision::Weak).unwrap().score;
        assert_eq!((strong, weak), (expected, expected.signum()), "{board:?}");
    }
}

#[test]
fn every_board_size_agrees_with_plain_alpha_beta() {
    agrees_with_the_oracle(&Solver::<4, 4>::new(1 << 20).unwrap(), 200, 4);
    agrees_with_the_oracle(&Solver::<5, 4>::new(1 << 20).unwrap(), 200, 8);
    agrees_with_the_oracle(&Solver::<4, 5>::new(1 << 20).unwrap(), 200, 8);
    agrees_with_the_oracle(&Solver::<5, 5>::new(1 << 20).unwrap(), 150, 12);
    agrees_with_the_oracle(&Solver::<6, 5>::new(1 << 20).unwrap(), 150, 17);
    agrees_with_the_oracle(&Solver::<7, 6>::new(1 << 20).unwrap(), 300, 28);
    agrees_with_the_oracle(&Solver::<8, 7>::new(65 << 20).unwrap(), 150, 43);
    agrees_with_the_oracle(&Solver::<9, 6>::new(65 << 20).unwrap(), 150, 41);
}

#[test]
fn every_technique_can_be_left_out() {
    let single = Technique::ALL.map(Techniques::Without);
    for techniques in single.into_iter().chain([Techniques::UpperBoundsOnly]) {
        let solver = Solver::<7, 6>::new(1 << 20).unwrap().with_techniques(techniques);
        agrees_with_the_oracle(&solver, 60, 26);
    }
}

#[test]
fn every_replacement_scheme_agrees_with_plain_alpha_beta() {
    for scheme in SolverScheme::ALL {
        let solver = Solver::<7, 6>::new(1 << 20).unwrap().with_replacement(scheme).unwrap();
        agrees_with_the_oracle(&solver, 60, 26);
    }
}

#[test]
fn a_table_for_each_bound_agrees_with_plain_alpha_beta() {
    let solver = Solver::<7, 6>::new(1 << 20).unwrap();
    let bytes = solver.table_bytes();
    let solver = solver.with_separate_tables().unwrap();
    assert!(solver.table_bytes() >= bytes && solver.table_bytes() < bytes + (32 << 10), "{}", solver.table_bytes());
    agrees_with_the_oracle(&solver, 60, 26);
}

/// Two threads on one table, on positions long enough for both to work: the score of one thread.
#[test]
fn threads_agree() {
    let one = Solver::<7, 6>::new(4 << 20).unwrap();
    let two = Solver::<7, 6>::new(4 << 20).unwrap().with_threads(2);
    let mut random = Random(77);
    for _ in 0..12 {
        let board = random.board(14);
        let (one, two) = (one.solve(&board, Precision::Strong), two.solve(&board, Precision::Strong));
        assert_eq!(one.unwrap().score, two.unwrap().score, "{board:?}");
    }
}

#[test]
fn one_thread_counts_the_same_nodes_every_time() {
    let solver = Solver::<7, 6>::new(4 << 20).unwrap();
    let board: Board = Board::parse("2416615552").unwrap();
    let first = solver.solve(&board, Precision::Strong).unwrap();
    solver.clear();
    assert_eq!(solver.solve(&board, Precision::Strong).unwrap(), first);
    assert_eq!(first.score, 4);
}

#[test]
fn small_boards_from_the_start() {
    // Both are known draws.
    let empty = Board::<4, 4>::new();
    assert_eq!(Solver::<4, 4>::new(1 << 20).unwrap().solve(&empty, Precision::Strong).unwrap().score, 0);
    let empty = Board::<5, 5>::new();
    assert_eq!(Solver::<5, 5>::new(4 << 20).unwrap().solve(&empty, Precision::Strong).unwrap().score, 0);
}

#[test]
fn a_set_stop_flag_ends_the_solve() {
    let solver = Solver::<7, 6>::new(1 << 20).unwrap();
    solver.stop_flag().store(true, Relaxed);
    assert!(matches!(solver.solve(&Board::new(), Precision::Strong), Err(SolverError::Stopped)));
}

#[test]
fn a_table_too_small_to_be_exact_is_refused() {
    assert!(matches!(Solver::<7, 6>::new(64), Err(SolverError::TableTooSmall { .. })));
    assert!(matches!(Solver::<8, 7>::new(1 << 20), Err(SolverError::TableTooSmall { .. })));
}

#[test]
fn progress_narrows_to_the_score() {
    struct Recorder(Mutex<Vec<Progress>>);
    impl Report for Recorder {
        fn progress(&self, progress: Progress) {
            self.0.lock().unwrap().push(progress);
        }
    }
    let recorder = Recorder(Mutex::new(Vec::new()));
    let solver = Solver::<7, 6>::new(4 << 20).unwrap();
    let board: Board = Board::parse("2416615552").unwrap();
    let score = solver.solve_and_report(&board, Precision::Strong, &recorder).unwrap().score;
    let reports = recorder.0.into_inner().unwrap();
    assert!(!reports.is_empty());
    assert!(reports.iter().all(|progress| progress.lower <= score && score <= progress.upper));
}

#[test]
fn a_solver_gives_up_at_its_limit_and_is_exact_below_it() {
    let board = Board::<7, 6>::parse("44").unwrap();
    let small = Solver::<7, 6>::new(1 << 24).unwrap().with_node_limit(5_000);
    assert!(matches!(small.solve(&board, Precision::Strong), Err(SolverError::Stopped)));
    let board = Board::<6, 5>::parse("3344").unwrap();
    let [limited, free] = [1 << 40, u64::MAX].map(|limit| Solver::<6, 5>::new(1 << 22).unwrap().with_node_limit(limit));
    let solve = |solver: &Solver<6, 5>| solver.solve(&board, Precision::Strong).unwrap();
    assert_eq!(solve(&limited), solve(&free));
}

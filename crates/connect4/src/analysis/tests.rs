use super::*;
use crate::oracle::{self, Random};

#[test]
fn every_column_agrees_with_the_oracle() {
    let solver = Solver::<7, 6>::new(1 << 20).unwrap();
    let mut random = Random(99);
    for _ in 0..60 {
        let board: Board = random.board(30);
        let analysis = solver.analyze(&board, Precision::Strong, &Silent).unwrap();
        assert_eq!(analysis.score(), Some(oracle::score(&board)));
        for column in 0..7 {
            let expected = board.can_play(column).then(|| {
                if board.wins_by(column) { board.score_of_win_now() } else { -oracle::score(&board.play(column)) }
            });
            assert_eq!(analysis.scores[column], expected);
        }
        assert!(analysis.best().iter().all(|&column| analysis.scores[column] == analysis.score()));
    }
}

/// Both on cold tables and on those that the solve of the position has filled.
#[test]
fn the_best_columns_keep_the_score() {
    let solver = Solver::<7, 6>::new(1 << 20).unwrap();
    let mut random = Random(7);
    for round in 0..60 {
        let board: Board = random.board(24 + round % 8);
        let score = solver.solve(&board, Precision::Strong).unwrap().score;
        if round % 2 == 0 {
            solver.clear();
        }
        let columns = [solver.any_best_column(&board, score).unwrap(), solver.best_column(&board, score).unwrap()];
        let analysis = solver.analyze(&board, Precision::Strong, &Silent).unwrap();
        for column in columns.map(|column| column.expect("the board is not full")) {
            assert_eq!(analysis.scores[column], Some(score));
        }
    }
    let full: Board = random.board(42);
    assert!(full.is_full());
    let columns = [solver.any_best_column(&full, 0), solver.best_column(&full, 0)];
    assert_eq!(columns.map(Result::unwrap), [None, None]);
}

/// The line has the length that the score states, and ends with four or a full board.
#[test]
fn the_principal_variation_leads_to_the_score() {
    let solver = Solver::<7, 6>::new(1 << 20).unwrap();
    let mut random = Random(123);
    for _ in 0..60 {
        let start: Board = random.board(24);
        let score = solver.solve(&start, Precision::Strong).unwrap().score;
        let line = solver.principal_variation(&start).unwrap();
        let mut board = start;
        for &column in &line[..line.len() - 1] {
            assert!(board.can_play(column) && !board.wins_by(column));
            board = board.play(column);
        }
        let wins = board.wins_by(line[line.len() - 1]);
        match Verdict::new(&start, score) {
            Verdict::WinsIn(moves) => assert!(wins && line.len() as u32 == 2 * moves - 1),
            Verdict::LosesIn(moves) => assert!(wins && line.len() as u32 == 2 * moves),
            Verdict::Draw => assert!(!wins && board.play(line[line.len() - 1]).is_full()),
        }
    }
}

#[test]
fn words_for_scores() {
    let board: Board = Board::new();
    assert_eq!(Verdict::new(&board, 1).to_string(), "wins in 21 moves");
    assert_eq!(Verdict::new(&board, 18).to_string(), "wins in 4 moves");
    assert_eq!(Verdict::new(&board, 0).to_string(), "draw");
    assert_eq!(Verdict::new(&board, -1).to_string(), "loses in 21 moves");
    let board: Board = Board::parse("112233").unwrap();
    assert_eq!(Verdict::new(&board, 18).to_string(), "wins in 1 move");
    let board: Board = Board::parse("11223").unwrap();
    assert_eq!(Verdict::new(&board, -18).to_string(), "loses in 1 move");
}

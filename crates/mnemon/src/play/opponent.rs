//! The computer that plays against the user.

use mnemon_connect4::{Board, Precision, Verdict, WIDTH};

use crate::Result;
use crate::connect4::progress::SolveProgress;
use crate::connect4::solver::BookSolver;
use mnemon_connect4::drawing::signed;

use super::Arguments;

/// The solver, or a search of few moves.
pub(crate) struct Opponent {
    solver: BookSolver,
    /// Moves to look ahead; `None` to the end.
    level: Option<u8>,
}

impl Opponent {
    pub(crate) fn new(arguments: &Arguments) -> Result<Self> {
        let (solver, _) = BookSolver::open(&arguments.engine, arguments.book.as_deref())?;
        Ok(Self { solver, level: arguments.level })
    }

    /// The column it plays, counted from 0. The board is not full.
    pub(crate) fn choose(&self, board: &Board) -> Result<usize> {
        match self.level {
            Some(level) => Ok(best_within(board, level)),
            None => self.best(board),
        }
    }

    /// A perfect move, with its score and what that means.
    pub(crate) fn hint(&self, board: &Board) -> Result<String> {
        let column = self.best(board)?;
        if board.stones() == 0 {
            return Ok(format!("column {}, the only first move that wins", column + 1));
        }
        let progress = self.progress();
        let score = self.solver.solve(board, Precision::Strong, &progress)?.score;
        drop(progress);
        let words = Verdict::new(board, score);
        Ok(format!("column {}: {words} (score {} for you: + you win, - you lose)", column + 1, signed(score)))
    }

    fn best(&self, board: &Board) -> Result<usize> {
        // Known since 1988 (Allen, Allis), and the longest of all to solve.
        if board.stones() == 0 {
            return Ok(WIDTH / 2);
        }
        // Solved first for the progress that this shows; the line then comes from the table.
        let progress = self.progress();
        self.solver.solve(board, Precision::Strong, &progress)?;
        drop(progress);
        self.solver.line(board)?.first().copied().ok_or_else(|| "the board is full".into())
    }

    fn progress(&self) -> SolveProgress {
        SolveProgress::new("thinking", self.solver.solver.table_bytes())
    }
}

/// The best column by a search of `moves` moves, the most central of equals.
fn best_within(board: &Board, moves: u8) -> usize {
    let score_of = |column: usize| {
        if board.wins_by(column) { board.score_of_win_now() } else { -score_within(&board.play(column), moves - 1) }
    };
    let order = |&column: &usize| (score_of(column), std::cmp::Reverse(column.abs_diff(WIDTH / 2)));
    board.columns().max_by_key(order).unwrap_or(0)
}

/// The score for the side to move by a search of `moves` moves; 0 when it reaches no end of the game.
fn score_within(board: &Board, moves: u8) -> i32 {
    if moves == 0 || board.is_full() {
        return 0;
    }
    if board.can_win_now() {
        return board.score_of_win_now();
    }
    board.columns().map(|column| -score_within(&board.play(column), moves - 1)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_move_ahead_sees_a_win_and_two_see_a_threat() {
        let wins: Board = Board::parse("112233").unwrap();
        assert_eq!(best_within(&wins, 1), 3);
        let threatened: Board = Board::parse("11223").unwrap();
        assert_eq!(best_within(&threatened, 2), 3);
    }
}

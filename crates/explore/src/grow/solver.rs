//! The Connect Four solver as an evaluator: it proves a position's value, or within its budget at least bounds of it.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mnemon_connect4::{Board, Precision, Progress, Report, Solver, SolverError};
use mnemon_memory::Source;
use mnemon_table::{Score, Window};

use super::evaluator::{Budget, Evaluation, Evaluator, EvaluatorError, Request, Stop};

/// The solver's name as a source: one with that of opening books, whose positions count as proven here too.
const SOURCE: &str = "mnemon-connect4";

/// The solver of one board size.
pub struct SolverEvaluator<const WIDTH: usize, const HEIGHT: usize> {
    solver: Solver<WIDTH, HEIGHT>,
    source: Source,
    budget: Budget,
}

impl<const WIDTH: usize, const HEIGHT: usize> SolverEvaluator<WIDTH, HEIGHT> {
    /// A solver with a table of `table_bytes`, or of as many as it needs.
    ///
    /// # Errors
    /// A table that does not fit.
    pub fn new(table_bytes: usize, budget: Budget) -> Result<Self, EvaluatorError> {
        let needed = mnemon_connect4::tables::bytes_needed::<WIDTH, HEIGHT>() as usize + 64;
        let solver = Solver::new(table_bytes.max(needed))?;
        Ok(SolverEvaluator { solver, source: Self::source_of_solver(), budget })
    }

    /// The source of all solvers of this version.
    pub fn source_of_solver() -> Source {
        Source::engine(SOURCE, env!("CARGO_PKG_VERSION"))
    }
}

/// Ends a solve when its budget is spent, and keeps the bounds that it has proven by then.
struct Limiter<'s, const WIDTH: usize, const HEIGHT: usize> {
    solver: &'s Solver<WIDTH, HEIGHT>,
    budget: Budget,
    stop: &'s Stop,
    last: Mutex<Progress>,
    /// The nodes of the stages before this one, which counts from 0 again, and of this one.
    nodes: Mutex<(u64, u64)>,
}

impl<const WIDTH: usize, const HEIGHT: usize> Report for Limiter<'_, WIDTH, HEIGHT> {
    fn progress(&self, progress: Progress) {
        let mut nodes = self.nodes.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.nodes < nodes.1 {
            nodes.0 += nodes.1;
        }
        nodes.1 = progress.nodes;
        let is_spent = match self.budget {
            Budget::Nodes(limit) => nodes.0 + nodes.1 >= limit,
            Budget::Time(limit) => progress.elapsed >= limit,
        };
        if is_spent || self.stop.is_set() {
            self.solver.stop_flag().store(true, Ordering::Relaxed);
        }
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }
}

impl<const WIDTH: usize, const HEIGHT: usize> Evaluator<Board<WIDTH, HEIGHT>> for SolverEvaluator<WIDTH, HEIGHT> {
    fn source(&self) -> &Source {
        &self.source
    }

    fn search(
        &mut self,
        request: &Request<'_, Board<WIDTH, HEIGHT>>,
        stop: &Stop,
    ) -> Result<Option<Evaluation>, EvaluatorError> {
        let board = request.position;
        let most = board.score_of_win_now();
        let unknown = Progress { lower: -most, upper: most, nodes: 0, elapsed: Duration::ZERO };
        let limiter = Limiter {
            solver: &self.solver,
            budget: self.budget,
            stop,
            last: Mutex::new(unknown),
            nodes: Mutex::default(),
        };
        let solved = self.solver.solve_and_report(board, Precision::Strong, &limiter);
        self.solver.stop_flag().store(false, Ordering::Relaxed);
        let Progress { lower, upper, .. } = limiter.last.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (before, last) = limiter.nodes.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (window, nodes) = match solved {
            Ok(solution) => (Window::exact(solution.score as Score), solution.nodes),
            Err(SolverError::Stopped) if stop.is_set() => return Ok(None),
            Err(SolverError::Stopped) => (Window { lower: lower as Score, upper: upper as Score }, before + last),
            Err(error) => return Err(error.into()),
        };
        Ok(Some(Evaluation { proven: Some(window), nodes, ..Evaluation::default() }))
    }
}

//! The Connect Four solver as an evaluator: it proves a position's value, or within its budget at least bounds of it.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

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
        let node_limit = if let Budget::Nodes(nodes) = budget { nodes } else { u64::MAX };
        let solver = Solver::new(table_bytes.max(needed))?.with_node_limit(node_limit);
        Ok(SolverEvaluator { solver, source: Self::source_of_solver(), budget })
    }

    /// The source of all solvers of this version.
    pub fn source_of_solver() -> Source {
        Source::engine(SOURCE, env!("CARGO_PKG_VERSION"))
    }
}

/// Ends a solve when its time is over, and keeps the bounds that it has proven by then.
struct Limiter<'s, const WIDTH: usize, const HEIGHT: usize> {
    solver: &'s Solver<WIDTH, HEIGHT>,
    time: Duration,
    start: Instant,
    stop: &'s Stop,
    last: Mutex<Progress>,
}

impl<const WIDTH: usize, const HEIGHT: usize> Report for Limiter<'_, WIDTH, HEIGHT> {
    fn progress(&self, progress: Progress) {
        if self.start.elapsed() >= self.time || self.stop.is_set() {
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
        let time = if let Budget::Time(time) = self.budget { time } else { Duration::MAX };
        let limiter = Limiter { solver: &self.solver, time, start: Instant::now(), stop, last: Mutex::new(unknown) };
        let solved = self.solver.solve_and_report(board, Precision::Strong, &limiter);
        self.solver.stop_flag().store(false, Ordering::Relaxed);
        let last = limiter.last.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (window, nodes) = match (solved, self.budget) {
            (Ok(solution), _) => (Window::exact(solution.score as Score), solution.nodes),
            (Err(SolverError::Stopped), _) if stop.is_set() => return Ok(None),
            (Err(SolverError::Stopped), budget) => {
                let nodes = if let Budget::Nodes(nodes) = budget { nodes } else { last.nodes };
                (Window { lower: last.lower as Score, upper: last.upper as Score }, nodes)
            }
            (Err(error), _) => return Err(error.into()),
        };
        Ok(Some(Evaluation { proven: Some(window), nodes, ..Evaluation::default() }))
    }
}

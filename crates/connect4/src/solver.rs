//! Solving a position by null-window searches until the score is known.

use crate::board::Board;
use crate::bracket::Bracket;
use crate::error::SolverError;
use crate::geometry;
use crate::node::Node;
use crate::parallel;
use crate::replacement::SolverScheme;
use crate::report::{Report, Silent};
use crate::search::Worker;
use crate::shared::Shared;
use crate::tables::{self, SolverTable, bytes_needed};
use crate::technique::Techniques;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::Builder;

/// The stages before the main table is used: bytes of the table, and the node limit. Clearing a small table is cheap
/// compared with the search, and most positions need no more.
const SMALL_STAGES: [(usize, u64); 2] = [(16 << 10, 1 << 10), (1 << 20, 32 << 10)];

/// How exactly a position is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// The exact score.
    #[default]
    Strong,
    /// Win, draw or loss: 1, 0 or -1.
    Weak,
}

/// The result of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The score, seen by the side to move: positive when it wins. Only its sign (1, 0 or -1) for a weak solve.
    pub score: i32,
    /// Positions searched, by all threads. A child that forced moves, a static bound or the table decide at its parent is
    /// not counted.
    pub nodes: u64,
}

/// Solves positions of one board size. Keeps its tables from solve to solve, since their bounds stay true.
pub struct Solver<const WIDTH: usize = { geometry::WIDTH }, const HEIGHT: usize = { geometry::HEIGHT }> {
    /// The small tables first, the main table last.
    stages: Vec<Stage>,
    stop: AtomicBool,
    threads: usize,
    techniques: Techniques,
}

/// A table, and the number of positions after which the next stage takes over.
struct Stage {
    table: SolverTable,
    /// The table of the lower bounds, if each bound has its own.
    lower_bounds: Option<SolverTable>,
    node_limit: u64,
    is_used: AtomicBool,
}

impl Stage {
    fn new(bytes: usize, node_limit: u64) -> Result<Self, SolverError> {
        Ok(Self {
            table: SolverTable::lazy(bytes, SolverScheme::default())?,
            lower_bounds: None,
            node_limit,
            is_used: AtomicBool::new(false),
        })
    }

    fn tables(&self) -> impl Iterator<Item = &SolverTable> {
        std::iter::once(&self.table).chain(&self.lower_bounds)
    }

    const fn is_last(&self) -> bool {
        self.node_limit == u64::MAX
    }
}

impl<const WIDTH: usize, const HEIGHT: usize> Solver<WIDTH, HEIGHT> {
    /// A solver with a table of `table_bytes` bytes, one thread and all techniques.
    ///
    /// # Errors
    /// [`SolverError::TableTooSmall`] when the table is smaller than [`bytes_needed`], so that it could confuse two
    /// positions; [`SolverError::Table`] when the memory cannot be allocated.
    pub fn new(table_bytes: usize) -> Result<Self, SolverError> {
        let needed = bytes_needed::<WIDTH, HEIGHT>();
        // One line more, since the table rounds down to whole lines.
        if (table_bytes as u64) < needed + 64 {
            return Err(SolverError::TableTooSmall { bytes: table_bytes, needed: needed + 64 });
        }
        let mut stages = Vec::new();
        for (bytes, node_limit) in SMALL_STAGES {
            if bytes as u64 >= needed + 64 && bytes < table_bytes {
                stages.push(Stage::new(bytes, node_limit)?);
            }
        }
        stages.push(Stage::new(table_bytes, u64::MAX)?);
        Ok(Self { stages, stop: AtomicBool::new(false), threads: 1, techniques: Techniques::All })
    }

    /// The same solver with `threads` threads, at least one.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads: threads.max(1), ..self }
    }

    /// The same solver with these techniques. [`Techniques::SeparateTables`] needs the tables of
    /// [`with_separate_tables`](Self::with_separate_tables), without which it keeps upper bounds only.
    #[must_use]
    pub fn with_techniques(self, techniques: Techniques) -> Self {
        Self { techniques, ..self }
    }

    /// The same solver with empty tables of this replacement scheme.
    ///
    /// # Errors
    /// [`SolverError::Table`] when the memory cannot be allocated.
    pub fn with_replacement(mut self, scheme: SolverScheme) -> Result<Self, SolverError> {
        for stage in &mut self.stages {
            stage.table = SolverTable::lazy(stage.table.bytes(), scheme)?;
            if let Some(table) = &mut stage.lower_bounds {
                *table = SolverTable::lazy(table.bytes(), scheme)?;
            }
        }
        Ok(self)
    }

    /// The same solver with all techniques and two empty tables in the place of each: one for the upper bounds and one for
    /// the lower, of half the size, or of the least that is exact. For measurements.
    ///
    /// # Errors
    /// [`SolverError::Table`] when the memory cannot be allocated.
    pub fn with_separate_tables(mut self) -> Result<Self, SolverError> {
        let least = bytes_needed::<WIDTH, HEIGHT>() as usize + 64;
        for stage in &mut self.stages {
            let (bytes, scheme) = ((stage.table.bytes() / 2).max(least), stage.table.scheme());
            stage.table = SolverTable::lazy(bytes, scheme)?;
            stage.lower_bounds = Some(SolverTable::lazy(bytes, scheme)?);
        }
        Ok(self.with_techniques(Techniques::SeparateTables))
    }

    /// The flag that aborts a running solve soon after it is set. The caller that sets it must clear it again.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Bytes of the tables.
    pub fn table_bytes(&self) -> usize {
        self.stages.iter().flat_map(Stage::tables).map(SolverTable::bytes).sum()
    }

    /// Empties the tables. Skips those that no search has used since they were empty.
    pub fn clear(&self) {
        for stage in &self.stages {
            if stage.is_used.swap(false, Relaxed) {
                let threads = if stage.is_last() { self.threads } else { 1 };
                stage.tables().for_each(|table| table.clear(threads));
            }
        }
    }

    /// Solves a position; see [`Solver::solve_and_report`].
    ///
    /// # Errors
    /// [`SolverError::Stopped`] when the stop flag was set.
    pub fn solve(&self, board: &Board<WIDTH, HEIGHT>, precision: Precision) -> Result<Solution, SolverError> {
        self.solve_and_report(board, precision, &Silent)
    }

    /// Solves a position and reports the progress to `report`.
    ///
    /// # Errors
    /// [`SolverError::Stopped`] when the stop flag was set.
    pub fn solve_and_report(
        &self,
        board: &Board<WIDTH, HEIGHT>,
        precision: Precision,
        report: &dyn Report,
    ) -> Result<Solution, SolverError> {
        let limit = if precision == Precision::Weak { 1 } else { board.score_of_win_now() };
        self.close(board, Bracket::new(-limit, limit), report)
    }

    /// Whether the score of `board`, seen by the side to move, exceeds `alpha`. Cheaper than solving it.
    ///
    /// # Errors
    /// [`SolverError::Stopped`] when the stop flag was set.
    pub fn is_higher(&self, board: &Board<WIDTH, HEIGHT>, alpha: i32) -> Result<bool, SolverError> {
        let solution = self.close(board, Bracket::new(alpha, alpha + 1), &Silent)?;
        Ok(solution.score > alpha)
    }

    /// The least upper bound that the tables have for a position's score, seen by its side to move; `None` if they have
    /// no entry of it. No search is made.
    pub(crate) fn known_upper_bound(&self, board: &Board<WIDTH, HEIGHT>) -> Option<i32> {
        let packed = board.pack();
        let keys = [packed, packed.min(board.mirror().pack())].map(tables::key);
        let entries = self.stages.iter().flat_map(|stage| keys.map(|key| stage.table.probe(key)));
        entries.flatten().map(|entry| i32::from(entry.window.upper)).min()
    }

    /// Narrows the window to one score, with the small tables first. The score of the result is within the initial window.
    fn close(
        &self,
        board: &Board<WIDTH, HEIGHT>,
        mut window: Bracket,
        report: &dyn Report,
    ) -> Result<Solution, SolverError> {
        if board.can_win_now() || board.is_full() {
            let score = if board.is_full() { 0 } else { board.score_of_win_now() };
            return Ok(Solution { score: window.clamp(score), nodes: 0 });
        }
        let mut nodes = 0;
        for stage in &self.stages {
            if !window.is_closed() {
                nodes += self.narrow(board, &mut window, stage, report);
            }
        }
        if window.is_closed() { Ok(Solution { score: window.lower, nodes }) } else { Err(SolverError::Stopped) }
    }

    /// Makes null-window searches until the window is closed or a search was aborted. Returns the positions searched.
    fn narrow(&self, board: &Board<WIDTH, HEIGHT>, window: &mut Bracket, stage: &Stage, report: &dyn Report) -> u64 {
        let threads = if stage.is_last() { self.threads } else { 1 };
        let shared = Shared::new(&self.stop, report, threads, stage.node_limit);
        let root = Node::new(board);
        let search = parallel::search_with(self.techniques);
        let mut workers: Vec<_> = (0..threads).map(|_| Worker::new(&stage.table, &shared, &root)).collect();
        workers.iter_mut().for_each(|worker| worker.lower_bounds = stage.lower_bounds.as_ref());
        stage.is_used.store(true, Relaxed);
        while !window.is_closed() {
            shared.begin(window.lower, window.upper);
            let alpha =
                if stage.is_last() { window.next_alpha_from_centre() } else { window.next_alpha_from_outside() };
            let bound = parallel::search_null_window(&mut workers, &shared, search, &root, alpha, Builder::new);
            let Some(bound) = bound else { break };
            window.take(alpha, bound);
        }
        workers.iter().map(|worker| worker.nodes).sum()
    }
}

#[cfg(test)]
mod tests;

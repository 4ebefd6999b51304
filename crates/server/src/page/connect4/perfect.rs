//! The perfect player: exact scores of Connect Four, solved on one thread and kept in RAM.
//!
//! A page waits a moment for scores and shows those that there are; who still looks asks again. The newest question is solved
//! first, and a question that nobody repeats is given up, so that a client costs no more than one thread at a time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use mnemon_connect4::{Board, Precision, Progress, Report, Solver, WIDTH};
use mnemon_explore::views;
use mnemon_memory::{PROVEN, Store, Trust};
use mnemon_search::Game;
use tokio::sync::watch;

/// How long a question counts after it was asked.
const PATIENCE: Duration = Duration::from_secs(20);

/// The most scores that are kept; then all are forgotten.
const MOST: usize = 1_000_000;

/// The score of playing each column, for the side to move; `None` where it is full or not solved yet.
pub(super) type Columns = [Option<i32>; WIDTH];

/// The solver with what it has solved. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Perfect(Arc<Shared>);

struct Shared {
    table_bytes: usize,
    solver: OnceLock<Option<Solver>>,
    state: Mutex<State>,
    /// Counts the scores that were found: who waits listens to it.
    found: watch::Sender<u64>,
    is_working: AtomicBool,
}

#[derive(Default)]
struct State {
    /// Exact scores for the side to move, by [`mirror_key`].
    scores: HashMap<u64, i32>,
    /// The newest question, and when it was asked last.
    wanted: Option<(Board, Instant)>,
}

impl Perfect {
    /// A solver that makes its table of this size when it is first asked.
    pub(crate) fn new(table_bytes: usize) -> Self {
        Perfect(Arc::new(Shared {
            table_bytes,
            solver: OnceLock::new(),
            state: Mutex::default(),
            found: watch::Sender::new(0),
            is_working: AtomicBool::new(false),
        }))
    }

    /// Adds what a memory has proven of the position's moves, as 'mnemon solve book' writes it.
    pub(super) fn learn(&self, store: &dyn Store, board: &Board) -> mnemon_memory::Result<()> {
        let children: Vec<Board> =
            board.columns().filter(|&column| !board.wins_by(column)).map(|column| board.play(column)).collect();
        let both: Vec<Board> = children.iter().flat_map(|child| [*child, child.mirror()]).collect();
        let packed: Vec<Vec<u8>> = both.iter().map(packed).collect();
        let trust = Trust::recorded(&store.contributors()?);
        let found = views(store, &<Board>::name(), &packed)?;
        let mut state = self.state();
        for (child, views) in both.iter().zip(found) {
            let is_proven = |claim: mnemon_memory::Claim| claim.is_known() && claim.depth == PROVEN;
            let proven = views.iter().find(|(source, record)| {
                trust.believes(source)
                    && is_proven(record.lower)
                    && is_proven(record.upper)
                    && record.lower.score == record.upper.score
            });
            if let Some((_, record)) = proven {
                state.scores.insert(mirror_key(child), record.lower.score.into());
            }
        }
        Ok(())
    }

    /// The scores of the columns as far as they are known within `patience`.
    pub(super) async fn columns(&self, board: &Board, patience: Duration) -> Columns {
        let mut found = self.0.found.subscribe();
        let columns = self.known(board);
        if is_complete(board, &columns) {
            return columns;
        }
        self.ask(board);
        let complete = async { while !is_complete(board, &self.known(board)) && found.changed().await.is_ok() {} };
        // What is known after that time is the answer, whether it is all or not.
        let _ = tokio::time::timeout(patience, complete).await;
        self.known(board)
    }

    pub(super) fn known(&self, board: &Board) -> Columns {
        let state = self.state();
        let mut columns = Columns::default();
        for column in board.columns() {
            columns[column] = if board.wins_by(column) {
                Some(board.score_of_win_now())
            } else {
                state.scores.get(&mirror_key(&board.play(column))).map(|score| -score)
            };
        }
        columns
    }

    /// Makes the board the newest question, and starts the thread if it sleeps.
    fn ask(&self, board: &Board) {
        self.state().wanted = Some((*board, Instant::now()));
        if !self.0.is_working.swap(true, Ordering::AcqRel) {
            let own = self.clone();
            let started = std::thread::Builder::new().name("connect4".to_owned()).spawn(move || own.work());
            if started.is_err() {
                self.0.is_working.store(false, Ordering::Release);
            }
        }
    }

    /// Solves the newest question, column by column from the middle, until nobody asks any more.
    fn work(&self) {
        let make = || Solver::new(self.0.table_bytes).ok();
        let solver = self.0.solver.get_or_init(make).as_ref();
        loop {
            while let (Some(solver), Some((question, child))) = (solver, self.next()) {
                self.solve(solver, question, &child);
            }
            self.0.is_working.store(false, Ordering::Release);
            // A question may have come after the last look, from somebody who saw this thread at work.
            let is_asked = solver.is_some() && self.state().wanted.is_some();
            if !is_asked || self.0.is_working.swap(true, Ordering::AcqRel) {
                return;
            }
        }
    }

    fn solve(&self, solver: &Solver, question: Board, child: &Board) {
        solver.stop_flag().store(false, Ordering::Relaxed);
        let watch = Watch { perfect: self, solver, question };
        if let Ok(solution) = solver.solve_and_report(child, Precision::Strong, &watch) {
            self.keep(child, solution.score);
        }
    }

    /// The question, and the next of its positions to solve.
    fn next(&self) -> Option<(Board, Board)> {
        let mut state = self.state();
        let (board, asked) = state.wanted?;
        let mut columns: Vec<usize> = board.columns().filter(|&column| !board.wins_by(column)).collect();
        columns.sort_by_key(|column| column.abs_diff(WIDTH / 2));
        let unknown = |child: &Board| !state.scores.contains_key(&mirror_key(child));
        let child = columns.into_iter().map(|column| board.play(column)).find(unknown);
        let next = child.filter(|_| asked.elapsed() < PATIENCE);
        if next.is_none() {
            state.wanted = None;
        }
        next.map(|child| (board, child))
    }

    fn keep(&self, board: &Board, score: i32) {
        let mut state = self.state();
        if state.scores.len() >= MOST {
            state.scores.clear();
        }
        state.scores.insert(mirror_key(board), score);
        drop(state);
        self.0.found.send_modify(|count| *count += 1);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends a solve whose question is not the newest any more, or that nobody asks any more.
struct Watch<'a> {
    perfect: &'a Perfect,
    solver: &'a Solver,
    question: Board,
}

impl Report for Watch<'_> {
    fn progress(&self, _progress: Progress) {
        let wanted = self.perfect.state().wanted;
        if !wanted.is_some_and(|(board, asked)| board == self.question && asked.elapsed() < PATIENCE) {
            self.solver.stop_flag().store(true, Ordering::Relaxed);
        }
    }
}

/// Whether every column that can be played has its score.
pub(super) fn is_complete(board: &Board, columns: &Columns) -> bool {
    board.columns().all(|column| columns[column].is_some())
}

/// A number that a position shares with its mirror image only.
fn mirror_key(board: &Board) -> u64 {
    board.pack().min(board.mirror().pack())
}

fn packed(board: &Board) -> Vec<u8> {
    let mut bytes = Vec::new();
    Game::pack(board, &mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use mnemon_memory::{Item, Key, RamStore, Record, Source};

    use super::*;

    /// A position near its end, and the scores of a solver that is asked for each column itself.
    fn example() -> (Board, Columns) {
        let board = Board::parse("44444432223335").expect("a position");
        let solver = Solver::new(64 << 20).expect("a table");
        let mut columns = Columns::default();
        for column in board.columns() {
            columns[column] = Some(if board.wins_by(column) {
                board.score_of_win_now()
            } else {
                -solver.solve(&board.play(column), Precision::Strong).expect("a score").score
            });
        }
        (board, columns)
    }

    fn answer(perfect: &Perfect, board: &Board, patience: u64) -> Columns {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(perfect.columns(board, Duration::from_secs(patience)))
    }

    #[test]
    fn the_scores_are_the_solvers() {
        let (board, expected) = example();
        let perfect = Perfect::new(64 << 20);
        assert_eq!(answer(&perfect, &board, 30), expected);
        assert_eq!(answer(&perfect, &board, 0), expected, "known at once the second time");
        assert_eq!(perfect.known(&board.mirror()).into_iter().rev().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_a_memory_has_proven_is_not_solved_again() {
        let (board, expected) = example();
        let store = RamStore::default();
        let source = Source::engine("mnemon-connect4", "1");
        for column in board.columns().filter(|&column| !board.wins_by(column)) {
            let key = Key::new(&<Board>::name().into(), packed(&board.play(column)), &source);
            let score = -expected[column].expect("a score") as i16;
            store.merge_many(&[Item { key, record: Record::exact(score, PROVEN) }]).expect("a merge");
        }
        let perfect = Perfect::new(64 << 20);
        perfect.learn(&store, &board).expect("a store");
        assert_eq!(perfect.known(&board), expected);
    }
}

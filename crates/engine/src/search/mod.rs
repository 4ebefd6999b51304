//! The chess search: principal variation search on the shared transposition table.
//!
//! It touches neither disk nor terminal. [`Searcher::search`] starts the threads; each is a `Worker` that runs
//! iterative deepening (`iterate`), the search of a node (`node_search`) with its pruning (`node_pruning`,
//! `move_pruning`) and its move loop (`move_loop`), and the quiescence search (`quiescence`). A node's result is its
//! score with what it depends on, a [`PathScore`](mnemon_search::PathScore). Only `path` makes moves.

mod captures;
mod checks;
mod control;
mod correction;
mod generate;
mod history;
mod history_update;
mod iterate;
mod move_list;
mod move_loop;
mod move_pruning;
mod node;
mod node_pruning;
mod node_search;
mod open_window;
mod path;
mod picker;
mod picker_context;
mod progress;
mod quiescence;
mod quiet_scores;
mod reductions;
mod report;
mod root;
mod see;
mod tablebase;
mod threats;
mod worker;

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cozy_chess::Move;
use mnemon_chess::Position;
use mnemon_table::{Bound, Score};

use control::Control;
pub use control::Limits;
use history::History;
use node::hash_move;
pub use open_window::OpenWindow;
pub use report::{Info, Progress, Report, Silent};
use root::RootMoves;
use worker::Worker;

use crate::Table;
use crate::eval::{Evaluation, Evaluator};
use crate::tablebase::Tablebase;

/// What to search.
pub struct SearchRequest<'q> {
    /// The position.
    pub position: &'q Position,
    /// The keys of the game's positions before it, in the order in which they were played.
    pub game_keys: &'q [u64],
    /// Only these root moves; all if the list is empty.
    pub moves: &'q [Move],
    /// How far.
    pub limits: Limits,
    /// How many of the best lines to find (MultiPV).
    pub lines: usize,
    /// The first iteration's depth: more than 1 where the table already holds what earlier iterations would find.
    /// Beyond the last depth nothing is searched, and the outcome is the best known line, or else the hash move, with a
    /// depth of 0.
    pub first_depth: u8,
    /// The best lines as they are known, the deepest first, where the first iteration is behind 1. Lines that are missing,
    /// or not as deep as the first, are brought to its depth before the first iteration.
    pub known: &'q [KnownLine<'q>],
    /// Whether the table holds recalled entries: then no move that leads to one is pruned near the root.
    pub recalled: bool,
    /// What a recalled window inside alpha and beta does.
    pub open_window: OpenWindow,
    /// The endgame tablebase to probe.
    pub tablebase: Option<&'q Tablebase>,
}

impl<'q> SearchRequest<'q> {
    /// A position without a game before it.
    pub fn new(position: &'q Position, limits: Limits) -> Self {
        SearchRequest {
            position,
            game_keys: &[],
            moves: &[],
            limits,
            lines: 1,
            first_depth: 1,
            known: &[],
            recalled: false,
            open_window: OpenWindow::default(),
            tablebase: None,
        }
    }
}

/// A line of the root that is known before the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownLine<'q> {
    /// Its moves, at least one.
    pub pv: &'q [Move],
    /// Its score, from the side to move's point of view.
    pub score: Score,
    /// The depth that it was searched to; 0 if only its move and a guess of its score are known.
    pub depth: u8,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOutcome {
    /// The best move; `None` only if there is no legal one.
    pub best: Option<Move>,
    /// The principal variation.
    pub pv: Vec<Move>,
    /// The score of the last finished iteration.
    pub score: Score,
    /// The depth of the last finished iteration.
    pub depth: u8,
    /// Whether the score depends on the moves before the root, or on the halfmove clock.
    pub tainted: bool,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Tablebase hits.
    pub tbhits: u64,
    /// The keys of the recalled table entries that decided nodes of the main thread, each once.
    pub used: Vec<u64>,
    /// How long it took.
    pub time: Duration,
}

/// The threads of a search, with the history statistics that they gather during a game.
///
/// `E` is the static evaluation; each thread has its own.
pub struct Searcher<E = Evaluator> {
    threads: Vec<ThreadState<E>>,
    /// How many threads were asked for; there may be memory for fewer.
    asked: usize,
}

/// What a thread keeps from search to search.
struct ThreadState<E> {
    history: History,
    evaluation: E,
}

impl Searcher {
    /// A searcher with this number of threads, or as many as there is memory for; 0 counts as 1.
    pub fn new(threads: usize) -> Self {
        let helpers = (1..threads).take_while(|_| has_room_for_thread()).map(|_| Evaluator::new());
        let searcher = Searcher::with_evaluations(std::iter::once(Evaluator::new()).chain(helpers));
        Searcher { asked: threads.max(1), ..searcher }
    }

    /// As [`search_with`](Self::search_with), with the engine's own evaluation. It is compiled here once, and not again in
    /// every crate that searches.
    pub fn search(
        &mut self,
        request: &SearchRequest<'_>,
        table: &Table,
        stop: &AtomicBool,
        pondering: &AtomicBool,
        report: &mut dyn Report,
    ) -> SearchOutcome {
        self.search_with(request, table, stop, pondering, report)
    }
}

impl<E: Evaluation> Searcher<E> {
    /// A searcher with one thread for each evaluation.
    ///
    /// ```
    /// use mnemon_engine::eval::Evaluator;
    /// use mnemon_engine::search::Searcher;
    ///
    /// let two_threads = Searcher::with_evaluations([Evaluator::new(), Evaluator::new()]);
    /// ```
    pub fn with_evaluations(evaluations: impl IntoIterator<Item = E>) -> Self {
        let thread = |evaluation| ThreadState { history: History::new(), evaluation };
        let threads: Vec<_> = evaluations.into_iter().map(thread).collect();
        Searcher { asked: threads.len(), threads }
    }

    /// Forgets the history statistics.
    pub fn new_game(&mut self) {
        for thread in &mut self.threads {
            thread.history.clear();
        }
    }

    /// Searches until a limit is reached or `stop` is set; while `pondering` is set, time limits do not apply.
    ///
    /// One thread searches the same number of nodes each time, given the same table, statistics and request.
    pub fn search_with(
        &mut self,
        request: &SearchRequest<'_>,
        table: &Table,
        stop: &AtomicBool,
        pondering: &AtomicBool,
        report: &mut dyn Report,
    ) -> SearchOutcome {
        let control = Control::new(request.limits, Instant::now(), stop, pondering);
        let root = root_moves(request, table);
        let (Some((main, helpers)), false) = (self.threads.split_first_mut(), root.list.is_empty()) else {
            return unsearched(request.position, &control);
        };
        let mut last = None;
        let (root, used) = std::thread::scope(|scope| {
            let mut started = 1;
            for thread in helpers {
                let (control, root) = (&control, root.clone());
                let work = move || {
                    let mut worker = Worker::new(table, control, thread, request, root);
                    worker.deepen(request, 1, &mut Silent);
                };
                if !has_room_for_thread() || std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
                started += 1;
            }
            if started < self.asked {
                report.fewer_threads(started, self.asked);
            }
            let report = RefCell::new(report);
            let mut on_info = |info: &Info| {
                if info.line == 0 && info.bound == Bound::Exact {
                    last = Some(info.clone());
                }
                report.borrow_mut().info(info);
            };
            let on_progress = |progress: &Progress| report.borrow_mut().progress(progress);
            let mut worker = Worker::new(table, &control, main, request, root);
            worker.report_progress_to(&on_progress);
            worker.deepen(request, request.lines, &mut on_info);
            control.finish();
            worker.used.sort_unstable();
            worker.used.dedup();
            (worker.root, worker.used)
        });
        let best = &root.list[0];
        let (score, depth, tainted) = last.map_or((0, 0, false), |info| (info.score, info.depth, info.tainted));
        SearchOutcome {
            best: Some(best.mv),
            pv: best.line.clone(),
            score,
            depth,
            tainted,
            nodes: control.nodes(),
            tbhits: control.tbhits(),
            used,
            time: control.elapsed(),
        }
    }
}

/// Whether the system still gives the memory that a further thread needs, with a reserve for everything else: an allocation
/// that fails later would end the process.
fn has_room_for_thread() -> bool {
    // As much as glibc maps for the arena of a new thread.
    const THREAD_BYTES: usize = 128 << 20;
    let mut probe: Vec<u8> = Vec::new();
    let is_given = probe.try_reserve_exact(THREAD_BYTES).is_ok();
    // Otherwise the compiler may leave the allocation out.
    std::hint::black_box(&probe);
    is_given
}

/// The legal moves that the request allows, the hash move first.
fn root_moves(request: &SearchRequest<'_>, table: &Table) -> RootMoves {
    let mut moves = Vec::new();
    request.position.legal_moves(&mut moves);
    let legal = moves.len();
    if !request.moves.is_empty() {
        moves.retain(|mv| request.moves.contains(mv));
    }
    let mut root = RootMoves::new(&moves, moves.len() < legal);
    if let Some(best) = table.probe(request.position.hash_key()).and_then(|entry| hash_move(&entry)) {
        root.put_first(best);
    }
    root.seed(request.known);
    root
}

/// The outcome where there is no move to search: mate or stalemate.
fn unsearched(position: &Position, control: &Control<'_>) -> SearchOutcome {
    let score = if position.is_check() { mnemon_search::WINS.lost_at(0) } else { 0 };
    SearchOutcome {
        best: None,
        pv: Vec::new(),
        score,
        depth: 0,
        tainted: false,
        nodes: 0,
        tbhits: 0,
        used: Vec::new(),
        time: control.elapsed(),
    }
}

//! The chess search: principal variation search on the project's table.

mod alphabeta;
mod captures;
mod checks;
mod children;
mod control;
mod generate;
mod history;
mod iterate;
mod lesser;
mod node;
mod picker;
mod progress;
mod prune;
mod quiescence;
mod ranking;
mod reductions;
mod report;
mod reward;
mod root;
mod see;
mod tables;
mod view;
mod worker;

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cozy_chess::Move;
use mnemon_table::{Bound, Score, Table};

use control::Control;
pub use control::Limits;
use history::History;
use node::hint_of;
pub use report::{Info, Progress, Report, Silent};
use root::RootMoves;
use worker::Worker;

use crate::eval::Evaluator;
use crate::tablebase::Tablebase;
use mnemon_chess::Position;

/// What to search.
pub struct SearchRequest<'q> {
    /// The position.
    pub position: &'q Position,
    /// The keys of the positions of the game before it, the first one first.
    pub before: &'q [u64],
    /// Only these moves; all if there are none.
    pub moves: &'q [Move],
    /// How far.
    pub limits: Limits,
    /// How many of the best lines to find.
    pub lines: usize,
    /// The first iteration's depth: more than 1 where the table already holds what the ones before it would find.
    /// Beyond the last depth nothing is searched, and the answer is the table's move with a depth of 0.
    pub first_depth: u8,
    /// Whether the table holds what a memory recalled: then no move that leads to it is left out near the root.
    pub recalled: bool,
    /// Endgame tables to ask.
    pub tables: Option<&'q Tablebase>,
}

impl<'q> SearchRequest<'q> {
    /// The best move of a position that has no history.
    pub fn new(position: &'q Position, limits: Limits) -> Self {
        SearchRequest {
            position,
            before: &[],
            moves: &[],
            limits,
            lines: 1,
            first_depth: 1,
            recalled: false,
            tables: None,
        }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOutcome {
    /// The best move; `None` only if there is no legal one.
    pub best: Option<Move>,
    /// The best line.
    pub pv: Vec<Move>,
    /// Its score.
    pub score: Score,
    /// The depth of the last finished iteration.
    pub depth: u8,
    /// Whether the score depends on the moves before the root.
    pub tainted: bool,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Positions that endgame tables decided.
    pub tbhits: u64,
    /// How long it took.
    pub time: Duration,
}

/// Threads that search, with what they have learned about moves in this game.
pub struct Searcher {
    threads: Vec<Thread>,
}

/// What a thread keeps from search to search.
struct Thread {
    history: History,
    evaluator: Evaluator,
}

impl Searcher {
    /// So many threads; 0 counts as 1.
    pub fn new(threads: usize) -> Self {
        let thread = || Thread { history: History::new(), evaluator: Evaluator::new() };
        Searcher { threads: std::iter::repeat_with(thread).take(threads.max(1)).collect() }
    }

    /// Forgets what was learned about moves.
    pub fn new_game(&mut self) {
        for thread in &mut self.threads {
            thread.history.clear();
        }
    }

    /// Searches until a limit is reached or `stop` is set; while `pondering` is set, time does not count.
    ///
    /// With one thread, the same table and the same question, the same number of nodes.
    pub fn search(
        &mut self,
        question: &SearchRequest<'_>,
        table: &Table,
        stop: &AtomicBool,
        pondering: &AtomicBool,
        report: &mut dyn Report,
    ) -> SearchOutcome {
        let control = Control::new(question.limits, Instant::now(), stop, pondering);
        let mut moves = Vec::new();
        question.position.legal_moves(&mut moves);
        let legal = moves.len();
        if !question.moves.is_empty() {
            moves.retain(|mv| question.moves.contains(mv));
        }
        if moves.is_empty() {
            return unsearched(question.position, &control);
        }
        let mut root = RootMoves::new(&moves, moves.len() < legal);
        if let Some(best) = table.probe(question.position.hash_key()).and_then(|entry| hint_of(&entry)) {
            root.put_first(best);
        }
        let Some((main, helpers)) = self.threads.split_first_mut() else {
            return unsearched(question.position, &control);
        };
        let mut last = None;
        let worker = std::thread::scope(|scope| {
            for thread in helpers {
                let (control, root) = (&control, root.clone());
                scope.spawn(move || {
                    let mut worker = Worker::new(table, control, thread, question, root);
                    worker.deepen(question.position, question.first_depth, 1, &mut Silent);
                });
            }
            let report = RefCell::new(report);
            let mut listen = |info: &Info| {
                if info.line == 0 && info.bound == Bound::Exact {
                    last = Some(info.clone());
                }
                report.borrow_mut().info(info);
            };
            let watch = |progress: &Progress| report.borrow_mut().progress(progress);
            let mut worker = Worker::new(table, &control, main, question, root);
            worker.watch(&watch);
            worker.deepen(question.position, question.first_depth, question.lines, &mut listen);
            control.finish();
            worker.root
        });
        let best = &worker.list[0];
        let (score, depth, tainted) = last.map_or((0, 0, false), |info| (info.score, info.depth, info.tainted));
        SearchOutcome {
            best: Some(best.mv),
            pv: best.line.clone(),
            score,
            depth,
            tainted,
            nodes: control.nodes(),
            tbhits: control.tbhits(),
            time: control.elapsed(),
        }
    }
}

/// The answer where there is nothing to search: mate or stalemate.
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
        time: control.elapsed(),
    }
}

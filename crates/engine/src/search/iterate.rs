//! Iterative deepening with aspiration windows: one depth after the other, each with a window around the last score.

use std::ops::Range;

use cozy_chess::Move;
use mnemon_chess::Position;
use mnemon_search::WINS;
use mnemon_table::{Bound, Score};

use super::SearchRequest;
use super::control::Stopped;
use super::node::Node;
use super::report::{Info, Report};
use super::worker::{INFINITY, Worker};
use crate::eval::Evaluation;

/// The last iteration's depth where no limit is given.
const MAX_ITERATION: i32 = 100;
/// Aspiration windows from this depth on.
const ASPIRATION_DEPTH: i32 = 5;
/// Half the width of the first aspiration window.
const ASPIRATION_WIDTH: i32 = 12;
/// A window that would become wider than this is opened completely.
const MAX_ASPIRATION_WIDTH: i32 = 400;
/// After fails high the depth is reduced by at most this.
const MAX_FAIL_HIGH_REDUCTION: i32 = 3;

impl<E: Evaluation> Worker<'_, E> {
    /// Searches deeper and deeper, from the request's first depth on, until a limit is reached, and reports the best
    /// `lines` lines of each depth.
    pub(crate) fn deepen(&mut self, request: &SearchRequest<'_>, lines: usize, report: &mut dyn Report) {
        let (root, first) = (request.position, request.first_depth);
        self.evaluation.set_root(root);
        let last = self.control.limits.depth.map_or(MAX_ITERATION, |depth| i32::from(depth).min(MAX_ITERATION));
        let lines = lines.clamp(1, self.root.list.len().max(1));
        let mut stability = BestMoveStability::default();
        let known: Vec<i32> = request.known.iter().map(|line| line.depth.into()).collect();
        if self.catch_up(root, &known, (lines, last), report).is_err() {
            return;
        }
        for depth in i32::from(first).max(1)..=last {
            if self.iterate(root, depth, 0..lines, report).is_err() {
                return;
            }
            for line in 0..lines {
                report.info(&self.info(depth, line));
            }
            let best = &self.root.list[0];
            let effort = best.nodes as f64 / self.nodes.max(1) as f64;
            let factor = stability.time_factor(best.mv, best.score, effort);
            if self.control.is_over() || self.control.is_past_soft_limit(factor) || self.found_mate() {
                return;
            }
        }
    }

    /// Brings the lines that are known to a lesser depth than the first, or not at all, to its depth, and reports them;
    /// once all have its depth, they are reported together. `known` are the depths of the known lines, the deepest first.
    fn catch_up(
        &mut self,
        root: &Position,
        known: &[i32],
        (lines, last): (usize, i32),
        report: &mut dyn Report,
    ) -> Result<(), Stopped> {
        let deepest = known.first().copied().unwrap_or(0);
        let behind = known.get(lines - 1).copied().unwrap_or(0);
        for depth in behind + 1..=deepest.min(last) {
            let standing = known.iter().take_while(|&&known| known >= depth).count();
            self.iterate(root, depth, standing..lines, report)?;
            let shown = if depth == deepest { 0 } else { standing };
            for line in shown..lines {
                report.info(&self.info(depth, line));
            }
            if self.control.is_over() || self.control.is_past_soft_limit(1.0) {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// One iteration of these lines: each is the best without the moves of those before it.
    fn iterate(
        &mut self,
        root: &Position,
        depth: i32,
        lines: Range<usize>,
        report: &mut dyn Report,
    ) -> Result<(), Stopped> {
        self.root.next_iteration_from(lines.start);
        self.begin_iteration(depth);
        for line in lines.clone() {
            self.root.pv_index = line;
            self.seldepth = 0;
            let finished = self.aspiration_search(root, depth, line, report);
            self.root.sort_open();
            finished?;
            self.root.pv_index = line + 1;
            self.root.sort_finished_from(lines.start);
        }
        self.root.pv_index = 0;
        // A finished iteration counts, even if it used up the limits.
        let _ = self.report_nodes();
        Ok(())
    }

    /// Searches one line to a depth: with a narrow window around its last score, widened after each fail high or fail
    /// low until the score is inside.
    fn aspiration_search(
        &mut self,
        root: &Position,
        depth: i32,
        line: usize,
        report: &mut dyn Report,
    ) -> Result<(), Stopped> {
        let open = i32::from(2 * INFINITY);
        let previous = self.root.list[line].previous;
        let mut width = if depth < ASPIRATION_DEPTH || WINS.is_mate(previous) { open } else { ASPIRATION_WIDTH };
        let clamp = |score: i32| score.clamp(-i32::from(INFINITY), i32::from(INFINITY)) as Score;
        let mut alpha = clamp(i32::from(previous) - width);
        let mut beta = clamp(i32::from(previous) + width);
        let mut reduction = 0;
        loop {
            let score = self.search(Node::new(root, alpha, beta, (depth - reduction).max(1), 0))?.score;
            self.root.sort_open();
            let bound = if score <= alpha && alpha > -INFINITY {
                beta = ((i32::from(alpha) + i32::from(beta)) / 2) as Score;
                alpha = clamp(i32::from(score) - width);
                reduction = 0;
                Bound::AtMost
            } else if score >= beta && beta < INFINITY {
                beta = clamp(i32::from(score) + width);
                reduction = (reduction + 1).min(MAX_FAIL_HIGH_REDUCTION);
                Bound::AtLeast
            } else {
                self.root.list[line].bound = Bound::Exact;
                return Ok(());
            };
            self.root.list[line].bound = bound;
            let _ = self.report_nodes();
            report.info(&self.info(depth, line));
            width = if width > MAX_ASPIRATION_WIDTH { open } else { width * 2 };
        }
    }

    /// The report of one line.
    fn info(&self, depth: i32, line: usize) -> Info {
        let root = &self.root.list[line];
        let score = if root.score == -INFINITY { root.previous } else { root.score };
        Info {
            depth: depth as u8,
            seldepth: root.seldepth as u8,
            line,
            score,
            bound: root.bound,
            nodes: self.control.nodes(),
            time: self.control.elapsed(),
            hashfull: self.table.hashfull(),
            tbhits: self.control.tbhits(),
            pv: root.line.clone(),
            tainted: root.tainted,
        }
    }

    /// Whether a mate was found that is as short as the limit asks for.
    fn found_mate(&self) -> bool {
        let plies = WINS.plies(self.root.list[0].score);
        self.control
            .limits
            .mate
            .is_some_and(|moves| plies.is_some_and(|plies| plies > 0 && (plies as u16).div_ceil(2) <= moves))
    }
}

/// How steady best move and score are from iteration to iteration, which decides how much time the search takes.
#[derive(Default)]
struct BestMoveStability {
    best: Option<Move>,
    unchanged: u32,
    last_score: Option<Score>,
}

impl BestMoveStability {
    /// The factor for the soft time limit: larger while the best move changes or the score falls, smaller when nearly
    /// all nodes (`effort`) went into the best move.
    fn time_factor(&mut self, best: Move, score: Score, effort: f64) -> f64 {
        self.unchanged = if self.best == Some(best) { self.unchanged + 1 } else { 0 };
        self.best = Some(best);
        let drop = self.last_score.map_or(0, |last| i32::from(last) - i32::from(score)).clamp(0, 60);
        self.last_score = Some(score);
        let instability = 1.4 - 0.08 * f64::from(self.unchanged.min(9));
        let falling = 1.0 + f64::from(drop) / 80.0;
        let undecided = 1.6 - effort.clamp(0.0, 1.0);
        instability * falling * undecided
    }
}

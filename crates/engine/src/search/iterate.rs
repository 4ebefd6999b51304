//! Iterative deepening: one depth after the other, each within a window around what the last one found.

use mnemon_search::WINS;
use mnemon_table::{Bound, Score};

use super::control::Stopped;
use super::node::Node;
use super::report::{Info, Report};
use super::worker::{INFINITY, Worker};
use mnemon_chess::Position;

/// The last depth there is.
const LAST_DEPTH: i32 = 100;

impl Worker<'_> {
    /// Searches deeper and deeper, from depth `first` on, until a limit is reached, and reports the best `lines` lines of
    /// each depth.
    pub(crate) fn deepen(&mut self, root: &Position, first: u8, lines: usize, report: &mut dyn Report) {
        let last = self.control.limits.depth.map_or(LAST_DEPTH, |depth| i32::from(depth).min(LAST_DEPTH));
        let lines = lines.clamp(1, self.root.list.len().max(1));
        let mut steady = Steadiness::default();
        for depth in i32::from(first).max(1)..=last {
            self.root.next_iteration();
            self.begin_iteration(depth);
            for line in 0..lines {
                self.root.settled = line;
                self.seldepth = 0;
                let finished = self.aspiration_search(root, depth, line, report);
                self.root.sort_open();
                if finished.is_err() {
                    return;
                }
                self.root.settled = line + 1;
                self.root.sort_settled();
            }
            self.root.settled = 0;
            // A finished iteration counts, even if it used up the limits.
            let _ = self.tell_nodes();
            for line in 0..lines {
                report.info(&self.info(depth, line));
            }
            let best = &self.root.list[0];
            let effort = best.nodes as f64 / self.nodes.max(1) as f64;
            let factor = steady.factor(best.mv, best.score, effort);
            if self.control.is_over() || self.control.is_late(factor) || self.found_mate() {
                return;
            }
        }
    }

    /// One depth: a narrow window around the last score, widened as long as the score lies outside.
    fn aspiration_search(
        &mut self,
        root: &Position,
        depth: i32,
        line: usize,
        report: &mut dyn Report,
    ) -> Result<(), Stopped> {
        let previous = self.root.list[line].previous;
        let mut width = if depth < 5 || WINS.is_mate(previous) { i32::from(2 * INFINITY) } else { 12 };
        let clamp = |score: i32| score.clamp(-i32::from(INFINITY), i32::from(INFINITY)) as Score;
        let mut alpha = clamp(i32::from(previous) - width);
        let mut beta = clamp(i32::from(previous) + width);
        let mut less = 0;
        loop {
            let score = self.search(Node::new(root, alpha, beta, (depth - less).max(1), 0))?;
            self.root.sort_open();
            let bound = if score <= alpha && alpha > -INFINITY {
                beta = ((i32::from(alpha) + i32::from(beta)) / 2) as Score;
                alpha = clamp(i32::from(score) - width);
                less = 0;
                Bound::AtMost
            } else if score >= beta && beta < INFINITY {
                beta = clamp(i32::from(score) + width);
                less = (less + 1).min(3);
                Bound::AtLeast
            } else {
                self.root.list[line].bound = Bound::Exact;
                return Ok(());
            };
            self.root.list[line].bound = bound;
            let _ = self.tell_nodes();
            report.info(&self.info(depth, line));
            width = if width > 400 { i32::from(2 * INFINITY) } else { width * 2 };
        }
    }

    /// What is to be said of one of the best lines.
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

    /// Whether a mate was found that is as short as was asked for.
    fn found_mate(&self) -> bool {
        let plies = WINS.plies(self.root.list[0].score);
        self.control
            .limits
            .mate
            .is_some_and(|moves| plies.is_some_and(|plies| plies > 0 && (plies as u16).div_ceil(2) <= moves))
    }
}

/// How much of its time a search should take, by how its answers change.
#[derive(Default)]
struct Steadiness {
    best: Option<cozy_chess::Move>,
    unchanged: u32,
    last: Option<Score>,
}

impl Steadiness {
    /// More time while the best move changes or the score falls; less for a move that gets all the effort.
    fn factor(&mut self, best: cozy_chess::Move, score: Score, effort: f64) -> f64 {
        self.unchanged = if self.best == Some(best) { self.unchanged + 1 } else { 0 };
        self.best = Some(best);
        let fell = self.last.map_or(0, |last| i32::from(last) - i32::from(score)).clamp(0, 60);
        self.last = Some(score);
        let calm = 1.4 - 0.08 * f64::from(self.unchanged.min(9));
        let trouble = 1.0 + f64::from(fell) / 80.0;
        let obvious = 1.6 - effort.clamp(0.0, 1.0);
        calm * trouble * obvious
    }
}

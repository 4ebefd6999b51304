//! What a `go` reports: the search's lines, where a person would play another move, and the best move.

use std::time::Duration;

use cozy_chess::Move;
use mnemon_memory::Lines;
use mnemon_memory::recall::Hearsay;
use mnemon_table::Bound;

use super::Go;
use crate::recall::{self, IterationLog};
use crate::search::{Info, Progress, Report, SearchOutcome};
use crate::{Event, Listener, Table};
use mnemon_chess::{Position, to_code};

/// Passes the search's reports on to the listener, and logs its iterations for the memory.
pub(super) struct Reporter<'t> {
    pub(super) log: &'t mut IterationLog,
    pub(super) position: &'t Position,
    /// The memory's lines, and the table: a line that ends where the memory helped goes on there.
    pub(super) lines: &'t Lines,
    pub(super) table: &'t Table,
    pub(super) listener: &'t dyn Listener,
    /// The time of the `go` before the search.
    pub(super) spent: Duration,
    pub(super) held_back: HeldBack,
}

/// Lines that are not as deep as what is known, of a search that has to begin at depth 1: they are held back as long as
/// they agree, for a second at most, so that the depth does not fall before the user's eyes.
#[derive(Default)]
pub(super) struct HeldBack {
    /// The depth and the move that are known; `None` once the search has passed the depth or disagreed.
    known: Option<(u8, Move)>,
}

impl HeldBack {
    const LONGEST: Duration = Duration::from_secs(1);

    /// Holds lines back that are not as deep as this one.
    pub(super) fn behind(known: Option<&Info>) -> Self {
        HeldBack { known: known.and_then(|known| Some((known.depth, *known.pv.first()?))) }
    }

    fn holds(&mut self, info: &Info) -> bool {
        let agrees = |&(depth, mv): &(u8, Move)| {
            info.depth < depth && info.time < Self::LONGEST && (info.line > 0 || info.pv.first() == Some(&mv))
        };
        self.known = self.known.filter(agrees);
        self.known.is_some()
    }
}

impl Report for Reporter<'_> {
    fn info(&mut self, info: &Info) {
        let pv = recall::extended(self.position, &info.pv, info.depth, self.lines, self.table);
        let info = Info { pv, time: self.spent + info.time, ..info.clone() };
        self.log.add(&info);
        if !self.held_back.holds(&info) {
            self.listener.notify(Event::Line(self.position, &info));
        }
    }

    fn progress(&mut self, progress: &Progress) {
        let progress = Progress { time: self.spent + progress.time, ..progress.clone() };
        self.listener.notify(Event::Progress(self.position, &progress));
    }

    fn fewer_threads(&mut self, started: usize, asked: usize) {
        self.listener.notify(Event::FewerThreads { started, asked });
    }
}

impl Go {
    /// Reports where the search prefers another move than a person advises.
    pub(super) fn report_disagreements(&self, hearsay: &[Hearsay], outcome: &SearchOutcome) {
        let Some(best) = outcome.best.filter(|_| outcome.depth > 0) else { return };
        let advised = hearsay.iter().filter(|hearsay| hearsay.source.is_person());
        for hearsay in advised.filter(|hearsay| ![0, to_code(best).get()].contains(&hearsay.record.best)) {
            self.listener.notify(Event::Disagrees { position: self.game.position(), hearsay, best });
        }
    }

    /// Reports the final line, with an exact score, and the best move. `last` is the line of the last finished iteration.
    pub(super) fn report_best(&self, last: Option<&Info>, outcome: &SearchOutcome, lines: &Lines) {
        let position = self.game.position();
        let depth_and_score = match last {
            Some(last) if last.pv.first() == outcome.best.as_ref() => (last.depth, last.score),
            _ if outcome.depth == 0 && outcome.best.is_some() => (0, crate::evaluate(position.board())),
            _ => (outcome.depth, outcome.score),
        };
        let info = Info {
            depth: depth_and_score.0,
            seldepth: last.map_or(0, |last| last.seldepth),
            line: 0,
            score: depth_and_score.1,
            bound: Bound::Exact,
            nodes: outcome.nodes,
            time: self.start.elapsed(),
            hashfull: self.table.hashfull(),
            tbhits: outcome.tbhits,
            pv: recall::extended(position, best_line(last, outcome), depth_and_score.0, lines, &self.table),
            tainted: outcome.tainted,
        };
        self.listener.notify(Event::Line(position, &info));
        let ponder = outcome.best.and_then(|best| {
            let after = position.after(best);
            info.pv.get(1).copied().filter(|&reply| after.is_legal(reply))
        });
        self.signals.note_reported();
        self.listener.notify(Event::Best { position, best: outcome.best, ponder });
    }

    /// The best move after a search that panicked before it reported one: the hash move, or else any legal move.
    pub(crate) fn report_after_panic(&self) {
        self.signals.wait(self.params.infinite);
        if self.signals.note_reported() {
            return;
        }
        let position = self.game.position();
        let mut moves = self.params.moves.clone();
        if moves.is_empty() {
            position.legal_moves(&mut moves);
        }
        let hash_move = recall::line(position, &self.table, 1).first().copied();
        let best = hash_move.filter(|hash_move| moves.contains(hash_move)).or(moves.first().copied());
        self.listener.notify(Event::Best { position, best, ponder: None });
    }
}

/// The moves of the final line: those of the last line, unless the search has found another best move since.
fn best_line<'l>(last: Option<&'l Info>, outcome: &'l SearchOutcome) -> &'l [Move] {
    let is_same = |last: &&Info| last.pv.first() == outcome.best.as_ref() && last.pv.len() > outcome.pv.len();
    last.filter(is_same).map_or(&outcome.pv, |last| &last.pv)
}

//! Whoever analyses one position after the other, and reports to an observer on the caller's thread: our own engine, or
//! another one over UCI.

use std::path::{Path, PathBuf};
use std::time::Duration;

use mnemon_chess::{Move, Position};
use mnemon_engine::GameHistory;
use mnemon_engine::search::Info;
use mnemon_memory::Learned;
use mnemon_memory::policy::Policy;
use mnemon_memory::recall::RecallSummary;

use super::figures;
use super::limit::Limit;
use crate::Result;
use crate::interrupt::Interrupt;

/// The interval at which an observer's clock advances.
pub(super) const TICK: Duration = Duration::from_millis(100);

/// Observes the progress of an analysis.
pub(super) trait AnalysisObserver {
    /// What the memory gave before the search.
    fn recalled(&mut self, _recalled: &RecallSummary) -> Result {
        Ok(())
    }

    /// What the memory knows of the position itself.
    fn known(&mut self, _known: &Info) -> Result {
        Ok(())
    }

    /// A line of a finished iteration.
    fn iteration(&mut self, _info: &Info) -> Result {
        Ok(())
    }

    /// The score has left its window: the iteration goes on.
    fn bound(&mut self, _info: &Info) {}

    /// Called about every [`TICK`].
    fn tick(&mut self) {}
}

/// What an analysis found.
pub(super) struct Findings {
    pub(super) position: Position,
    /// What the memory gave; `None` if it was not read.
    pub(super) recalled: Option<RecallSummary>,
    /// What the memory knew of the position itself.
    pub(super) known: Option<Info>,
    /// The depth of the first finished iteration.
    pub(super) first_depth: Option<u8>,
    /// The depth of the last finished iteration whose score does not depend on the path, and may be kept.
    pub(super) sound_depth: Option<u8>,
    /// The best lines of the last finished iteration.
    pub(super) lines: Vec<Info>,
    /// The final line, whose score is exact.
    pub(super) last: Info,
    pub(super) best: Option<Move>,
    pub(super) ponder: Option<Move>,
    pub(super) learned: Learned,
    /// The errors of the memory.
    pub(super) failures: Vec<String>,
}

impl Findings {
    /// Nodes a second, as of the last iteration: after it the engine may have waited.
    pub(super) fn speed(&self) -> u64 {
        let last = self.lines.last().unwrap_or(&self.last);
        figures::speed(last.nodes, last.time)
    }
}

/// What every analysis of a run has in common.
#[derive(Clone)]
pub(super) struct Terms {
    pub(super) limit: Limit,
    /// The memory's file; `None` without a memory.
    pub(super) memory: Option<PathBuf>,
    pub(super) policy: Policy,
    pub(super) interrupt: Interrupt,
}

/// Analyses positions, recalls and learns.
pub(super) trait Analyst {
    /// The terms of its analyses.
    fn terms(&self) -> &Terms;

    /// The name of an engine that is not our own.
    fn engine_name(&self) -> Option<&str> {
        None
    }

    /// Forgets what is in RAM, so that one position's analysis does not depend on those before it.
    fn clear(&mut self) -> Result;

    /// Analyses the position on the board of this game, and keeps what was found. If the observer fails, the search ends
    /// early, and what was found is kept all the same.
    fn analyse(&mut self, game: GameHistory, observer: &mut dyn AnalysisObserver) -> Result<Findings>;

    /// The memory's file.
    fn memory(&self) -> Option<&Path> {
        self.terms().memory.as_deref()
    }

    fn is_interrupted(&self) -> bool {
        self.terms().interrupt.was_pressed()
    }
}

/// What one analysis has given so far.
#[derive(Default)]
pub(super) struct FindingsBuilder {
    recalled: Option<RecallSummary>,
    known: Option<Info>,
    first_depth: Option<u8>,
    pub(super) sound_depth: Option<u8>,
    lines: Vec<Info>,
    pub(super) last: Option<Info>,
    pub(super) best: Option<(Option<Move>, Option<Move>)>,
    pub(super) learned: Learned,
    pub(super) failures: Vec<String>,
}

impl FindingsBuilder {
    pub(super) fn recalled(&mut self, recalled: RecallSummary, observer: &mut dyn AnalysisObserver) -> Result {
        observer.recalled(&recalled)?;
        self.recalled = Some(recalled);
        Ok(())
    }

    pub(super) fn known(&mut self, info: Info, observer: &mut dyn AnalysisObserver) -> Result {
        observer.known(&info)?;
        if info.line == 0 {
            self.known = Some(info);
        }
        Ok(())
    }

    /// A line of a finished iteration.
    pub(super) fn iteration(&mut self, info: Info, observer: &mut dyn AnalysisObserver) -> Result {
        if info.line == 0 {
            self.first_depth.get_or_insert(info.depth);
            self.sound_depth = Some(info.depth).filter(|_| !info.tainted).or(self.sound_depth);
            self.lines.clear();
        }
        observer.iteration(&info)?;
        self.lines.push(info);
        Ok(())
    }

    /// Whether an exact line of our own engine is a new iteration: the last line of a search repeats that of the last
    /// iteration or of the memory.
    pub(super) fn is_iteration(&self, info: &Info) -> bool {
        let known = self.known.as_ref().map_or(0, |known| known.depth);
        match self.lines.last() {
            Some(last) if info.line > 0 => info.depth == last.depth && info.line == last.line + 1,
            Some(last) => info.depth == last.depth + 1,
            None => info.nodes > 0 && info.line == 0 && (info.depth == 1 || info.depth == known.saturating_add(1)),
        }
    }

    /// Everything; `None` without a best move or a line.
    pub(super) fn findings(self, position: Position) -> Option<Findings> {
        let FindingsBuilder { recalled, known, first_depth, sound_depth, lines, last, best, learned, failures } = self;
        let ((best, ponder), last) = (best?, last?);
        Some(Findings {
            position,
            recalled,
            known,
            first_depth,
            sound_depth,
            lines,
            last,
            best,
            ponder,
            learned,
            failures,
        })
    }
}

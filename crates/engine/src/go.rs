//! One `go` from the command to its best move, on a thread of its own: recall, search, report, learn.

mod reports;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use cozy_chess::Move;
use mnemon_memory::policy::Searched;
use mnemon_memory::recall::{Budget, RecallSummary};
use mnemon_memory::{LineSet, Memory, unix_time};
use mnemon_search::WINS;
use mnemon_table::Bound;

use self::reports::{HeldBack, Reporter};
use crate::memory_reports::{report_learned, report_opening};
use crate::recall::{self, IterationLog};
use crate::search::{Info, KnownLine, Limits, SearchOutcome, SearchRequest, Searcher};
use crate::signals::Signals;
use crate::state::EngineState;
use crate::tablebase::Tablebase;
use crate::time::Clock;
use crate::{Allotment, Event, GameHistory, Listener, Settings, Table};

/// The parameters of a `go`: what to search, and how far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoParams {
    /// The clock of the side to move.
    pub clock: Clock,
    /// The last depth.
    pub depth: Option<u8>,
    /// The most nodes.
    pub nodes: Option<u64>,
    /// The search ends when it has found a mate in this many moves.
    pub mate: Option<u16>,
    /// No best move before [`stop`](super::Engine::stop).
    pub infinite: bool,
    /// On the opponent's time: no best move before [`ponderhit`](super::Engine::ponderhit) or `stop`.
    pub ponder: bool,
    /// Only these moves; all if there are none.
    pub moves: Vec<Move>,
}

/// What the memory contributed to a search.
#[derive(Default)]
struct Recalled {
    summary: RecallSummary,
    /// The root's value as a line of a search; `None` if no score is known.
    known: Option<Info>,
    /// The best lines, as far as they are known: that one first, if it is exact.
    lines: Vec<Info>,
    /// Whether the policy continues behind the known depth.
    resumes: bool,
}

impl Recalled {
    /// What the search begins with: the known lines, or of a bound its move and score.
    fn known_lines(&self) -> Vec<KnownLine<'_>> {
        let exact = self.lines.iter().map(|line| KnownLine { pv: &line.pv, score: line.score, depth: line.depth });
        let guess = self.known.iter().map(|known| KnownLine { pv: &known.pv, score: known.score, depth: 0 });
        if self.lines.is_empty() { guess.collect() } else { exact.collect() }
    }
}

/// The known line, if a search that could not go on behind its depth has the same best move, and did not come as far.
fn deeper<'k>(known: Option<&'k Info>, last: Option<&Info>, outcome: &SearchOutcome) -> Option<&'k Info> {
    let last = last?;
    let is_same = |known: &&Info| known.pv.first() == outcome.best.as_ref() && known.bound == Bound::Exact;
    known.filter(is_same).filter(|known| known.depth > last.depth)
}

/// One `go`.
pub(crate) struct Go {
    pub(crate) params: GoParams,
    pub(crate) game: GameHistory,
    pub(crate) settings: Settings,
    pub(crate) table: Arc<Table>,
    pub(crate) tablebase: Option<Arc<Tablebase>>,
    pub(crate) signals: Arc<Signals>,
    pub(crate) listener: Arc<dyn Listener>,
    /// When the command came: the clock runs since then.
    pub(crate) start: Instant,
}

impl Go {
    /// Searches, and reports the best move.
    pub(crate) fn run(&self, state: &mut EngineState) {
        let allotted = self.allotted();
        self.listener.notify(Event::Begun(allotted));
        if !state.log.continues_in(&self.game) {
            state.conclude_game(&*self.listener);
        }
        if self.play_from_book(state, allotted) {
            return;
        }
        self.table.new_generation();
        let is_usable = recall::is_usable(self.game.position());
        let recalled = if is_usable { self.recall(&mut state.memory, allotted) } else { Recalled::default() };
        let (log, outcome) = self.search(&mut state.searcher, allotted, &recalled);
        let outcome = self.or_known(outcome, recalled.known.as_ref());
        let last = log.last.as_ref();
        let last = deeper(recalled.known.as_ref(), last, &outcome).or(last).or(recalled.known.as_ref());
        self.signals.wait(self.params.infinite);
        self.report_disagreements(&recalled.summary.hearsay, &outcome);
        let lines = &recalled.summary.root.lines;
        self.report_best(last, &outcome, lines);
        if let Some(best) = outcome.best.filter(|_| !self.params.infinite) {
            state.log.note(&self.game, best, log.last.as_ref().map(|last| last.score));
        }
        let time = self.settings.time.unwrap_or_else(unix_time);
        let searched = Searched { time, ..log.searched(&self.game, &outcome, &mut state.previous) };
        // The score of some of the moves is not the position's.
        let is_whole = self.params.moves.is_empty();
        if let Some(memory) = state.memory.as_mut().filter(|_| is_usable && is_whole && outcome.nodes > 0) {
            let used = recalled.summary.used_by(&outcome.used);
            memory.finish(self.game.position(), &self.table, searched, used);
        }
    }

    fn allotted(&self) -> Option<Allotment> {
        let mut allotted = self.params.clock.allot(self.settings.overhead).filter(|_| !self.params.infinite)?;
        let mut replies = Vec::new();
        self.game.position().legal_moves(&mut replies);
        if replies.len() == 1 {
            // A forced move: the search is only for its score.
            allotted.soft = allotted.soft.map(|soft| soft / 20);
        }
        Some(allotted)
    }

    /// The time that the memory may still take before the search: against a clock, a tenth of the move's in all.
    fn memory_time(&self, allotted: Option<Allotment>) -> Duration {
        if self.settings.untimed {
            return Duration::MAX;
        }
        let most = allotted.map_or(Duration::MAX, |time| time.soft.unwrap_or(time.hard) / 10);
        self.settings.recall_budget.min(most).saturating_sub(self.start.elapsed())
    }

    /// The memory, once it is open and has what was learned before; `None` if it is not open in time.
    pub(crate) fn open_memory<'m>(
        &self,
        memory: &'m mut Option<Memory>,
        allotted: Option<Allotment>,
    ) -> Option<&'m mut Memory> {
        let is_open = memory
            .as_ref()
            .is_some_and(|memory| memory.wait_open(self.memory_time(allotted), Some(&self.signals.stop)));
        report_opening(memory, &*self.listener);
        let memory = memory.as_mut()?;
        if !is_open {
            self.listener.notify(Event::MemoryOpening);
            return None;
        }
        // This search is to know what the last one learned.
        if let Some(written) = memory.sync_until(self.memory_time(allotted), &self.signals.stop) {
            report_learned(written, &*self.listener);
        }
        Some(memory)
    }

    /// Fills the table with what the memory knows, and reports it.
    fn recall(&self, memory: &mut Option<Memory>, allotted: Option<Allotment>) -> Recalled {
        let Some(memory) = self.open_memory(memory, allotted) else { return Recalled::default() };
        let time = self.memory_time(allotted);
        let (position, budget) =
            (self.game.position(), Budget { time, positions: self.settings.recall_positions, ..Budget::ANALYSING });
        self.signals.recalling.store(true, Ordering::Relaxed);
        memory.set_entry_rules(self.settings.entry_rules);
        let begun = memory.begin(position, &self.table, budget, Some(&self.signals.stop));
        self.signals.recalling.store(false, Ordering::Relaxed);
        let summary = match begun {
            Ok(summary) => summary,
            Err(error) => {
                self.listener.notify(Event::MemoryFailed(&error));
                return Recalled::default();
            }
        };
        self.listener.notify(Event::Recalled(&summary));
        for hearsay in &summary.hearsay {
            self.listener.notify(Event::Hearsay(position, hearsay));
        }
        let known = recall::known(position, &summary.root, &self.table, self.start.elapsed());
        let exact = known.as_ref().filter(|known| known.bound == Bound::Exact && !known.pv.is_empty());
        let count = self.settings.lines.min(LineSet::MAX_LINES);
        let lines =
            exact.map_or_else(Vec::new, |best| recall::known_lines(position, best, &summary.root, count, &self.table));
        let recalled = Recalled { summary, known, lines, resumes: recall::resumes(memory.policy()) };
        self.report_known(&recalled);
        recalled
    }

    /// Reports what is known of the position. A bound, unless it is a mate, is reported only where the search begins at its
    /// depth, and with no more than that: otherwise the search would end with less than it began with.
    fn report_known(&self, recalled: &Recalled) {
        let position = self.game.position();
        let notify = |info: &Info| self.listener.notify(Event::Known(position, info));
        recalled.lines.iter().for_each(notify);
        if let Some(known) = recalled.known.as_ref().filter(|_| recalled.lines.is_empty()) {
            let depth = self.first_depth(recalled);
            if known.bound == Bound::Exact || WINS.is_mate(known.score) || depth > 1 {
                notify(&Info { depth: known.depth.min(depth), ..known.clone() });
            }
        }
    }

    fn search(
        &self,
        searcher: &mut Searcher,
        allotted: Option<Allotment>,
        recalled: &Recalled,
    ) -> (IterationLog, SearchOutcome) {
        let position = self.game.position();
        let mut log = IterationLog::default();
        let spent = self.start.elapsed();
        let left = |limit: Duration| (!self.settings.untimed).then(|| limit.saturating_sub(spent));
        let limits = Limits {
            depth: self.params.depth,
            nodes: self.params.nodes,
            mate: self.params.mate,
            soft: allotted.and_then(|time| time.soft).and_then(left),
            hard: allotted.and_then(|time| left(time.hard)),
        };
        let moves = self.moves();
        let first_depth = self.first_depth(recalled);
        let mut known = if first_depth > 1 { recalled.known_lines() } else { Vec::new() };
        // Tablebases may leave other moves than those that were known.
        known.retain(|line| moves.is_empty() || line.pv.first().is_some_and(|mv| moves.contains(mv)));
        let request = SearchRequest {
            position,
            game_keys: self.game.before(),
            moves: &moves,
            limits,
            lines: self.settings.lines,
            first_depth,
            known: &known,
            recalled: recalled.summary.entries > 0,
            open_window: self.settings.open_window,
            tablebase: self.tablebase.as_deref(),
        };
        let lines = &recalled.summary.root.lines;
        let mut reporter = Reporter {
            log: &mut log,
            position,
            lines,
            table: &self.table,
            listener: &*self.listener,
            spent,
            held_back: HeldBack::behind(recalled.lines.first().filter(|_| first_depth == 1)),
        };
        let Signals { stop, pondering, .. } = &*self.signals;
        let outcome = searcher.search(&request, &self.table, stop, pondering, &mut reporter);
        (log, outcome)
    }

    /// The moves to search; none for all. Where the tablebase knows the position, the moves that keep its result and make
    /// progress.
    fn moves(&self) -> Vec<Move> {
        let is_unrestricted = self.params.moves.is_empty() && self.settings.lines == 1;
        let tablebase = self.tablebase.as_ref().filter(|_| is_unrestricted);
        let probe = tablebase.and_then(|tablebase| tablebase.probe_root(self.game.position()));
        probe.map_or_else(|| self.params.moves.clone(), |probe| probe.moves)
    }

    /// The depth of the first iteration: one behind the known depth, as if this search had just reached that; where only a
    /// bound is known, that depth, or the last one that is asked for. It is 1 against a clock, or where the limits are too
    /// small for that iteration, since a deep iteration that is not finished gives no move; and 1 with policies that keep
    /// single positions, which are to be searched anew.
    fn first_depth(&self, recalled: &Recalled) -> u8 {
        let known = recalled.known.as_ref().filter(|known| recalled.resumes && !known.pv.is_empty());
        let is_analysis = self.params.clock.remaining.is_none();
        let resumes = is_analysis && self.params.moves.is_empty() && !self.game.has_repetitions();
        // A search from depth 1 finds a known mate again sooner than one from behind its depth.
        let Some(known) = known.filter(|known| resumes && !WINS.is_mate(known.score)) else { return 1 };
        if known.bound == Bound::Exact {
            return if self.allows(recalled.summary.root.value.nodes) { known.depth.saturating_add(1) } else { 1 };
        }
        // What a bound took is not known.
        let is_limited = self.params.nodes.is_some() || self.params.clock.move_time.is_some();
        let last = self.params.depth.unwrap_or(u8::MAX);
        if is_limited || self.settings.lines > 1 { 1 } else { known.depth.min(last).max(1) }
    }

    /// Whether the limits allow as many nodes as the known depth took.
    fn allows(&self, nodes: u64) -> bool {
        /// What a search reaches at least, roughly.
        const NODES_PER_MILLISECOND: u64 = 500;
        let by_time = |time: i64| time.max(0).unsigned_abs().saturating_mul(NODES_PER_MILLISECOND);
        let limits = [self.params.nodes, self.params.clock.move_time.map(by_time)];
        limits.into_iter().flatten().all(|limit| limit >= nodes)
    }

    /// The outcome; where no iteration was finished, what the memory knows of the position, if it does: that was searched.
    fn or_known(&self, outcome: SearchOutcome, known: Option<&Info>) -> SearchOutcome {
        let is_unsearched = outcome.depth == 0 && self.params.moves.is_empty();
        match known.filter(|known| is_unsearched && !known.pv.is_empty()) {
            Some(known) => SearchOutcome { best: known.pv.first().copied(), pv: known.pv.clone(), ..outcome },
            None => outcome,
        }
    }
}

//! One search from its beginning to its answer, on a thread of its own: recall, search, answer, learn.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cozy_chess::Move;
use mnemon_memory::walk::Budget;
use mnemon_memory::{Key, Learned, Memory};
use mnemon_search::WINS;
use mnemon_table::{Bound, Table};

use crate::recall::{self, IterationLog, Previous};
use crate::search::{Info, Limits, Progress, Report, SearchOutcome, SearchRequest, Searcher};
use crate::signals::Signals;
use crate::tablebase::Tablebase;
use crate::time::Clock;
use crate::{Allotted, Event, GameHistory, Listener, Settings};
use mnemon_chess::{Position, perft};

/// What an engine is asked to find out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoParams {
    /// The clock of the side to move.
    pub clock: Clock,
    /// The last depth.
    pub depth: Option<u8>,
    /// The most nodes.
    pub nodes: Option<u64>,
    /// Ends with a mate in so many moves.
    pub mate: Option<u16>,
    /// No answer before it is [asked for](super::Engine::stop).
    pub infinite: bool,
    /// On the opponent's time: no answer before the [expected move](super::Engine::ponderhit) was played.
    pub ponder: bool,
    /// Only these moves; all if there are none.
    pub moves: Vec<Move>,
}

/// What one search leaves to the next.
pub(crate) struct EngineState {
    pub(crate) searcher: Searcher,
    pub(crate) memory: Option<Memory>,
    pub(crate) previous: Previous,
}

impl EngineState {
    pub(crate) fn new(threads: usize) -> Self {
        EngineState { searcher: Searcher::new(threads), memory: None, previous: Previous::default() }
    }
}

/// What the memory gave to a search.
#[derive(Default)]
struct Recollected {
    /// How many positions entered the table.
    entries: usize,
    /// The records that were of use.
    used: Vec<Key>,
    /// What is known of the position itself.
    known: Option<Info>,
    /// Whether the search goes on behind what is known.
    goes_on: bool,
}

/// Tells what a search reports, and notes what the memory wants of it.
struct Telling<'t> {
    log: &'t mut IterationLog,
    position: &'t Position,
    listener: &'t dyn Listener,
}

impl Report for Telling<'_> {
    fn info(&mut self, info: &Info) {
        self.log.hear(info);
        self.listener.hear(Event::Line(self.position, info));
    }

    fn progress(&mut self, progress: &Progress) {
        self.listener.hear(Event::Progress(self.position, progress));
    }
}

/// A search that is to be done.
pub(crate) struct Go {
    pub(crate) asked: GoParams,
    pub(crate) game: GameHistory,
    pub(crate) settings: Settings,
    pub(crate) table: Arc<Table>,
    pub(crate) tables: Option<Arc<Tablebase>>,
    pub(crate) signals: Arc<Signals>,
    pub(crate) listener: Arc<dyn Listener>,
    /// When it was asked for: the clock runs since then.
    pub(crate) start: Instant,
}

impl Go {
    /// Does it, and gives the answer.
    pub(crate) fn run(&self, state: &mut EngineState) {
        let allotted = self.allotted();
        self.listener.hear(Event::Begun(allotted));
        self.table.new_generation();
        let concerns_memory = recall::concerns(self.game.position());
        let recollected = match state.memory.as_mut() {
            Some(memory) if concerns_memory => self.recall(memory, allotted),
            _ => Recollected::default(),
        };
        let Recollected { used, known, .. } = &recollected;
        let (log, answer) = self.search(&mut state.searcher, allotted, &recollected);
        self.signals.wait(self.asked.infinite);
        self.answer(log.last.as_ref().or(known.as_ref()), &answer);
        let searched = log.searched(&self.game, &answer, &mut state.previous);
        // Of some moves only, a score says nothing about the position.
        let is_whole = self.asked.moves.is_empty();
        if let Some(memory) = state.memory.as_mut().filter(|_| concerns_memory && is_whole && answer.nodes > 0) {
            memory.learn(self.game.position(), &self.table, searched, used.clone());
        }
    }

    fn allotted(&self) -> Option<Allotted> {
        let mut allotted = self.asked.clock.allot(self.settings.overhead).filter(|_| !self.asked.infinite)?;
        let mut replies = Vec::new();
        self.game.position().legal_moves(&mut replies);
        if replies.len() == 1 {
            // There is nothing to choose: only the score is worth a look.
            allotted.soft = allotted.soft.map(|soft| soft / 20);
        }
        Some(allotted)
    }

    /// Puts what the memory knows into the table and tells what it was.
    fn recall(&self, memory: &mut Memory, allotted: Option<Allotted>) -> Recollected {
        // A game's clock is not for reading files.
        let most = allotted.map_or(Duration::MAX, |time| time.soft.unwrap_or(time.hard) / 10);
        let time = self.settings.recall_budget.min(most);
        self.wait_for_lessons(memory, time);
        let budget = Budget { time, ..Budget::ANALYSING };
        match memory.recall_until(self.game.position(), &self.table, budget, &self.signals.stop) {
            Ok(recalled) => {
                self.listener.hear(Event::Recalled(&recalled));
                let position = self.game.position();
                let known = recall::known(position, &self.table, &recalled, self.start.elapsed());
                if let Some(info) = &known {
                    self.listener.hear(Event::Known(position, info));
                }
                let goes_on = recall::goes_on(memory.policy());
                Recollected { entries: recalled.entries, used: recalled.used, known, goes_on }
            }
            Err(error) => {
                self.listener.hear(Event::MemoryFailed(&error));
                Recollected::default()
            }
        }
    }

    /// What the last search learned is to be known to this one; not beyond this time, and not after a stop.
    fn wait_for_lessons(&self, memory: &mut Memory, time: Duration) {
        const MOMENT: Duration = Duration::from_millis(10);
        let start = Instant::now();
        while !tell_learned(memory, time.min(MOMENT), &*self.listener)
            && start.elapsed() < time
            && !self.signals.is_stopped()
        {}
    }

    fn search(
        &self,
        searcher: &mut Searcher,
        allotted: Option<Allotted>,
        recollected: &Recollected,
    ) -> (IterationLog, SearchOutcome) {
        let position = self.game.position();
        let mut log = IterationLog::default();
        let spent = self.start.elapsed();
        let left = |limit: Duration| limit.saturating_sub(spent);
        let limits = Limits {
            depth: self.asked.depth,
            nodes: self.asked.nodes,
            mate: self.asked.mate,
            soft: allotted.and_then(|time| time.soft).map(left),
            hard: allotted.map(|time| left(time.hard)),
        };
        let moves = self.moves();
        let question = SearchRequest {
            position,
            before: self.game.before(),
            moves: &moves,
            limits,
            lines: self.settings.lines,
            first_depth: self.first_depth(recollected),
            recalled: recollected.entries > 0,
            tables: self.tables.as_deref(),
        };
        let mut telling = Telling { log: &mut log, position, listener: &*self.listener };
        let Signals { stop, pondering, .. } = &*self.signals;
        let answer = searcher.search(&question, &self.table, stop, pondering, &mut telling);
        (log, answer)
    }

    /// The moves to search; none for all. Where endgame tables know the way, those that lose nothing and make
    /// progress on it.
    fn moves(&self) -> Vec<Move> {
        let is_open = self.asked.moves.is_empty() && self.settings.lines == 1;
        let advice = self.tables.as_ref().filter(|_| is_open).and_then(|tables| tables.advise(self.game.position()));
        advice.map_or_else(|| self.asked.moves.clone(), |advice| advice.moves)
    }

    /// Where to go on: behind the depth that is known, as if this search had just reached it. Against a clock the moves are
    /// looked at from the beginning, since a deep iteration that does not come to its end gives nothing; and so they are
    /// by policies that remember in order to judge anew.
    fn first_depth(&self, recollected: &Recollected) -> u8 {
        let Recollected { known, goes_on, .. } = recollected;
        let known = known.as_ref().filter(|_| *goes_on);
        let is_analysis = self.asked.clock.left.is_none() && self.settings.lines == 1;
        let goes_on = is_analysis && self.asked.moves.is_empty() && !self.game.has_repetitions();
        let is_fit = |known: &&Info| goes_on && known.bound == Bound::Exact && !known.pv.is_empty();
        // A mate is found again sooner than one is looked for behind it.
        known.filter(is_fit).filter(|known| !WINS.is_mate(known.score)).map_or(1, |known| known.depth.saturating_add(1))
    }

    /// Tells the final line, without bounds, and the move. `last` is the last whole iteration's.
    fn answer(&self, last: Option<&Info>, answer: &SearchOutcome) {
        let position = self.game.position();
        let depth_and_score = match last {
            Some(last) if last.pv.first() == answer.best.as_ref() => (last.depth, last.score),
            _ if answer.depth == 0 && answer.best.is_some() => (0, crate::evaluate(position.board())),
            _ => (answer.depth, answer.score),
        };
        let info = Info {
            depth: depth_and_score.0,
            seldepth: last.map_or(0, |last| last.seldepth),
            line: 0,
            score: depth_and_score.1,
            bound: Bound::Exact,
            nodes: answer.nodes,
            time: self.start.elapsed(),
            hashfull: self.table.hashfull(),
            tbhits: answer.tbhits,
            pv: self.lengthened(&answer.pv, depth_and_score.0),
            tainted: answer.tainted,
        };
        self.listener.hear(Event::Line(position, &info));
        let ponder = answer.best.and_then(|best| {
            let after = position.after(best);
            info.pv.get(1).copied().filter(|&reply| after.is_legal(reply))
        });
        self.signals.note_answer();
        self.listener.hear(Event::Best { position, best: answer.best, ponder });
    }

    /// The answer of a search that broke down before it gave one: the table's move, or else any.
    pub(crate) fn answer_after_failure(&self) {
        self.signals.wait(self.asked.infinite);
        if self.signals.note_answer() {
            return;
        }
        let position = self.game.position();
        let mut moves = self.asked.moves.clone();
        if moves.is_empty() {
            position.legal_moves(&mut moves);
        }
        let known = recall::line(position, &self.table, 1).first().copied();
        let best = known.filter(|known| moves.contains(known)).or(moves.first().copied());
        self.listener.hear(Event::Best { position, best, ponder: None });
    }

    /// The line, going on with what the table knows where it is short: so there is a move to ponder on.
    fn lengthened(&self, pv: &[Move], depth: u8) -> Vec<Move> {
        let end = pv
            .iter()
            .try_fold(self.game.position().clone(), |position, &mv| position.is_legal(mv).then(|| position.after(mv)));
        let most = usize::from(depth).max(2).saturating_sub(pv.len());
        let more = end.filter(|_| !pv.is_empty()).map(|end| recall::line(&end, &self.table, most));
        pv.iter().copied().chain(more.unwrap_or_default()).collect()
    }
}

/// Tells what was learned since the last time, unless it takes longer than this to write it; says whether it did not.
pub(crate) fn tell_learned(memory: &mut Memory, patience: Duration, listener: &dyn Listener) -> bool {
    let outcome = memory.sync_within(patience);
    let is_written = outcome.is_some();
    if let Some(outcome) = outcome {
        tell_outcome(outcome, listener);
    }
    is_written
}

/// Tells what was learned, if it is anything, or why it was not.
pub(crate) fn tell_outcome(outcome: mnemon_memory::Result<Learned>, listener: &dyn Listener) {
    match outcome {
        Ok(learned) if learned != Learned::default() => listener.hear(Event::Learned(learned)),
        Ok(_) => {}
        Err(error) => listener.hear(Event::MemoryFailed(&error)),
    }
}

/// Counts move sequences, and tells how many begin with each move.
pub(crate) fn divide(position: &Position, depth: u8, signals: &Signals, listener: &dyn Listener) {
    let start = Instant::now();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut total = Some(0);
    for mv in moves.into_iter().filter(|_| depth > 0) {
        let count = counted(&position.after(mv), depth - 1, signals);
        if let Some(count) = count {
            listener.hear(Event::Divided(position, mv, count));
        }
        total = total.zip(count).map(|(total, count)| total + count);
    }
    let total = if depth == 0 { Some(1) } else { total };
    listener.hear(Event::Counted(total, start.elapsed()));
}

/// [`perft()`] that can be stopped; `None` if it was.
fn counted(position: &Position, depth: u8, signals: &Signals) -> Option<u64> {
    /// Counted within a moment.
    const AT_ONCE: u8 = 3;
    if signals.is_stopped() {
        return None;
    }
    if depth <= AT_ONCE {
        return Some(perft(position, depth));
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.into_iter().map(|mv| counted(&position.after(mv), depth - 1, signals)).sum()
}

//! Another engine over UCI as an analyst. It learns and remembers as behind the proxy: its finished iterations are kept, and
//! what is known comes first. Its own table cannot be filled.

mod learner;
mod search_log;

use std::time::{Duration, Instant};

use mnemon_chess::Position;
use mnemon_engine::GameHistory;
use mnemon_engine::search::Info;
use mnemon_memory::recall::{RecallSummary, RecalledRoot};
use mnemon_search::WINS;
use mnemon_uci::child::{ChildEngine, ChildError};
use mnemon_uci::observer::{self, Observer};
use mnemon_uci::remembered::{Reader, Remembered};
use mnemon_uci::{BestMove, EngineLine, GoCommand};

use super::analyst::{AnalysisObserver, Analyst, Findings, FindingsBuilder, TICK, Terms};
use super::engine_args::EngineSetup;
use super::limit::Limit;
use super::memory_args::EngineMemory;
use crate::{Result, progress};
use learner::Learner;
use search_log::{SearchLog, exact_bound};

/// How much longer than its time an engine may search before it is stopped.
const OVERTIME: Duration = Duration::from_secs(5);

/// An engine that has answered `uci`, with the memory.
pub(super) struct UciEngine {
    terms: Terms,
    engine: ChildEngine,
    name: String,
    memory: Option<EngineMemory>,
    /// How long it may take to answer `stop`.
    timeout: Duration,
}

impl UciEngine {
    /// Starts the engine and sets its options.
    pub(super) fn start(setup: &EngineSetup, terms: Terms, memory: Option<EngineMemory>) -> Result<Self> {
        let mut engine = ChildEngine::start(&setup.command, setup.timeout).map_err(explained)?;
        for (name, value) in &setup.options {
            engine.set_option(name, value)?;
        }
        engine.wait_ready()?;
        let name = engine.name().to_owned();
        Ok(UciEngine { terms, engine, name, memory, timeout: setup.timeout })
    }

    /// The game with its moves as the engine writes them.
    fn history(&mut self, game: &GameHistory) -> Result<observer::GameHistory> {
        let is_chess960 = game.position().is_chess960();
        if is_chess960 != self.engine.profile().is_chess960() {
            if self.engine.option("UCI_Chess960").is_none() {
                return Err(format!("the engine '{}' does not play Chess960", self.name).into());
            }
            self.engine.set_option("UCI_Chess960", &is_chess960.to_string())?;
        }
        let first = game.played().next().map_or_else(|| game.position().clone(), |(position, ..)| position);
        let mut history = observer::GameHistory::at(first.with_chess960(is_chess960));
        game.played().for_each(|(_, _, mv)| history.play(mv));
        Ok(history)
    }

    /// What the memory knows of the end of the game; `None` without a memory, or where it does not count.
    fn recall(&self, history: &observer::GameHistory) -> Result<Option<(Remembered, RecallSummary)>> {
        let profile = self.engine.profile();
        let (Some(memory), Some(source)) = (&self.memory, profile.source()) else { return Ok(None) };
        if !history.is_plain() || profile.obstacle().is_some() || !history.root().has_moves() {
            return Ok(None);
        }
        let start = Instant::now();
        let reader = Reader { source: source.clone(), trust: memory.trust.clone() };
        let lines = profile.multipv();
        let known = Remembered::read(&*memory.store, &reader, history, lines, Remembered::BUDGET)?;
        let root = match known.record() {
            Some(&value) => RecalledRoot { records: vec![(source, value)], value, ..RecalledRoot::default() },
            None => RecalledRoot::default(),
        };
        let (entries, time) = (known.positions(), start.elapsed());
        let summary = RecallSummary { entries, root, is_complete: true, time, ..RecallSummary::default() };
        Ok(Some((known, summary)))
    }

    /// Searches until the best move. What was found is learned also when the engine dies, which is the error then.
    fn search(
        &mut self,
        history: &observer::GameHistory,
        go: &GoCommand,
        builder: &mut FindingsBuilder,
        observer: &mut dyn AnalysisObserver,
    ) -> Result {
        let root = history.root();
        let moves: Vec<String> = history.played().iter().map(|(position, mv)| position.uci(*mv)).collect();
        let first = history.played().first().map_or(root, |(position, _)| position);
        self.engine.set_position(&first.to_string(), &moves)?;
        let mut learner = self.learner(history, go);
        let mut log = SearchLog::new(root);
        self.engine.start_search(go)?;
        let mut outcome = Ok(());
        let answer = self.listen(&mut log, &mut learner, go, &mut |heard| {
            if outcome.is_ok() {
                outcome = tell(heard, builder, observer);
            }
            outcome.is_ok()
        });
        if let Some(learner) = learner {
            let learned = progress::during("writing what was learned", || learner.finish(answer.is_ok()));
            builder.sound_depth = learned.depth;
            builder.learned.merged += learned.merged;
            builder.failures.extend(learned.failure);
        }
        let best = answer?;
        outcome?;
        for info in log.finish(go) {
            let sound_depth = builder.sound_depth;
            builder.iteration(info, observer)?;
            builder.sound_depth = sound_depth;
        }
        let (last, answer) = log.answer(&best).map_err(|why| format!("the engine '{}' {why}", self.name))?;
        (builder.last, builder.best) = (Some(last), Some(answer));
        Ok(())
    }

    fn learner(&self, history: &observer::GameHistory, go: &GoCommand) -> Option<Learner> {
        let memory = self.memory.as_ref().filter(|memory| memory.is_writable)?;
        let time = mnemon_memory::unix_time();
        let observer = Observer::new(history.clone(), go, self.engine.profile(), time)?;
        Some(Learner::start(observer, history.root().clone(), memory.store.clone()))
    }

    /// Takes the engine's lines until its best move. `tell` gets what they say, and returns whether to go on.
    fn listen(
        &mut self,
        log: &mut SearchLog<'_>,
        learner: &mut Option<Learner>,
        go: &GoCommand,
        tell: &mut dyn FnMut(Heard) -> bool,
    ) -> std::result::Result<BestMove, ChildError> {
        let start = Instant::now();
        let overtime = go.movetime.map(|time| Duration::from_millis(time.unsigned_abs()) + OVERTIME);
        let (mut stopped, mut goes_on): (Option<Instant>, bool) = (None, true);
        loop {
            let is_late = overtime.is_some_and(|time| start.elapsed() >= time);
            if stopped.is_none() && (!goes_on || is_late || self.is_interrupted()) {
                self.engine.send_stop()?;
                log.stop();
                learner.iter_mut().for_each(Learner::stop);
                stopped = Some(Instant::now());
            }
            match self.engine.poll_line(TICK)? {
                Some((EngineLine::BestMove(best), _)) => return Ok(best),
                Some((EngineLine::Info(info), at)) => {
                    learner.iter_mut().for_each(|learner| learner.hear(&info));
                    goes_on &= tell(log.hear(&info, at));
                }
                Some(_) => {}
                None => goes_on &= tell(Heard::default()),
            }
            if stopped.is_some_and(|stopped| stopped.elapsed() >= self.timeout) {
                let (engine, expected) = (self.name.clone(), "bestmove after stop");
                return Err(ChildError::Timeout { engine, expected, waited: self.timeout });
            }
        }
    }
}

/// What a moment of a search has brought.
#[derive(Default)]
struct Heard {
    /// The lines of an iteration that is finished now.
    finished: Vec<Info>,
    bound: Option<Info>,
}

fn tell(heard: Heard, builder: &mut FindingsBuilder, observer: &mut dyn AnalysisObserver) -> Result {
    for info in heard.finished {
        builder.iteration(info, observer)?;
    }
    match heard.bound {
        Some(bound) => observer.bound(&bound),
        None => observer.tick(),
    }
    Ok(())
}

/// Adds what may be wrong with a program that does not answer `uci`.
fn explained(error: ChildError) -> Box<dyn std::error::Error> {
    match error {
        ChildError::Timeout { .. } | ChildError::Exited { .. } => format!("{error}: is it a UCI engine?").into(),
        error => error.into(),
    }
}

impl Analyst for UciEngine {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn engine_name(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn clear(&mut self) -> Result {
        Ok(self.engine.new_game()?)
    }

    fn analyse(&mut self, game: GameHistory, observer: &mut dyn AnalysisObserver) -> Result<Findings> {
        let history = self.history(&game)?;
        let go = go_command(self.terms.limit);
        let mut builder = FindingsBuilder::default();
        let mut known = None;
        if let Some((remembered, summary)) = self.recall(&history)? {
            builder.recalled(summary, observer)?;
            for info in known_lines(&remembered) {
                builder.known(info, observer)?;
            }
            known = Some(remembered);
        }
        let covering = known.as_ref().filter(|known| known.covers(&go));
        let answer = covering.and_then(|known| Some((known_lines(known).next()?, known.lines().first()?)));
        if let Some((info, line)) = answer {
            builder.best = Some((line.moves.first().copied(), line.moves.get(1).copied()));
            builder.last = Some(info);
        } else if !history.root().has_moves() {
            (builder.best, builder.last) = (Some((None, None)), Some(end_of_game(history.root())));
        } else {
            self.search(&history, &go, &mut builder, observer)?;
        }
        builder.findings(history.root().clone()).ok_or_else(|| "the engine gave no answer".into())
    }
}

fn go_command(limit: Limit) -> GoCommand {
    let unlimited = GoCommand::default();
    match limit {
        Limit::Depth(depth) => GoCommand { depth: Some(depth), ..unlimited },
        Limit::Nodes(nodes) => GoCommand::nodes(nodes),
        Limit::Infinite => GoCommand { infinite: true, ..unlimited },
        Limit::Time(time) => GoCommand { movetime: i64::try_from(time.as_millis()).ok(), ..unlimited },
    }
}

/// The remembered lines as if a search had found them.
fn known_lines(known: &Remembered) -> impl Iterator<Item = Info> {
    known.lines().iter().enumerate().filter_map(|(number, line)| {
        // A mate is a claim of one bound, and said as it is.
        let (score, bound) = exact_bound(line.window)?;
        Some(Info { depth: line.depth, line: number, score, bound, pv: line.moves.clone(), ..search_log::blank() })
    })
}

/// The verdict on a position without a move.
fn end_of_game(position: &Position) -> Info {
    Info { score: if position.is_check() { WINS.lost_at(0) } else { 0 }, ..search_log::blank() }
}

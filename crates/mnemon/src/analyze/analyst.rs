//! One analysis after the other by one engine, reported to an observer on the caller's thread.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use mnemon_chess::{Move, Position};
use mnemon_engine::search::Info;
use mnemon_engine::{Engine, Event, GameHistory};
use mnemon_memory::Learned;
use mnemon_memory::policy::Policy;
use mnemon_memory::recall::RecallSummary;
use mnemon_table::Bound;

use super::limit::Limit;
use super::{Arguments, figures};
use crate::interrupt::Interrupt;
use crate::memory_hints::{self, Interface};
use crate::{Result, progress};

/// The bound on the time of a recall without a clock; with a clock the engine takes a tenth of the move's time.
const RECALL: Duration = Duration::from_secs(5);
/// The interval at which an observer's clock advances.
const TICK: Duration = Duration::from_millis(100);

/// Observes the progress of an analysis.
pub(super) trait AnalysisObserver {
    /// What the memory put into the table.
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

/// What the searching thread sends, or a Ctrl-C.
enum Message {
    Recalled(RecallSummary),
    Known(Info),
    Line(Info),
    Best(Option<Move>, Option<Move>),
    Learned(Learned),
    Failed(String),
    Interrupted,
}

/// An engine with its memory and its limit.
pub(super) struct Analyst {
    pub(super) limit: Limit,
    /// The memory's file; `None` without a memory.
    pub(super) memory: Option<PathBuf>,
    pub(super) policy: Policy,
    engine: Engine,
    messages: Receiver<Message>,
    interrupt: Interrupt,
}

impl Analyst {
    pub(super) fn new(arguments: &Arguments) -> Result<Self> {
        let opened = arguments.memory.open()?;
        let (sender, messages) = channel();
        let waker = sender.clone();
        let bytes = usize::try_from(arguments.hash << 20)?;
        let mut engine = Engine::new(bytes, Arc::new(move |event: Event<'_>| forward(&sender, event)))?;
        engine.set_threads(arguments.threads.into());
        engine.settings.lines = arguments.multipv.into();
        engine.settings.overhead = Duration::ZERO;
        engine.settings.recall_budget = RECALL;
        engine.set_trusted(arguments.memory.trusted().to_vec());
        let memory = opened.as_ref().map(|opened| opened.path.clone());
        let policy = opened.as_ref().map_or(Policy::Off, |opened| opened.policy);
        engine.set_memory(opened.map(|opened| (opened.store, opened.policy)));
        let interrupt = Interrupt::listen(move || _ = waker.send(Message::Interrupted))?;
        let limit = arguments.limit.limit(arguments.epd.is_some() || arguments.pgn.is_some());
        Ok(Analyst { limit, memory, policy, engine, messages, interrupt })
    }

    /// The memory's file.
    pub(super) fn memory(&self) -> Option<&Path> {
        self.memory.as_deref()
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupt.was_pressed()
    }

    /// Forgets what is in RAM, so that one position's analysis does not depend on those before it.
    pub(super) fn clear(&mut self) {
        self.engine.clear();
    }

    /// Analyses the position on the board of this game, and keeps what was found. If the observer fails, the search ends
    /// early, and what was found is kept all the same.
    pub(super) fn analyse(&mut self, game: GameHistory, observer: &mut dyn AnalysisObserver) -> Result<Findings> {
        let position = game.position().clone();
        self.engine.set_game(game);
        self.engine.go(self.limit.go_params());
        let mut builder = FindingsBuilder::default();
        let mut outcome = Ok(());
        while builder.best.is_none() {
            if self.is_interrupted() || outcome.is_err() {
                self.engine.stop();
            }
            match self.messages.recv_timeout(TICK) {
                Ok(message) => outcome = outcome.and(builder.take(message, observer)),
                Err(RecvTimeoutError::Timeout) => observer.tick(),
                Err(RecvTimeoutError::Disconnected) => return Err("the engine has gone".into()),
            }
        }
        self.engine.wait();
        progress::during("writing what was learned", || self.engine.settle());
        while let Ok(message) = self.messages.try_recv() {
            outcome = outcome.and(builder.take(message, observer));
        }
        outcome?;
        builder.findings(position).ok_or_else(|| "the engine gave no answer".into())
    }
}

/// Sends an engine's event to the thread that prints.
fn forward(sender: &Sender<Message>, event: Event<'_>) {
    let message = match event {
        Event::Recalled(recalled) => Message::Recalled(recalled.clone()),
        Event::Known(_, info) => Message::Known(info.clone()),
        // The recall's summary has what others say, and the best move shows whether the search agrees.
        Event::Hearsay(..) | Event::Disagrees { .. } => return,
        Event::Line(_, info) => Message::Line(info.clone()),
        Event::Best { best, ponder, .. } => Message::Best(best, ponder),
        Event::Learned(learned) => Message::Learned(learned),
        Event::MemoryFailed(error) | Event::MemoryNotOpened(error) => {
            Message::Failed(memory_hints::explain(error, Interface::CommandLine))
        }
        Event::Failed(why) => Message::Failed(why.to_owned()),
        Event::NotStarted(error) => Message::Failed(format!("the system gives no thread for the search ({error})")),
        Event::FewerThreads { started, asked } => Message::Failed(format!(
            "the system gives no memory or processes for more: {started} of {asked} threads search"
        )),
        Event::MemoryReadOnly(error) => Message::Failed(memory_hints::reading_only(error)),
        // An analysis opens its memory before the engine has it, and plays no game.
        Event::MemoryOpening | Event::GameLearned { .. } => return,
        // An analysis has no book.
        Event::BookMove(..) | Event::BookRefuted(..) => return,
        Event::Begun(_) | Event::Progress(..) | Event::Divided(..) | Event::Counted(..) => return,
    };
    // The receiver is gone if the printing has failed.
    let _ = sender.send(message);
}

/// What one analysis has given so far.
#[derive(Default)]
struct FindingsBuilder {
    recalled: Option<RecallSummary>,
    known: Option<Info>,
    first_depth: Option<u8>,
    sound_depth: Option<u8>,
    lines: Vec<Info>,
    last: Option<Info>,
    best: Option<(Option<Move>, Option<Move>)>,
    learned: Learned,
    failures: Vec<String>,
}

impl FindingsBuilder {
    fn take(&mut self, message: Message, observer: &mut dyn AnalysisObserver) -> Result {
        match message {
            Message::Recalled(recalled) => {
                observer.recalled(&recalled)?;
                self.recalled = Some(recalled);
            }
            Message::Known(info) => {
                observer.known(&info)?;
                if info.line == 0 {
                    self.known = Some(info);
                }
            }
            Message::Line(info) => self.line(info, observer)?,
            Message::Best(best, ponder) => self.best = Some((best, ponder)),
            Message::Learned(learned) => self.learned += learned,
            Message::Failed(why) => self.failures.push(why),
            Message::Interrupted => {}
        }
        Ok(())
    }

    fn line(&mut self, info: Info, observer: &mut dyn AnalysisObserver) -> Result {
        if info.bound != Bound::Exact {
            observer.bound(&info);
        } else if self.is_iteration(&info) {
            if info.line == 0 {
                self.first_depth.get_or_insert(info.depth);
                self.sound_depth = Some(info.depth).filter(|_| !info.tainted).or(self.sound_depth);
                self.lines.clear();
            }
            self.lines.push(info.clone());
            observer.iteration(&info)?;
        }
        self.last = Some(info);
        Ok(())
    }

    /// Whether an exact line is a new iteration: the last line of a search repeats that of the last iteration or of the
    /// memory.
    fn is_iteration(&self, info: &Info) -> bool {
        let known = self.known.as_ref().map_or(0, |known| known.depth);
        match self.lines.last() {
            Some(last) if info.line > 0 => info.depth == last.depth && info.line == last.line + 1,
            Some(last) => info.depth == last.depth + 1,
            None => info.nodes > 0 && info.line == 0 && (info.depth == 1 || info.depth == known.saturating_add(1)),
        }
    }

    fn findings(self, position: Position) -> Option<Findings> {
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

//! Our own engine as an analyst: what it recalls enters its table.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use mnemon_chess::Move;
use mnemon_engine::search::Info;
use mnemon_engine::{Engine, Event, GameHistory};
use mnemon_memory::Learned;
use mnemon_memory::recall::RecallSummary;
use mnemon_table::Bound;

use super::Arguments;
use super::analyst::{AnalysisObserver, Analyst, Findings, FindingsBuilder, TICK, Terms};
use super::memory_args::OpenMemory;
use crate::memory_hints::{self, Interface};
use crate::{Result, progress};

/// The bound on the time of a recall without a clock; with a clock the engine takes a tenth of the move's time.
const RECALL: Duration = Duration::from_secs(5);
/// The size of the table in MiB, unless another is asked for.
const HASH: u64 = 64;

/// What the searching thread sends.
enum Message {
    Recalled(RecallSummary),
    Known(Info),
    Line(Info),
    Best(Option<Move>, Option<Move>),
    Learned(Learned),
    Failed(String),
}

/// Our engine with its memory.
pub(super) struct OwnEngine {
    terms: Terms,
    engine: Engine,
    messages: Receiver<Message>,
}

impl OwnEngine {
    pub(super) fn new(arguments: &Arguments, terms: Terms, memory: Option<OpenMemory>) -> Result<Self> {
        let (sender, messages) = channel();
        let bytes = usize::try_from(arguments.hash.unwrap_or(HASH) << 20)?;
        let mut engine = Engine::new(bytes, Arc::new(move |event: Event<'_>| forward(&sender, event)))?;
        engine.set_threads(arguments.threads.unwrap_or(1).into());
        engine.settings.lines = arguments.multipv.into();
        engine.settings.overhead = Duration::ZERO;
        engine.settings.recall_budget = RECALL;
        engine.set_trusted(arguments.memory.trusted().to_vec());
        engine.set_memory(memory.map(|opened| (opened.store, opened.policy)));
        Ok(OwnEngine { terms, engine, messages })
    }
}

impl Analyst for OwnEngine {
    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn clear(&mut self) -> Result {
        self.engine.clear();
        Ok(())
    }

    fn analyse(&mut self, game: GameHistory, observer: &mut dyn AnalysisObserver) -> Result<Findings> {
        let position = game.position().clone();
        self.engine.set_game(game);
        self.engine.go(self.terms.limit.go_params());
        let mut builder = FindingsBuilder::default();
        let mut outcome = Ok(());
        while builder.best.is_none() {
            if self.is_interrupted() || outcome.is_err() {
                self.engine.stop();
            }
            match self.messages.recv_timeout(TICK) {
                Ok(message) => outcome = outcome.and(take(&mut builder, message, observer)),
                Err(RecvTimeoutError::Timeout) => observer.tick(),
                Err(RecvTimeoutError::Disconnected) => return Err("the engine has gone".into()),
            }
        }
        self.engine.wait();
        progress::during("writing what was learned", || self.engine.settle());
        while let Ok(message) = self.messages.try_recv() {
            outcome = outcome.and(take(&mut builder, message, observer));
        }
        outcome?;
        builder.findings(position).ok_or_else(|| "the engine gave no answer".into())
    }
}

fn take(builder: &mut FindingsBuilder, message: Message, observer: &mut dyn AnalysisObserver) -> Result {
    match message {
        Message::Recalled(recalled) => builder.recalled(recalled, observer)?,
        Message::Known(info) => builder.known(info, observer)?,
        Message::Line(info) => {
            builder.last = Some(info.clone());
            if info.bound != Bound::Exact {
                observer.bound(&info);
            } else if builder.is_iteration(&info) {
                builder.iteration(info, observer)?;
            }
        }
        Message::Best(best, ponder) => builder.best = Some((best, ponder)),
        Message::Learned(learned) => builder.learned += learned,
        Message::Failed(why) => builder.failures.push(why),
    }
    Ok(())
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

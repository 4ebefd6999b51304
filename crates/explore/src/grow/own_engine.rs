//! Our own engine as an evaluator.
//!
//! It has no memory of its own here: the explorer learns what it finds. Its table stays from one position to the next, so
//! that neighbours help each other.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use mnemon_chess::{Position, to_code};
use mnemon_engine::search::Info;
use mnemon_engine::{Clock, Engine, Event, GameHistory, GoParams};
use mnemon_memory::{Line, Source};
use mnemon_table::{Bound, Window};

use super::evaluator::{Budget, Evaluation, Evaluator, EvaluatorError, Request, Stop};

/// The engine of this program.
pub struct EngineEvaluator {
    engine: Engine,
    source: Source,
    budget: Budget,
    heard: Arc<Mutex<Heard>>,
    ended: Receiver<()>,
}

/// What the engine has reported of its search.
#[derive(Default)]
struct Heard {
    last: Option<Info>,
    failure: Option<String>,
}

impl EngineEvaluator {
    /// An engine with a table of `table_bytes` and one thread.
    ///
    /// # Errors
    /// A table that does not fit.
    pub fn new(table_bytes: usize, budget: Budget) -> Result<Self, EvaluatorError> {
        let heard: Arc<Mutex<Heard>> = Arc::default();
        let (sender, ended) = channel();
        let engine = Engine::new(table_bytes, Arc::new(listener(Arc::clone(&heard), sender)))?;
        Ok(EngineEvaluator { engine, source: Engine::source(), budget, heard, ended })
    }

    fn params(&self, request: &Request<'_, Position>) -> GoParams {
        let params = GoParams { moves: request.moves.to_vec(), ..GoParams::default() };
        match self.budget {
            Budget::Nodes(nodes) => GoParams { nodes: Some(nodes), ..params },
            Budget::Time(time) => {
                let move_time = Some(i64::try_from(time.as_millis()).unwrap_or(i64::MAX));
                GoParams { clock: Clock { move_time, ..Clock::default() }, ..params }
            }
        }
    }

    fn take_heard(&self) -> Heard {
        std::mem::take(&mut self.heard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn listener(heard: Arc<Mutex<Heard>>, ended: Sender<()>) -> impl Fn(Event<'_>) + Send + Sync {
    let ended = Mutex::new(ended);
    move |event| {
        let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Line(_, info) if info.bound == Bound::Exact && info.line == 0 => heard.last = Some(info.clone()),
            Event::Failed(why) => heard.failure = Some(why.to_owned()),
            Event::NotStarted(error) => heard.failure = Some(error.to_string()),
            // The receiver is gone only with the evaluator.
            Event::Best { .. } => _ = ended.lock().unwrap_or_else(PoisonError::into_inner).send(()),
            _ => {}
        }
    }
}

impl Evaluator<Position> for EngineEvaluator {
    fn source(&self) -> &Source {
        &self.source
    }

    fn search(&mut self, request: &Request<'_, Position>, stop: &Stop) -> Result<Option<Evaluation>, EvaluatorError> {
        self.take_heard();
        while self.ended.try_recv().is_ok() {}
        self.engine.set_game(GameHistory::from(request.position.clone()));
        let params = self.params(request);
        self.engine.go(params);
        while self.ended.recv_timeout(Stop::POLL) == Err(RecvTimeoutError::Timeout) {
            if stop.is_set() {
                self.engine.stop();
            }
        }
        self.engine.wait();
        let heard = self.take_heard();
        match heard.failure {
            Some(why) => Err(EvaluatorError::Failed(why)),
            None if stop.is_set() => Ok(None),
            None => Ok(Some(heard.last.map_or_else(Evaluation::default, |info| evaluation(&info)))),
        }
    }
}

/// What a last line says. A score that depends on more than the position is not kept.
fn evaluation(info: &Info) -> Evaluation {
    let is_kept = !info.tainted && info.depth > 0 && !info.pv.is_empty();
    let line = Line::new(Window::exact(info.score), info.pv.iter().map(|&mv| to_code(mv).get()));
    let lines = if is_kept { vec![line] } else { Vec::new() };
    Evaluation { lines, depth: info.depth, nodes: info.nodes, ..Evaluation::default() }
}

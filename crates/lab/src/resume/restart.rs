//! One analysis by an engine that exists for it alone: nothing but files outlives it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mnemon_chess::Position;
use mnemon_engine::{Engine, Event, GameHistory, GoParams};
use mnemon_memory::policy::Policy;
use mnemon_memory::{Access, open};
use mnemon_table::{Bound, Score};

use crate::Result;

/// What an engine finds on disk when it is started.
#[derive(Clone, Copy)]
pub(super) enum Persisted<'p> {
    /// Nothing, and it leaves nothing there.
    Nothing,
    /// A memory, empty or not, which it also learns into.
    Memory(&'p Path, Policy),
    /// The table that another engine saved.
    Table(&'p Path),
}

/// The result of an analysis, and its cost.
#[derive(Clone, Debug, Default)]
pub(super) struct AnalysisResult {
    pub(super) nodes: u64,
    /// From opening the files, before the engine is created, to its best move.
    pub(super) time: Duration,
    pub(super) depth: u8,
    pub(super) score: Score,
    /// The best move in SAN.
    pub(super) best: String,
    /// Each completed iteration: its depth, and nodes and time up to its end.
    pub(super) iterations: Vec<(u8, u64, Duration)>,
}

impl AnalysisResult {
    /// Nodes and time up to the end of this iteration; the totals if there was none of this depth.
    pub(super) fn up_to(&self, depth: u8) -> (u64, Duration) {
        let iteration = self.iterations.iter().find(|iteration| iteration.0 == depth);
        iteration.map_or((self.nodes, self.time), |&(_, nodes, time)| (nodes, time))
    }

    fn note(&mut self, event: &Event<'_>, elapsed: Duration) {
        match event {
            Event::Line(_, info) if info.bound == Bound::Exact => {
                (self.nodes, self.depth, self.score) = (info.nodes, info.depth, info.score);
                self.iterations.push((info.depth, info.nodes, elapsed));
            }
            Event::Best { position, best, .. } => {
                self.best = best.map_or_else(String::new, |best| position.san(best));
                self.time = elapsed;
            }
            _ => {}
        }
    }
}

/// The parameters of an analysis.
pub(super) struct Analysis {
    pub(super) hash_bytes: usize,
    pub(super) depth: u8,
}

impl Analysis {
    /// Starts an engine, analyses the position with it, and drops it. At the end it saves its table to `save`.
    pub(super) fn run(
        &self,
        position: &Position,
        persisted: Persisted<'_>,
        save: Option<&Path>,
    ) -> Result<AnalysisResult> {
        let start = Instant::now();
        let result = Arc::new(Mutex::new(AnalysisResult::default()));
        let shared = Arc::clone(&result);
        let listener = move |event: Event<'_>| {
            shared.lock().unwrap_or_else(PoisonError::into_inner).note(&event, start.elapsed());
        };
        let mut engine = Engine::new(self.hash_bytes, Arc::new(listener))?;
        engine.settings = mnemon_engine::Settings { recall_budget: Duration::from_secs(60), ..engine.settings };
        match persisted {
            Persisted::Nothing => {}
            Persisted::Memory(path, policy) => engine.set_memory(Some((open(path, Access::Create)?, policy))),
            Persisted::Table(path) => engine.load_table(path)?,
        }
        engine.set_game(GameHistory::new(position.clone(), [])?);
        engine.go(GoParams { depth: Some(self.depth), ..GoParams::default() });
        engine.wait();
        engine.settle();
        save.map_or(Ok(()), |path| engine.save_table(path))?;
        drop(engine);
        let result = result.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(result)
    }
}

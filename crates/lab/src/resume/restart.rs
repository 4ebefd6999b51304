//! One analysis by an engine that is made for it and dropped after it: nothing but files outlives it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mnemon_chess::Position;
use mnemon_engine::{Engine, Event, GameHistory, GoParams};
use mnemon_memory::policy::Policy;
use mnemon_memory::{Access, open};
use mnemon_table::{Bound, Score};

use crate::Result;

/// What an engine finds on the disk when it is started.
#[derive(Clone, Copy)]
pub(super) enum Left<'p> {
    /// Nothing, and it leaves nothing behind.
    Nothing,
    /// A memory, empty or not, which it also learns into.
    Memory(&'p Path, Policy),
    /// The table that another engine has saved.
    Table(&'p Path),
}

/// What the analysis gave.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub(super) nodes: u64,
    /// From the opening of the files, before the engine is there, to its answer.
    pub(super) time: Duration,
    pub(super) depth: u8,
    pub(super) score: Score,
    /// As players write it.
    pub(super) best: String,
    /// The depth that was known before the search.
    pub(super) known: Option<u8>,
    /// Each finished iteration: its depth, and nodes and time by then.
    pub(super) iterations: Vec<(u8, u64, Duration)>,
}

impl Found {
    /// Nodes and time when this depth was finished; those of all if it was not searched.
    pub(super) fn by(&self, depth: u8) -> (u64, Duration) {
        let iteration = self.iterations.iter().find(|iteration| iteration.0 == depth);
        iteration.map_or((self.nodes, self.time), |&(_, nodes, time)| (nodes, time))
    }

    fn hear(&mut self, event: &Event<'_>, elapsed: Duration) {
        match event {
            Event::Known(_, info) => self.known = Some(info.depth),
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

/// How to analyse.
pub(super) struct Analysis {
    pub(super) hash_bytes: usize,
    pub(super) depth: u8,
}

impl Analysis {
    /// Starts an engine, has it analyse the position, and drops it. `save` is where it leaves its table at the end.
    pub(super) fn run(&self, position: &Position, left: Left<'_>, save: Option<&Path>) -> Result<Found> {
        let start = Instant::now();
        let found = Arc::new(Mutex::new(Found::default()));
        let heard = Arc::clone(&found);
        let listener = move |event: Event<'_>| {
            heard.lock().unwrap_or_else(PoisonError::into_inner).hear(&event, start.elapsed());
        };
        let mut engine = Engine::new(self.hash_bytes, Arc::new(listener))?;
        engine.settings = mnemon_engine::Settings { recall_budget: Duration::from_secs(60), ..engine.settings };
        match left {
            Left::Nothing => {}
            Left::Memory(path, policy) => engine.set_memory(Some((open(path, Access::Create)?, policy))),
            Left::Table(path) => engine.load_table(path)?,
        }
        engine.set_game(GameHistory::new(position.clone(), [])?);
        engine.go(GoParams { depth: Some(self.depth), ..GoParams::default() });
        engine.wait();
        engine.settle();
        save.map_or(Ok(()), |path| engine.save_table(path))?;
        drop(engine);
        let found = found.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(found)
    }
}

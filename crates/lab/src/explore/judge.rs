//! The judge: one search of ten times the nodes, for the two best lines.

use std::sync::{Arc, Mutex, PoisonError};

use mnemon_chess::{Move, Position};
use mnemon_engine::search::Info;
use mnemon_engine::{Engine, Event, GameHistory, GoParams};
use mnemon_memory::Store;
use mnemon_memory::policy::{Policy, Resume};
use mnemon_table::{Bound, Score};

use super::{Arguments, JUDGE_FACTOR};
use crate::{LabError, Result, mebibytes};

/// What the judge says of a position.
#[derive(Clone, Debug)]
pub(super) struct Judgement {
    pub(super) best: Move,
    pub(super) score: Score,
    /// The second best move and its score; `None` if there is only one move.
    pub(super) second: Option<(Move, Score)>,
}

/// Searches a position with a new engine; returns its exact lines in the order in which they came. With a store, the engine
/// learns what it found.
pub(super) fn search(
    arguments: &Arguments,
    position: &Position,
    nodes: u64,
    lines: usize,
    store: Option<Arc<dyn Store>>,
) -> Result<Vec<Info>> {
    let infos: Arc<Mutex<Vec<Info>>> = Arc::default();
    let log = Arc::clone(&infos);
    let listener = move |event: Event<'_>| {
        if let Event::Line(_, info) = event
            && info.bound == Bound::Exact
        {
            log.lock().unwrap_or_else(PoisonError::into_inner).push(info.clone());
        }
    };
    let mut engine = Engine::new(mebibytes(arguments.hash), Arc::new(listener))?;
    engine.set_memory(store.map(|store| (store, Policy::Resume(Resume::default()))));
    engine.settings.lines = lines;
    engine.set_game(GameHistory::from(position.clone()));
    engine.go(GoParams { nodes: Some(nodes), ..GoParams::default() });
    engine.wait();
    engine.settle();
    drop(engine);
    let infos = std::mem::take(&mut *infos.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(infos)
}

pub(super) fn judge(arguments: &Arguments, position: &Position) -> Result<Judgement> {
    let infos = search(arguments, position, arguments.nodes * JUDGE_FACTOR, 2, None)?;
    let last = |line: usize| infos.iter().rev().find(|info| info.line == line && !info.pv.is_empty());
    let no_move = || LabError::NoMove { fen: position.to_string() };
    let best = last(0).ok_or_else(no_move)?;
    let best_move = *best.pv.first().ok_or_else(no_move)?;
    // Of the last iterations, the one with another first move.
    let second = infos.iter().rev().find(|info| info.line == 1 && info.pv.first() != Some(&best_move));
    let second = second.and_then(|info| Some((*info.pv.first()?, info.score)));
    Ok(Judgement { best: best_move, score: best.score, second })
}

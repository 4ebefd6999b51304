//! The engines that search, one for each worker.

use mnemon_chess::Position;
use mnemon_connect4::Board;
use mnemon_explore::grow::{EngineEvaluator, Evaluator, SolverEvaluator, UciEvaluator};
use mnemon_uci::child::EngineCommand;

use super::Arguments;
use crate::{Result, UsageError};

/// The engines of an exploration.
pub(super) type Engines<G> = Vec<Box<dyn Evaluator<G>>>;

/// The UCI engines that were named, or else our own; the workers take them in turn.
pub(super) fn chess(arguments: &Arguments) -> Result<Engines<Position>> {
    let (workers, budget) = (arguments.workers()?, arguments.budget());
    let mut engines: Engines<Position> = Vec::new();
    for worker in 0..workers {
        if arguments.engine.is_empty() {
            engines.push(Box::new(EngineEvaluator::new(bytes(arguments)?, budget)?));
            continue;
        }
        let text = &arguments.engine[worker % arguments.engine.len()];
        let command = EngineCommand::parse(text).ok_or_else(|| UsageError("--engine needs a command".to_owned()))?;
        engines.push(Box::new(UciEvaluator::start(command, arguments.option.clone(), budget)?));
    }
    Ok(engines)
}

/// The solver.
pub(super) fn connect4<const WIDTH: usize, const HEIGHT: usize>(
    arguments: &Arguments,
) -> Result<Engines<Board<WIDTH, HEIGHT>>> {
    let mut engines: Engines<Board<WIDTH, HEIGHT>> = Vec::new();
    for _ in 0..arguments.workers()? {
        engines.push(Box::new(SolverEvaluator::new(bytes(arguments)?, arguments.budget())?));
    }
    Ok(engines)
}

fn bytes(arguments: &Arguments) -> Result<usize> {
    Ok(usize::try_from(arguments.hash << 20)?)
}

//! The methods: one long search, and trees that grow by two selectors.

use std::sync::Arc;

use mnemon_chess::{Move, Position, from_code, to_code};
use mnemon_engine::Engine;
use mnemon_explore::grow::{
    Budget, DropOut, EngineEvaluator, EvalDecay, Evaluator, Explorer, Next, Selector, Settings, Side, Stop,
};
use mnemon_memory::{Content, RamStore, Record, Store};
use mnemon_search::Game;
use mnemon_table::Score;

use super::judge::{self, Judgement};
use super::{Arguments, CHECKPOINTS};
use crate::{LabError, Result, mebibytes};

/// How the nodes are spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    LongSearch,
    DropOut,
    EvalDecay,
}

/// The best move and the value at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) best: Move,
    pub(super) score: Score,
}

/// What a method gave.
pub(super) struct MethodResult {
    /// After each part of the nodes; `None` where there was no answer yet.
    pub(super) answers: [Option<Answer>; CHECKPOINTS.len()],
    pub(super) nodes: u64,
    /// The positions that were searched by themselves.
    pub(super) searched: usize,
    /// What the memory says of the second best move.
    pub(super) second: SecondMove,
}

/// What a memory knows of the judge's second best move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SecondMove {
    /// Its exact value, for the side to move at the root.
    pub(super) score: Option<Score>,
    /// Whether at least a bound of its value is known.
    pub(super) is_known: bool,
    /// Whether a reply to it is known.
    pub(super) has_reply: bool,
}

impl Method {
    pub(super) const ALL: [Method; 3] = [Method::LongSearch, Method::DropOut, Method::EvalDecay];

    pub(super) fn name(self) -> &'static str {
        match self {
            Method::LongSearch => "one long search",
            Method::DropOut => "drop-out",
            Method::EvalDecay => "decay",
        }
    }

    /// Spends the nodes on a position.
    pub(super) fn run(self, arguments: &Arguments, position: &Position, judgement: &Judgement) -> Result<MethodResult> {
        let selector: Box<dyn Selector<Position>> = match self {
            Method::LongSearch => return long_search(arguments, position, judgement),
            Method::DropOut => Box::new(DropOut::new(Side::Both)),
            Method::EvalDecay => Box::new(EvalDecay::default()),
        };
        grown_tree(arguments, position, judgement, selector)
    }
}

fn long_search(arguments: &Arguments, position: &Position, judgement: &Judgement) -> Result<MethodResult> {
    let store: Arc<dyn Store> = Arc::new(RamStore::new());
    let infos = judge::search(arguments, position, arguments.nodes, 1, Some(Arc::clone(&store)))?;
    let by = |nodes: u64| {
        let info = infos.iter().rev().find(|info| info.nodes <= nodes + nodes / 50)?;
        Some(Answer { best: *info.pv.first()?, score: info.score })
    };
    let nodes = infos.last().map_or(0, |info| info.nodes);
    let mut answers = arguments.checkpoints().map(by);
    // The end of the search is the answer, whatever it counts.
    let last = infos.last().and_then(|info| Some(Answer { best: *info.pv.first()?, score: info.score }));
    answers[CHECKPOINTS.len() - 1] = last;
    let second = second_move(&*store, position, judgement)?;
    Ok(MethodResult { answers, nodes, searched: 1, second })
}

fn grown_tree(
    arguments: &Arguments,
    position: &Position,
    judgement: &Judgement,
    selector: Box<dyn Selector<Position>>,
) -> Result<MethodResult> {
    let store: Arc<dyn Store> = Arc::new(RamStore::new());
    let mut engine = EngineEvaluator::new(mebibytes(arguments.hash), Budget::Nodes(arguments.each))?;
    let settings = Settings {
        selector,
        most_plies: u16::MAX,
        sources: vec![engine.source().clone()],
        leases: None,
        requests: None,
    };
    let mut explorer = Explorer::open(Arc::clone(&store), position.clone(), settings)?;
    let (stop, checkpoints) = (Stop::default(), arguments.checkpoints());
    let (mut nodes, mut answers) = (0, [None; CHECKPOINTS.len()]);
    while let Next::Search(job) = explorer.next(engine.source())? {
        let found = engine.search(&job.request(), &stop)?.unwrap_or_default();
        if nodes + found.nodes > arguments.nodes + arguments.each / 2 {
            break;
        }
        nodes += found.nodes;
        explorer.learn(&job, &found, engine.source())?;
        let now = answer(&explorer, position);
        for (answer, checkpoint) in answers.iter_mut().zip(checkpoints) {
            if nodes <= checkpoint + arguments.each / 2 {
                *answer = now;
            }
        }
    }
    let second = second_move(&*store, position, judgement)?;
    Ok(MethodResult { answers, nodes, searched: explorer.graph().len(), second })
}

/// The root's best move by the tree.
fn answer(explorer: &Explorer<Position>, position: &Position) -> Option<Answer> {
    let overview = explorer.overview();
    Some(Answer { best: position.parse_san(overview.line.first()?).ok()?, score: overview.score? })
}

/// What the memory knows of the second best move: by a record behind it, or by a line that begins with it.
fn second_move(store: &dyn Store, position: &Position, judgement: &Judgement) -> Result<SecondMove> {
    let Some((mv, _)) = judgement.second else { return Ok(SecondMove::default()) };
    let mut second = SecondMove::default();
    if let Some(record) = record(store, &position.after(mv))? {
        let above = record.from_parent();
        let (window, _) = above.window();
        second.is_known = !window.is_unknown();
        second.score = (window.is_exact() && second.is_known).then_some(window.lower);
        second.has_reply = std::num::NonZeroU16::new(record.best).and_then(from_code).is_some();
    }
    let own = Engine::source();
    let sets = store.annotations(&Position::name(), &packed(position)).map_err(LabError::from)?;
    for (source, content) in sets {
        let Content::Lines(lines) = content else { continue };
        let all = lines.sets().iter().flat_map(|set| &set.lines);
        let line = all.filter(|_| source == own).find(|line| line.moves().first() == Some(&to_code(mv).get()));
        if let Some(line) = line {
            second.is_known = true;
            second.score = second.score.or(Some(line.window().lower));
            second.has_reply |= line.moves().len() > 1;
        }
    }
    Ok(second)
}

fn record(store: &dyn Store, position: &Position) -> Result<Option<Record>> {
    let mut found = None;
    store.get_many(&Position::name(), &[&packed(position)], &mut |_, _, record| found = Some(record))?;
    Ok(found)
}

fn packed(position: &Position) -> Vec<u8> {
    let mut bytes = Vec::new();
    position.pack(&mut bytes);
    bytes
}

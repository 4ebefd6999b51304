//! Any UCI engine as an evaluator. What it says is learned as the proxy learns it, by an [`Observer`].

use std::time::{Duration, Instant};

use mnemon_chess::{Move, Position, to_code};
use mnemon_memory::{Content, Line, Source, unix_time};
use mnemon_search::Game;
use mnemon_uci::child::{ChildEngine, ChildError, EngineCommand};
use mnemon_uci::observer::{EngineProfile, Findings, GameHistory, Observer};
use mnemon_uci::{EngineLine, GoCommand};

use super::evaluator::{Budget, Evaluation, Evaluator, EvaluatorError, Request, Stop};
use super::node::pack;

/// An engine in a process of its own.
pub struct UciEvaluator {
    command: EngineCommand,
    options: Vec<(String, String)>,
    budget: Budget,
    /// `None` after an error.
    engine: Option<ChildEngine>,
    profile: EngineProfile,
    source: Source,
    /// Whether it searches the moves of `searchmoves` alone; an engine that does not shows more lines instead.
    keeps_to_moves: bool,
    /// The lines that it shows at present.
    lines: usize,
}

/// How long an engine may take for an answer that is no search.
const ANSWER_TIME: Duration = Duration::from_secs(20);
/// How much longer than its time limit, and how long at all with a node limit, a search may take.
const PATIENCE: Duration = Duration::from_secs(30);
const LONGEST_SEARCH: Duration = Duration::from_secs(6 * 3600);

impl UciEvaluator {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    /// An engine that cannot be started, that has no such option, or from which nothing may be learned.
    pub fn start(
        command: EngineCommand,
        options: Vec<(String, String)>,
        budget: Budget,
    ) -> Result<Self, EvaluatorError> {
        let (engine, profile) = start(&command, &options)?;
        let unusable =
            |reason: &str| EvaluatorError::Unusable { engine: command.to_string(), reason: reason.to_owned() };
        if let Some(reason) = profile.obstacle() {
            return Err(unusable(reason));
        }
        let source = profile.source().ok_or_else(|| unusable("it has no name"))?;
        let engine = Some(engine);
        Ok(UciEvaluator { command, options, budget, engine, profile, source, keeps_to_moves: true, lines: 1 })
    }

    fn go(&self, request: &Request<'_, Position>) -> GoCommand {
        let searchmoves = request.moves.iter().map(|&mv| request.position.uci(mv)).collect();
        let go = GoCommand { searchmoves, ..GoCommand::default() };
        match self.budget {
            Budget::Nodes(nodes) => GoCommand { nodes: Some(nodes), ..go },
            Budget::Time(time) => {
                GoCommand { movetime: Some(i64::try_from(time.as_millis()).unwrap_or(i64::MAX)), ..go }
            }
        }
    }

    /// Has the engine show this many lines from now on; false if it cannot.
    fn show_lines(&mut self, engine: &mut ChildEngine, lines: usize) -> Result<bool, ChildError> {
        if lines == self.lines {
            return Ok(true);
        }
        match engine.set_option("MultiPV", &lines.to_string()) {
            Err(ChildError::NoOption { .. } | ChildError::BadValue { .. }) => return Ok(false),
            result => result?,
        }
        self.profile.set("MultiPV", Some(&lines.to_string()));
        self.lines = lines;
        Ok(true)
    }

    /// One search to its best move; `None` if it was stopped.
    fn run(
        &mut self,
        engine: &mut ChildEngine,
        request: &Request<'_, Position>,
        stop: &Stop,
    ) -> Result<Option<Searched>, EvaluatorError> {
        let go = self.go(request);
        let history = GameHistory::at(request.position.clone());
        let Some(mut observer) = Observer::new(history, &go, &self.profile, unix_time()) else {
            return Ok(Some(Searched::default()));
        };
        engine.set_position(&request.position.to_string(), &[])?;
        // Taken before the `go`, from which the engine's lines are timed: a deadline must not lie in the past.
        let (start, mut nodes) = (Instant::now(), 0);
        engine.start_search(&go)?;
        let longest = match self.budget {
            Budget::Nodes(_) => LONGEST_SEARCH,
            Budget::Time(time) => time + PATIENCE,
        };
        let best = loop {
            match engine.next_line((start.elapsed() + Stop::POLL).min(longest)) {
                Ok((EngineLine::BestMove(best), _)) => break best.mv,
                Ok((EngineLine::Info(info), _)) => {
                    nodes = info.nodes.unwrap_or(nodes).max(nodes);
                    observer.hear(&info);
                }
                Ok(_) => {}
                Err(ChildError::Timeout { .. }) if start.elapsed() < longest => {}
                Err(error) => return Err(error.into()),
            }
            if stop.is_set() {
                return Ok(None);
            }
        };
        Ok(Some(Searched { best, nodes, findings: Some(observer.finish()) }))
    }

    /// Searches with the engine, which is lost after an error or a stop.
    fn search_with(
        &mut self,
        engine: &mut ChildEngine,
        request: &Request<'_, Position>,
        stop: &Stop,
    ) -> Result<Option<Evaluation>, EvaluatorError> {
        let all = Request { moves: &[], ..*request };
        let is_rest = !request.moves.is_empty();
        if self.keeps_to_moves || !is_rest {
            self.show_lines(engine, 1)?;
            let Some(searched) = self.run(engine, request, stop)? else { return Ok(None) };
            let is_asked = |mv: &Move| request.moves.contains(mv);
            let best = request.position.parse_uci(&searched.best).ok();
            if !is_rest || best.as_ref().is_none_or(is_asked) {
                return Ok(Some(searched.evaluation(request.position)));
            }
            self.keeps_to_moves = false;
        }
        if !self.show_lines(engine, request.known_lines + 1)? {
            return Ok(Some(Evaluation::default()));
        }
        let searched = self.run(engine, &all, stop)?;
        Ok(searched.map(|searched| searched.evaluation(request.position)))
    }
}

/// What one `go` gave.
#[derive(Default)]
struct Searched {
    best: String,
    nodes: u64,
    /// `None` if nothing may be learned of the position.
    findings: Option<Findings>,
}

impl Searched {
    fn evaluation(self, position: &Position) -> Evaluation {
        let Some(findings) = self.findings else { return Evaluation { nodes: self.nodes, ..Evaluation::default() } };
        let (items, annotations) = (findings.items(), findings.annotations());
        let root = pack(position);
        let lines_of = |packed: &[u8]| {
            let here = annotations.iter().find(|annotation| *annotation.key.position == *packed);
            here.and_then(|annotation| match &annotation.content {
                Content::Lines(lines) => lines.sets().last().cloned(),
                Content::Note(_) => None,
            })
        };
        let record = items.iter().find(|item| item.key.position == root).map(|item| item.record);
        let (lines, depth) = match (lines_of(&root), record) {
            (Some(set), _) => (set.lines, set.depth),
            // Of a search of some of the moves the root has a record alone; the rest of its line is the child's.
            (None, Some(record)) if record.best != 0 && record.lower.is_known() => {
                let mut moves = vec![record.best];
                let mut legal = Vec::new();
                position.moves(&mut legal);
                let first = legal.into_iter().find(|&mv| to_code(mv).get() == record.best);
                let below = first.and_then(|mv| lines_of(&pack(&position.play(mv))));
                moves.extend(below.iter().flat_map(|set| &set.lines).flat_map(Line::moves));
                let score = mnemon_table::Window::exact(record.lower.score);
                (vec![Line::new(score, moves)], record.lower.depth)
            }
            _ => (Vec::new(), 0),
        };
        Evaluation { lines, depth, nodes: self.nodes, items, annotations, proven: None }
    }
}

impl Evaluator<Position> for UciEvaluator {
    fn source(&self) -> &Source {
        &self.source
    }

    fn search(&mut self, request: &Request<'_, Position>, stop: &Stop) -> Result<Option<Evaluation>, EvaluatorError> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => start(&self.command, &self.options)?.0,
        };
        let found = self.search_with(&mut engine, request, stop)?;
        match &found {
            Some(_) => self.engine = Some(engine),
            // Whatever it searches, it ends by `quit`, or is killed.
            None => engine.quit(),
        }
        Ok(found)
    }

    fn restart(&mut self) -> Result<(), EvaluatorError> {
        self.engine = None;
        let (engine, profile) = start(&self.command, &self.options)?;
        (self.engine, self.profile, self.lines) = (Some(engine), profile, 1);
        Ok(())
    }
}

/// A running engine with its options set, and what it has said of itself.
fn start(
    command: &EngineCommand,
    options: &[(String, String)],
) -> Result<(ChildEngine, EngineProfile), EvaluatorError> {
    let mut engine = ChildEngine::start(command, ANSWER_TIME)?;
    let mut profile = EngineProfile::new(&command.to_string());
    profile.hear(&EngineLine::IdName(engine.name().to_owned()));
    engine.options().iter().for_each(|option| profile.hear(&EngineLine::Option(option.clone())));
    for (name, value) in options {
        engine.set_option(name, value)?;
        profile.set(name, Some(value));
    }
    engine.new_game()?;
    Ok((engine, profile))
}

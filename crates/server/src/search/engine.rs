//! The thread of one search: starts the engine, tells what the memory knows, then what the engine finds, and learns it.

use std::time::{Duration, Instant};

use mnemon_explore::notation::Position;
use mnemon_memory::Trust;
use mnemon_uci::child::{ChildEngine, ChildError, EngineCommand};
use mnemon_uci::observer::{EngineProfile, Findings, Observer};
use mnemon_uci::remembered::{Reader, Remembered};
use mnemon_uci::{EngineLine, Info};

use super::event::{DoneEvent, LearnedReport, LineEvent};
use super::live::Search;
use super::request::SearchPlan;
use crate::app::App;
use crate::error::{ApiError, ApiResult};

/// How long an engine may take to start, to be ready and to stop.
const ANSWER_TIME: Duration = Duration::from_secs(20);
/// How often the flag to stop is looked at while the engine says nothing.
const POLL: Duration = Duration::from_millis(50);
/// How often what was found is written.
const FLUSH: Duration = Duration::from_millis(500);
/// How long a search goes on after the last of its listeners has left.
const ORPHAN_TIME: Duration = Duration::from_secs(30);
/// How much longer than it was told to an engine may search.
const GRACE: Duration = Duration::from_secs(1);

/// Runs the search to its end, and tells it.
pub(super) fn run(app: &App, search: &Search, command: &EngineCommand, plan: &SearchPlan) {
    let mut learned = LearnedReport::default();
    let done = match searched(app, search, command, plan, &mut learned) {
        Ok(reason) => DoneEvent { state: "done", reason, learned, ..DoneEvent::default() },
        Err(error) => DoneEvent {
            state: "failed",
            reason: "failed",
            message: Some(error.message),
            learned,
            ..DoneEvent::default()
        },
    };
    search.tell_done(done);
}

/// Why an engine failed, without what it was started by.
fn failure(search: &Search, error: &ChildError) -> ApiError {
    let name = &search.engine;
    let message = match error {
        ChildError::Start { .. } => format!("the engine '{name}' cannot be started"),
        ChildError::Exited { status, .. } => format!("the engine '{name}' has exited ({status})"),
        ChildError::Timeout { expected, waited, .. } => {
            format!("the engine '{name}' gave no {expected} within {waited:.0?}")
        }
        _ => format!("the engine '{name}' failed"),
    };
    ApiError::new(axum::http::StatusCode::BAD_GATEWAY, "engine_failed", message)
}

fn searched(
    app: &App,
    search: &Search,
    command: &EngineCommand,
    plan: &SearchPlan,
    learned: &mut LearnedReport,
) -> ApiResult<&'static str> {
    let failed = |error: ChildError| failure(search, &error);
    let position = app.games.read(&"chess".into(), &plan.game.root().to_string())?;
    let mut engine = ChildEngine::start(command, ANSWER_TIME).map_err(failed)?;
    let profile = configure(app, &mut engine, plan).map_err(failed)?;
    let depths = tell_remembered(app, search, plan, &profile, &*position)?;
    engine.wait_ready().map_err(failed)?;
    let fen = plan.command.fen.clone().unwrap_or_default();
    engine.set_position(&fen, &plan.command.moves).map_err(failed)?;
    let go = plan.go();
    let observer = Observer::new(plan.game.clone(), &go, &profile, mnemon_memory::unix_time());
    let mut listening = Listening { app, search, position: &*position, depths, observer, learned };
    engine.start_search(&go).map_err(failed)?;
    let end = listening.hear(&mut engine, Duration::from_secs(plan.seconds));
    let is_written = listening.finish(matches!(end, Ok(End::ByItself(_))));
    let reason = match end.map_err(failed)? {
        End::ByItself(reason) | End::Stopped(reason) => reason,
    };
    engine.quit();
    is_written.map(|()| reason)
}

/// Sets the engine's options, as far as it has them. Our own engine reads the served memory and leaves learning to us.
fn configure(app: &App, engine: &mut ChildEngine, plan: &SearchPlan) -> Result<EngineProfile, ChildError> {
    let mut profile = EngineProfile::new(engine.name());
    engine.options().iter().for_each(|option| profile.hear(&EngineLine::Option(option.clone())));
    let location = app.store.statistics().ok().and_then(|statistics| statistics.location);
    let is_own = engine.option("Memory File").is_some() && engine.option("Learning").is_some();
    let mut wanted = vec![
        ("Threads", plan.threads.to_string()),
        ("Hash", plan.hash.to_string()),
        ("MultiPV", plan.lines.to_string()),
    ];
    if plan.chess960 {
        wanted.push(("UCI_Chess960", "true".to_owned()));
    }
    if let (true, Some(location)) = (is_own, location) {
        wanted.push(("Memory File", location));
        wanted.push(("Learning", "read-only".to_owned()));
    } else if is_own {
        wanted.push(("Learning", "off".to_owned()));
    }
    for (name, value) in wanted {
        match engine.set_option(name, &value) {
            Ok(()) => profile.set(name, Some(&value)),
            Err(ChildError::NoOption { .. } | ChildError::BadValue { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(profile)
}

/// Tells the lines that the memory knows of this engine; returns their depths, by rank.
fn tell_remembered(
    app: &App,
    search: &Search,
    plan: &SearchPlan,
    profile: &EngineProfile,
    position: &dyn Position,
) -> ApiResult<Vec<u8>> {
    let Some(source) = profile.source() else { return Ok(Vec::new()) };
    let trust = Trust::recorded(&app.store.contributors()?);
    let reader = Reader { source, trust };
    let lines = plan.lines as usize;
    let remembered = Remembered::read(&*app.store, &reader, &plan.game, lines, Remembered::BUDGET)?;
    for (number, line) in remembered.lines().iter().enumerate() {
        search.tell_line(LineEvent::remembered(position, number as u32 + 1, line));
    }
    Ok(remembered.lines().iter().map(|line| line.depth).collect())
}

/// How a search ended, and why.
enum End {
    /// The engine gave its move: what it said last is finished.
    ByItself(&'static str),
    /// It was told to stop.
    Stopped(&'static str),
}

/// What is heard of the engine, told and learned.
struct Listening<'a> {
    app: &'a App,
    search: &'a Search,
    position: &'a dyn Position,
    /// The depths of the remembered lines, by rank: a line of the engine is told when it is as deep.
    depths: Vec<u8>,
    observer: Option<Observer>,
    learned: &'a mut LearnedReport,
}

impl Listening<'_> {
    /// Hears the engine until its move, or until the search is to end.
    fn hear(&mut self, engine: &mut ChildEngine, limit: Duration) -> Result<End, ChildError> {
        let (start, mut flushed) = (Instant::now(), Instant::now());
        let mut last_listened = None;
        loop {
            let elapsed = start.elapsed();
            if self.search.listeners() > 0 {
                last_listened = Some(Instant::now());
            }
            let is_orphaned = last_listened.is_some_and(|last| last.elapsed() > ORPHAN_TIME);
            let is_late = elapsed > limit + GRACE;
            if self.search.is_stopped() || is_orphaned || is_late {
                self.observer.iter_mut().for_each(Observer::stop);
                engine.stop()?;
                return Ok(End::Stopped(if is_late { "time" } else { "stopped" }));
            }
            match engine.next_line(elapsed + POLL) {
                Ok((EngineLine::Info(info), at)) => self.take(&info, at),
                Ok((EngineLine::BestMove(_), at)) => {
                    return Ok(End::ByItself(if at >= limit { "time" } else { "finished" }));
                }
                Ok(_) | Err(ChildError::Timeout { .. }) => {}
                Err(error) => return Err(error),
            }
            if flushed.elapsed() > FLUSH {
                flushed = Instant::now();
                // What cannot be written now is told at the end, if it cannot be written then.
                if let Some(findings) = self.observer.as_mut().map(Observer::take_findings) {
                    let _ = self.learn(&findings);
                }
            }
        }
    }

    fn take(&mut self, info: &Info, at: Duration) {
        if let Some(observer) = &mut self.observer {
            observer.hear(info);
        }
        let ms = u64::try_from(at.as_millis()).unwrap_or(u64::MAX);
        let Some(line) = LineEvent::searched(self.position, info, ms) else { return };
        let known = self.depths.get(line.rank as usize - 1).copied().unwrap_or(0);
        if line.depth >= known.into() && !line.moves.is_empty() {
            self.search.tell_line(line);
        }
    }

    fn learn(&mut self, findings: &Findings) -> ApiResult<()> {
        if !findings.is_empty() && self.app.is_writable {
            let merged = findings.write_to(&*self.app.store)?;
            self.learned.added += merged.added;
            self.learned.changed += merged.changed;
            self.app.has_changed();
        }
        Ok(())
    }

    /// Writes the rest. A search that did not finish has an iteration that did not either.
    fn finish(&mut self, is_finished: bool) -> ApiResult<()> {
        let Some(observer) = self.observer.take() else { return Ok(()) };
        let findings = if is_finished { observer.finish() } else { observer.abandon() };
        self.learn(&findings)?;
        if self.app.is_writable {
            self.app.store.sync()?;
        }
        Ok(())
    }
}

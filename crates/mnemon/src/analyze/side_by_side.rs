//! Two engines on one position at the same time: one table with a half for each, and both summaries.

use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mnemon_chess::{Position, variation};
use mnemon_engine::GameHistory;
use mnemon_engine::search::Info;
use mnemon_memory::recall::RecallSummary;
use serde::Serialize;

use super::analyst::{AnalysisObserver, Analyst, Findings};
use super::live::Live;
use super::objects::{self, OfEngine};
use super::uci_engine::UciEngine;
use super::{Arguments, figures, screen, single, summary};
use crate::{Result, output};

/// The width of a half in files and pipes.
const HALF: usize = 76;

pub(super) fn run(arguments: &Arguments, game: &GameHistory, engines: &mut [UciEngine]) -> Result<ExitCode> {
    let position = game.position().clone();
    let names: Vec<String> = engines.iter().map(|engine| engine.engine_name().unwrap_or_default().to_owned()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let memory = engines[0].memory().map(|path| path.display().to_string());
    let width = screen::width();
    let several = arguments.multipv > 1;
    let live = Live::new(engines[0].terms().limit);
    live.say(&if arguments.json {
        output::json_line(&objects::Begun::new(&position, memory.as_deref(), &names))?
    } else {
        single::head(&position, memory.as_deref(), None, width)
    })?;
    let table =
        HalvedTable { position: &position, several, half: width.map_or(HALF, |width| width.saturating_sub(3) / 2) };
    if !arguments.json {
        live.say(&table.head(&names))?;
    }
    let live = Mutex::new(live);
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let started = engines.iter_mut().zip(&names).enumerate().map(|(side, (engine, name))| {
            let mut half = Half { side, name, json: arguments.json, table: &table, live: &live };
            scope.spawn(move || engine.analyse(game.clone(), &mut half).map_err(|error| Failure::of(&*error)))
        });
        let started: Vec<_> = started.collect();
        started.into_iter().map(|thread| thread.join().unwrap_or(Err(Failure::panic()))).collect()
    });
    drop(live);
    finish(arguments, &outcomes, engines, &names, width)
}

type Outcome = std::result::Result<Findings, Failure>;

/// Why an engine's analysis has no result.
enum Failure {
    /// Nobody reads the output any more.
    Closed,
    Error(String),
}

impl Failure {
    fn of(error: &(dyn std::error::Error + 'static)) -> Self {
        if output::is_closed(error) { Failure::Closed } else { Failure::Error(crate::memory_hints::explain_any(error)) }
    }

    fn panic() -> Self {
        Failure::Error("an analysis has failed: this is a fault of mnemon".to_owned())
    }
}

/// The summaries, and what has failed.
fn finish(
    arguments: &Arguments,
    outcomes: &[Outcome],
    engines: &[UciEngine],
    names: &[&str],
    width: Option<usize>,
) -> Result<ExitCode> {
    let mut is_fine = true;
    for ((outcome, engine), name) in outcomes.iter().zip(engines).zip(names) {
        match outcome {
            Ok(findings) if arguments.json => {
                let memory = engine.memory().map(|path| path.display().to_string());
                let object = objects::Summary::new(findings, memory.as_deref(), engine.is_interrupted());
                output::say(output::json_line(&OfEngine { object, engine: Some(name) })?)?;
            }
            Ok(findings) => {
                output::show(&output::escape_controls(&format!("\n{name}")))?;
                output::show(&summary::text(findings, engine, width))?;
            }
            Err(Failure::Closed) => return Ok(ExitCode::SUCCESS),
            Err(Failure::Error(error)) => {
                eprintln!("mnemon: {}", output::escape_controls(error));
                is_fine = false;
            }
        }
        for failure in outcome.iter().flat_map(|findings| &findings.failures) {
            eprintln!("mnemon: {}", output::escape_controls(failure));
            is_fine = false;
        }
    }
    if let ([Ok(first), Ok(second)], false) = (outcomes, arguments.json) {
        output::show(&format!("\n{}\n", screen::labelled("Agreement", &agreement(first, second, names), width)))?;
    }
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whether the engines choose the same move. Their scores have different scales, and are not compared.
fn agreement(first: &Findings, second: &Findings, names: &[&str]) -> String {
    let san = |findings: &Findings| match findings.best {
        Some(best) => variation::text(&findings.position, &[best], None),
        None => "no move".to_owned(),
    };
    match first.best == second.best {
        true => format!("both choose {}", san(first)),
        false => format!("{} chooses {}, {} {}", names[0], san(first), names[1], san(second)),
    }
}

/// A table of two halves. A row is an iteration of one engine, in its half, in the order of their ends.
struct HalvedTable<'a> {
    position: &'a Position,
    several: bool,
    half: usize,
}

impl HalvedTable<'_> {
    fn head(&self, names: &[&str]) -> String {
        let columns = self.cell("depth", "#", "score", "time", "line");
        format!("\n{}\n{}", self.row(names[0], names[1]), self.row(&columns, &columns))
    }

    fn row(&self, left: &str, right: &str) -> String {
        let cut = |text: &str| text.chars().take(self.half).collect::<String>();
        format!("{:half$} | {}", cut(left), cut(right), half = self.half).trim_end().to_owned()
    }

    fn cell(&self, depth: &str, number: &str, score: &str, time: &str, line: &str) -> String {
        let number = if self.several { format!(" {number:>2}") } else { String::new() };
        format!("{depth:>5}{number} {score:>8} {time:>8}  {line}")
    }

    fn line_of(&self, side: usize, info: &Info, time: &str) -> String {
        let taken = self.cell("", "", "", "", "").chars().count();
        let line = variation::text(self.position, &info.pv, Some(self.half.saturating_sub(taken)));
        let (depth, number) = (summary::depth(info.depth), (info.line + 1).to_string());
        let cell = self.cell(&depth, &number, &summary::bounded(info), time, &line);
        if side == 0 { self.row(&cell, "") } else { self.row("", &cell) }
    }
}

/// One engine's half of the output.
struct Half<'a> {
    side: usize,
    name: &'a str,
    json: bool,
    table: &'a HalvedTable<'a>,
    live: &'a Mutex<Live>,
}

impl Half<'_> {
    fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say_object(&self, object: impl Serialize) -> Result {
        self.live().say(&output::json_line(&OfEngine { object, engine: Some(self.name) })?)
    }

    fn say_row(&self, info: &Info, time: &str) -> Result {
        self.live().say(&self.table.line_of(self.side, info, time))
    }
}

impl AnalysisObserver for Half<'_> {
    fn recalled(&mut self, recalled: &RecallSummary) -> Result {
        let object = || objects::Remembered::new(self.table.position, recalled);
        if self.json { self.say_object(object()) } else { Ok(()) }
    }

    fn known(&mut self, known: &Info) -> Result {
        if self.json { Ok(()) } else { self.say_row(known, "memory") }
    }

    fn iteration(&mut self, info: &Info) -> Result {
        if self.side == 0 {
            self.live().iteration(info);
        }
        match self.json {
            true => self.say_object(objects::Iteration::new(self.table.position, info)),
            false => self.say_row(info, &figures::time(info.time)),
        }
    }

    fn tick(&mut self) {
        self.live().tick();
    }
}

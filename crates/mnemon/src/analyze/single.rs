//! One position: a table of its iterations that grows while the search runs, and the summary.

use std::process::ExitCode;

use mnemon_chess::{Position, variation};
use mnemon_engine::GameHistory;
use mnemon_engine::search::Info;
use mnemon_memory::recall::RecallSummary;

use super::analyst::{AnalysisObserver, Analyst};
use super::live::Live;
use super::{Arguments, figures, objects, screen, summary};
use crate::{Result, output};
use mnemon_search::Notation;

pub(super) fn run(arguments: &Arguments, game: GameHistory, analyst: &mut dyn Analyst) -> Result<ExitCode> {
    let position = game.position().clone();
    let memory = analyst.memory().map(|path| path.display().to_string());
    let live = Live::new(analyst.terms().limit);
    let findings = if arguments.json {
        let engines: Vec<&str> = analyst.engine_name().into_iter().collect();
        live.say(&output::json_line(&objects::Begun::new(&position, memory.as_deref(), &engines))?)?;
        let findings = analyst.analyse(game, &mut Objects { position: &position, live })?;
        output::say(output::json_line(&objects::Summary::new(
            &findings,
            memory.as_deref(),
            analyst.is_interrupted(),
        ))?)?;
        findings
    } else {
        let width = screen::width();
        live.say(&head(&position, memory.as_deref(), analyst.engine_name(), width))?;
        let table = Table { position: &position, several: arguments.multipv > 1, width };
        let findings = analyst.analyse(game, &mut Growing { table, live, rows: 0 })?;
        output::show(&summary::text(&findings, analyst, width))?;
        findings
    };
    for failure in &findings.failures {
        eprintln!("mnemon: {}", output::escape_controls(failure));
    }
    Ok(if findings.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The lines before the search.
pub(super) fn head(position: &Position, memory: Option<&str>, engine: Option<&str>, width: Option<usize>) -> String {
    let position = format!("{position} ({} to move)", position.mover());
    let lines = [("Position", Some(position.as_str())), ("Engine", engine), ("Memory", memory.or(Some("none")))];
    let labelled = lines.iter().filter_map(|(label, text)| Some(screen::labelled(label, (*text)?, width) + "\n"));
    labelled.collect()
}

/// Writes each iteration as an object.
struct Objects<'a> {
    position: &'a Position,
    live: Live,
}

impl AnalysisObserver for Objects<'_> {
    fn recalled(&mut self, recalled: &RecallSummary) -> Result {
        self.live.say(&output::json_line(&objects::Remembered::new(self.position, recalled))?)
    }

    fn known(&mut self, known: &Info) -> Result {
        self.live.known(known);
        Ok(())
    }

    fn iteration(&mut self, info: &Info) -> Result {
        self.live.iteration(info);
        self.live.say(&output::json_line(&objects::Iteration::new(self.position, info))?)
    }

    fn bound(&mut self, info: &Info) {
        self.live.bound(self.position, info);
    }

    fn tick(&mut self) {
        self.live.tick();
    }
}

/// How the rows of the table look.
struct Table<'a> {
    position: &'a Position,
    /// Whether each iteration has several lines.
    several: bool,
    width: Option<usize>,
}

/// Below this, a screen has no room for nodes and speeds beside a line of play.
const NARROW: usize = 72;

impl Table<'_> {
    fn is_narrow(&self) -> bool {
        self.width.is_some_and(|width| width < NARROW)
    }

    fn head(&self) -> String {
        self.row("depth", "#", "score", ["nodes", "speed", "time"], "line")
    }

    fn row(&self, depth: &str, number: &str, score: &str, [nodes, speed, time]: [&str; 3], line: &str) -> String {
        let number = if self.several { format!(" {number:>2}") } else { String::new() };
        let counts = if self.is_narrow() { String::new() } else { format!("{nodes:>8} {speed:>9} ") };
        format!("{depth:>5}{number} {score:>7} {counts}{time:>8}  {line}")
    }

    /// The room that is left for a line of play.
    fn room(&self) -> Option<usize> {
        let taken = self.row("", "", "", [""; 3], "").chars().count();
        self.width.map(|width| width.saturating_sub(taken))
    }

    fn line(&self, info: &Info) -> String {
        variation::text(self.position, &info.pv, self.room())
    }

    fn iteration(&self, info: &Info) -> String {
        let speed = format!("{}/s", figures::count(figures::speed(info.nodes, info.time)));
        let (nodes, time) = (figures::count(info.nodes), figures::time(info.time));
        let (depth, number) = (info.depth.to_string(), (info.line + 1).to_string());
        self.row(&depth, &number, &figures::score(info.score), [&nodes, &speed, &time], &self.line(info))
    }

    /// The row of what the memory knew before the search.
    fn known(&self, info: &Info) -> String {
        let score = summary::bounded(info);
        self.row(
            &summary::depth(info.depth),
            &(info.line + 1).to_string(),
            &score,
            ["-", "-", "memory"],
            &self.line(info),
        )
    }
}

/// Writes each iteration as a row.
struct Growing<'a> {
    table: Table<'a>,
    live: Live,
    rows: usize,
}

impl Growing<'_> {
    fn say(&mut self, row: &str) -> Result {
        if self.rows == 0 {
            self.live.say(&self.table.head())?;
        }
        self.rows += 1;
        self.live.say(row)
    }
}

impl AnalysisObserver for Growing<'_> {
    fn recalled(&mut self, recalled: &RecallSummary) -> Result {
        let words = summary::recalled(recalled);
        self.live.say(&(screen::labelled("Recalled", &words, self.table.width) + "\n"))
    }

    fn known(&mut self, known: &Info) -> Result {
        self.live.known(known);
        let row = self.table.known(known);
        self.say(&row)
    }

    fn iteration(&mut self, info: &Info) -> Result {
        self.live.iteration(info);
        let row = self.table.iteration(info);
        self.say(&row)
    }

    fn bound(&mut self, info: &Info) {
        self.live.bound(self.table.position, info);
    }

    fn tick(&mut self) {
        self.live.tick();
    }
}

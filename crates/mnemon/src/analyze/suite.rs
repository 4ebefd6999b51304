//! `--epd`: each position of a test suite, and whether the engine's move is an expected one.

use std::path::Path;
use std::process::ExitCode;

use mnemon_chess::epd::{self, Epd, EpdError, ExpectedMoves};
use mnemon_chess::{Move, Position};
use mnemon_engine::GameHistory;
use serde::Serialize;

use super::analyst::{AnalysisObserver, Analyst, Findings};
use super::tally::Effort;
use super::{Arguments, exit_code, figures, objects};
use crate::{Result, output, progress};

/// A position of a file, and the moves that are expected there.
struct Entry {
    position: Position,
    id: Option<String>,
    expected: ExpectedMoves,
}

impl Entry {
    fn new(epd: Epd) -> std::result::Result<Self, EpdError> {
        Ok(Entry { id: epd.id(), expected: epd.expected_moves()?, position: epd.position })
    }
}

/// The lines of a file with their numbers, also those that cannot be parsed.
pub(super) struct Suite {
    file: String,
    lines: Vec<(u64, std::result::Result<Entry, EpdError>)>,
}

impl Suite {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let lines = epd::read_lines(path)?.into_iter().map(|(number, epd)| (number, epd.and_then(Entry::new)));
        Ok(Suite { file: path.display().to_string(), lines: lines.collect() })
    }
}

/// The totals of a suite.
#[derive(Default, Serialize)]
#[serde(tag = "type", rename = "total")]
struct Total {
    positions: u64,
    /// Those with a best move or a move to avoid.
    compared: u64,
    agreed: u64,
    /// Lines that could not be parsed.
    refused: u64,
    #[serde(flatten)]
    effort: Effort,
    /// Whether the memory could not be read or written.
    #[serde(skip)]
    has_failed: bool,
}

impl Total {
    fn add(&mut self, findings: &Findings, agrees: Option<bool>) {
        self.positions += 1;
        self.compared += u64::from(agrees.is_some());
        self.agreed += u64::from(agrees == Some(true));
        self.effort.add(findings);
        self.has_failed |= !findings.failures.is_empty();
    }

    fn text(&self) -> String {
        let Total { positions, compared, agreed, refused, .. } = *self;
        let agreement = match compared {
            0 => format!("{positions} positions, none with bm or am to agree with"),
            _ => format!("agreed in {agreed} of {compared} positions ({:.1} %)", percentage(agreed, compared)),
        };
        let mut text = format!("{agreement}; {}", self.effort.text());
        if refused > 0 {
            text += &format!("; {refused} lines left out");
        }
        text
    }
}

fn percentage(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole as f64
}

pub(super) fn run(arguments: &Arguments, suite: Suite, analyst: &mut dyn Analyst) -> Result<ExitCode> {
    let bar = progress::bar(suite.lines.len() as u64, "positions");
    let say = |text: &str| bar.suspend(|| output::say(output::escape_controls(text)));
    let columns = Columns::new(&suite);
    if !arguments.json {
        say(&columns.head())?;
    }
    let mut total = Total::default();
    for (line, entry) in &suite.lines {
        if analyst.is_interrupted() {
            break;
        }
        match entry {
            Ok(entry) => {
                let findings = analysed(entry, analyst)?;
                let agrees = entry.expected.accept(findings.best);
                total.add(&findings, agrees);
                say(&if arguments.json {
                    object(*line, entry, &findings)?
                } else {
                    columns.row(*line, entry, &findings)
                })?;
                bar.suspend(|| print_errors(&findings.failures));
            }
            Err(error) => {
                bar.suspend(|| print_errors(&[format!("{}: line {line}: {error}", suite.file)]));
                total.refused += 1;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    output::say(if arguments.json { output::json_line(&total)? } else { format!("\n{}", total.text()) })?;
    Ok(exit_code(analyst, total.refused == 0 && !total.has_failed))
}

/// Observes nothing: single searches of a file are not shown.
pub(super) struct Unobserved;

impl AnalysisObserver for Unobserved {}

/// The analysis of a position by itself.
fn analysed(entry: &Entry, analyst: &mut dyn Analyst) -> Result<Findings> {
    analyst.clear()?;
    analyst.analyse(GameHistory::from(entry.position.clone()), &mut Unobserved)
}

/// Prints errors, each on a line.
pub(super) fn print_errors(errors: &[String]) {
    for error in errors {
        eprintln!("mnemon: {}", output::escape_controls(error));
    }
}

fn object(line: u64, entry: &Entry, findings: &Findings) -> Result<String> {
    let (bm, am) = (written(&entry.position, &entry.expected.best), written(&entry.position, &entry.expected.avoid));
    let (id, agrees) = (entry.id.as_deref(), entry.expected.accept(findings.best));
    Ok(output::json_line(&objects::SuiteEntry {
        line,
        id,
        bm: &bm,
        am: &am,
        agrees,
        result: objects::ResultMembers::new(findings),
    })?)
}

fn written(position: &Position, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&mv| position.san(mv)).collect()
}

/// The widths of the rows.
struct Columns {
    id: usize,
}

impl Columns {
    fn new(suite: &Suite) -> Self {
        const LONGEST_ID: usize = 28;
        let ids = suite.lines.iter().filter_map(|(_, entry)| entry.as_ref().ok()?.id.as_ref());
        Columns { id: ids.map(|id| id.chars().count()).max().unwrap_or(0).clamp(8, LONGEST_ID) }
    }

    fn head(&self) -> String {
        self.format(
            "position",
            ["best", "score", "depth", "known", "time"],
            "agreement (scores are for the side to move)",
        )
    }

    fn row(&self, line: u64, entry: &Entry, findings: &Findings) -> String {
        let name = entry.id.clone().unwrap_or_else(|| format!("line {line}"));
        let best = findings.best.map_or_else(|| "-".to_owned(), |mv| entry.position.san(mv));
        let known = findings.known.as_ref().map_or_else(|| "-".to_owned(), |known| super::summary::depth(known.depth));
        let (score, time) = (figures::score(findings.last.score), figures::time(findings.last.time));
        let depth = super::summary::depth(findings.last.depth);
        let verdict = match entry.expected.accept(findings.best) {
            Some(true) => "agrees".to_owned(),
            Some(false) => format!("differs: {}", expected(entry)),
            None => "-".to_owned(),
        };
        self.format(&name, [&best, &score, &depth, &known, &time], &verdict)
    }

    fn format(&self, name: &str, [best, score, depth, known, time]: [&str; 5], verdict: &str) -> String {
        let width = self.id;
        let name: String = match name.char_indices().nth(width) {
            Some(_) => name.chars().take(width - 1).chain(['…']).collect(),
            None => name.to_owned(),
        };
        format!("{name:width$}  {best:<7} {score:>7} {depth:>5} {known:>5} {time:>8}  {verdict}")
    }
}

/// The expected moves, as an EPD file has them.
fn expected(entry: &Entry) -> String {
    let operation = |code: &str, moves: &[Move]| {
        (!moves.is_empty()).then(|| format!("{code} {}", written(&entry.position, moves).join(" ")))
    };
    let both = [operation("bm", &entry.expected.best), operation("am", &entry.expected.avoid)];
    both.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

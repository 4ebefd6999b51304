//! `--epd`: each position in turn, and whether the engine's move is the one that was asked for.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use indicatif::HumanCount;
use mnemon_chess::epd::{self, Epd, EpdError, ExpectedMoves};
use mnemon_chess::{Move, Position};
use mnemon_engine::GameHistory;
use serde::Serialize;

use super::analyst::{Analyst, Findings, Watch};
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

/// The lines of a file with their numbers, also those that cannot be understood.
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

/// What was seen so far.
#[derive(Default, Serialize)]
#[serde(tag = "type", rename = "total")]
struct Total {
    positions: u64,
    /// Those with a best move or a move to avoid.
    compared: u64,
    agreed: u64,
    /// Lines that could not be understood.
    refused: u64,
    nodes: u64,
    milliseconds: u64,
    learned: u64,
    improved: u64,
    /// Whether the memory could not be read or written.
    #[serde(skip)]
    has_failed: bool,
}

impl Total {
    fn add(&mut self, findings: &Findings, agrees: Option<bool>) {
        self.positions += 1;
        self.compared += u64::from(agrees.is_some());
        self.agreed += u64::from(agrees == Some(true));
        self.nodes += findings.last.nodes;
        self.milliseconds += findings.last.time.as_millis() as u64;
        self.learned += findings.learned.merged.added;
        self.improved += findings.learned.merged.changed;
        self.has_failed |= !findings.failures.is_empty();
    }

    fn words(&self) -> String {
        let Total { positions, compared, agreed, refused, nodes, milliseconds, learned, improved, .. } = *self;
        let agreement = match compared {
            0 => format!("{positions} positions, none with bm or am to agree with"),
            _ => format!("agreed in {agreed} of {compared} positions ({:.1} %)", percentage(agreed, compared)),
        };
        let time = figures::time(Duration::from_millis(milliseconds));
        let mut text = format!("{agreement}; {} nodes in {time}", figures::count(nodes));
        if learned + improved > 0 {
            text += &format!("; {} positions learned, {} known better", HumanCount(learned), HumanCount(improved));
        }
        if refused > 0 {
            text += &format!("; {refused} lines left out");
        }
        text
    }
}

fn percentage(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole as f64
}

pub(super) fn run(arguments: &Arguments, suite: Suite, analyst: &mut Analyst) -> Result<ExitCode> {
    let bar = progress::bar(suite.lines.len() as u64, "positions");
    let say = |text: &str| bar.suspend(|| output::say(output::harmless(text)));
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
                bar.suspend(|| complain(&findings.failures));
            }
            Err(fault) => {
                bar.suspend(|| complain(&[format!("{}: line {line}: {fault}", suite.file)]));
                total.refused += 1;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    output::say(if arguments.json { output::json_line(&total)? } else { format!("\n{}", total.words()) })?;
    Ok(exit_code(analyst, total.refused == 0 && !total.has_failed))
}

/// Nobody watches single searches.
pub(super) struct Silent;

impl Watch for Silent {}

/// The analysis of a position by itself.
fn analysed(entry: &Entry, analyst: &mut Analyst) -> Result<Findings> {
    analyst.clear();
    analyst.analyse(GameHistory::from(entry.position.clone()), &mut Silent)
}

/// Says what went wrong.
pub(super) fn complain(complaints: &[String]) {
    for complaint in complaints {
        eprintln!("mnemon: {}", output::harmless(complaint));
    }
}

fn object(line: u64, entry: &Entry, findings: &Findings) -> Result<String> {
    let (bm, am) = (written(&entry.position, &entry.expected.best), written(&entry.position, &entry.expected.avoid));
    let (id, agrees) = (entry.id.as_deref(), entry.expected.accept(findings.best));
    Ok(output::json_line(&objects::Solved {
        line,
        id,
        bm: &bm,
        am: &am,
        agrees,
        answer: objects::Answer::new(findings),
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
            Some(false) => format!("differs: {}", asked(entry)),
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

/// What the entry asks for, as it would be written in a file.
fn asked(entry: &Entry) -> String {
    let operation = |code: &str, moves: &[Move]| {
        (!moves.is_empty()).then(|| format!("{code} {}", written(&entry.position, moves).join(" ")))
    };
    let both = [operation("bm", &entry.expected.best), operation("am", &entry.expected.avoid)];
    both.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

//! The JSON objects, one a line. Their members are described in docs/analyze.md and do not change their meaning.

use mnemon_chess::{Color, Move, Position, variation};
use mnemon_engine::search::Info;
use mnemon_memory::recall::RecallSummary;
use mnemon_memory::{Learned, PROVEN};
use mnemon_table::Score;
use serde::Serialize;

use super::analyst::Findings;
use super::{figures, summary};
use crate::format;

/// A score for the side to move.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Points {
    /// Hundredths of a pawn.
    Cp(Score),
    /// Moves to the mate, negative for being mated.
    Mate(i32),
}

impl Points {
    pub(super) fn new(score: Score) -> Self {
        figures::mate(score).map_or(Points::Cp(score), Points::Mate)
    }
}

/// The side that every score is for.
const SCORES_FOR: &str = "side to move";

#[derive(Serialize)]
#[serde(tag = "type", rename = "position")]
pub(super) struct Begun<'a> {
    fen: String,
    side_to_move: &'static str,
    scores_for: &'static str,
    memory: Option<&'a str>,
    /// Engines that are not our own.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    engines: &'a [&'a str],
}

impl<'a> Begun<'a> {
    pub(super) fn new(position: &Position, memory: Option<&'a str>, engines: &'a [&'a str]) -> Self {
        let side_to_move = side(position);
        Begun { fen: position.to_string(), side_to_move, scores_for: SCORES_FOR, memory, engines }
    }
}

/// An object of one of several engines.
#[derive(Serialize)]
pub(super) struct OfEngine<'a, T> {
    #[serde(flatten)]
    pub(super) object: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) engine: Option<&'a str>,
}

/// The side to move.
pub(super) fn side(position: &Position) -> &'static str {
    if position.side_to_move() == Color::White { "white" } else { "black" }
}

/// The result of the recall before a search.
#[derive(Serialize)]
#[serde(tag = "type", rename = "remembered")]
pub(super) struct Remembered {
    positions: usize,
    complete: bool,
    milliseconds: u64,
    root: Vec<RootRecord>,
}

/// The record of the position itself by one source.
#[derive(Serialize)]
struct RootRecord {
    source: String,
    /// Whether the search believes the score; of what it does not believe it tries the move first.
    believed: bool,
    lower: Option<Points>,
    upper: Option<Points>,
    depth: u8,
    proven: bool,
    best: Option<String>,
    nodes: u64,
    time: String,
}

impl Remembered {
    pub(super) fn new(position: &Position, recalled: &RecallSummary) -> Self {
        let view = |(source, record): &(mnemon_memory::Source, mnemon_memory::Record)| {
            let end = |claim: mnemon_memory::Claim| claim.is_known().then(|| Points::new(claim.score));
            let depth = record.deepest().1;
            let best = std::num::NonZeroU16::new(record.best).and_then(mnemon_chess::from_code);
            let unbelieved = recalled.hearsay.iter().find(|hearsay| hearsay.source == *source);
            RootRecord {
                source: unbelieved.map_or_else(|| source.to_string(), |hearsay| hearsay.author.clone()),
                believed: unbelieved.is_none(),
                lower: end(record.lower),
                upper: end(record.upper),
                depth,
                proven: depth == PROVEN,
                best: best.filter(|&mv| position.is_legal(mv)).map(|mv| position.uci(mv)),
                nodes: record.nodes,
                time: format::moment(record.time),
            }
        };
        Remembered {
            positions: recalled.entries,
            complete: recalled.is_complete,
            milliseconds: recalled.time.as_millis() as u64,
            root: recalled.root.records.iter().map(view).collect(),
        }
    }
}

/// A line of a search.
#[derive(Serialize)]
#[serde(tag = "type", rename = "iteration")]
pub(super) struct Iteration {
    depth: u8,
    seldepth: u8,
    multipv: usize,
    #[serde(flatten)]
    line: LineMembers,
}

/// A score, what it cost, and its principal variation.
#[derive(Serialize)]
struct LineMembers {
    score: Points,
    nodes: u64,
    nps: u64,
    milliseconds: u64,
    pv: Vec<String>,
    pv_san: Vec<String>,
}

impl LineMembers {
    fn new(position: &Position, info: &Info, nps: u64) -> Self {
        let (pv_san, pv) = variation::san_and_uci(position, &info.pv);
        let milliseconds = info.time.as_millis() as u64;
        LineMembers { score: Points::new(info.score), nodes: info.nodes, nps, milliseconds, pv, pv_san }
    }
}

impl Iteration {
    pub(super) fn new(position: &Position, info: &Info) -> Self {
        Iteration {
            depth: info.depth,
            seldepth: info.seldepth.max(info.depth),
            multipv: info.line + 1,
            line: LineMembers::new(position, info, figures::speed(info.nodes, info.time)),
        }
    }
}

/// The result of a search, as objects of every kind have it.
#[derive(Serialize)]
pub(super) struct ResultMembers {
    fen: String,
    best: Option<String>,
    best_san: Option<String>,
    depth: u8,
    #[serde(flatten)]
    line: LineMembers,
    remembered_positions: usize,
    remembered_depth: Option<u8>,
    first_depth: Option<u8>,
    learned: u64,
    improved: u64,
    forgotten: u64,
}

impl ResultMembers {
    pub(super) fn new(findings: &Findings) -> Self {
        let Findings { position, last, best, first_depth, learned: Learned { merged, deleted }, .. } = findings;
        let recalled = findings.recalled.as_ref();
        ResultMembers {
            fen: position.to_string(),
            best: best.map(|mv| position.uci(mv)),
            best_san: best.map(|mv| position.san(mv)),
            depth: last.depth,
            line: LineMembers::new(position, last, findings.speed()),
            remembered_positions: recalled.map_or(0, |recalled| recalled.entries),
            remembered_depth: recalled.and_then(summary::deepest).map(|record| record.deepest().1),
            first_depth: *first_depth,
            learned: merged.added,
            improved: merged.changed,
            forgotten: *deleted,
        }
    }
}

/// The end of an analysis.
#[derive(Serialize)]
#[serde(tag = "type", rename = "summary")]
pub(super) struct Summary<'a> {
    #[serde(flatten)]
    result: ResultMembers,
    ponder: Option<String>,
    memory: Option<&'a str>,
    remembered_nodes: u64,
    remembered_time: Option<String>,
    interrupted: bool,
}

impl<'a> Summary<'a> {
    pub(super) fn new(findings: &Findings, memory: Option<&'a str>, interrupted: bool) -> Self {
        let reply = |best: Move| findings.ponder.map(|reply| findings.position.after(best).uci(reply));
        let record = findings.recalled.as_ref().and_then(summary::deepest);
        Summary {
            result: ResultMembers::new(findings),
            ponder: findings.best.and_then(reply),
            memory,
            remembered_nodes: record.map_or(0, |record| record.nodes),
            remembered_time: record.filter(|record| record.time > 0).map(|record| format::moment(record.time)),
            interrupted,
        }
    }
}

/// A position of a test suite, and whether the engine's move is an expected one.
#[derive(Serialize)]
#[serde(tag = "type", rename = "epd")]
pub(super) struct SuiteEntry<'a> {
    pub(super) line: u64,
    pub(super) id: Option<&'a str>,
    pub(super) bm: &'a [String],
    pub(super) am: &'a [String],
    /// Missing where there is nothing to agree with.
    pub(super) agrees: Option<bool>,
    #[serde(flatten)]
    pub(super) result: ResultMembers,
}

//! What a search tells: lines as they come, and its end.

use std::sync::Arc;

use mnemon_explore::notation::Position;
use mnemon_memory::Record;
use mnemon_table::Window;
use mnemon_uci::Info;
use mnemon_uci::observer::window;
use mnemon_uci::remembered::RememberedLine;
use serde::Serialize;

use crate::known::{MoveName, ScoreReport, Step, steps};

/// A line of play with its score, which is for the side to move.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LineEvent {
    /// `memory` or `engine`.
    pub(crate) from: &'static str,
    /// Counted from 1.
    pub(crate) rank: u32,
    pub(crate) depth: u32,
    pub(crate) seldepth: Option<u32>,
    pub(crate) score: Option<ScoreReport>,
    pub(crate) nodes: Option<u64>,
    pub(crate) nps: Option<u64>,
    /// Milliseconds since the engine began.
    pub(crate) ms: u64,
    pub(crate) moves: Vec<Step>,
}

/// The end of a search.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct DoneEvent {
    /// `done` or `failed`.
    pub(crate) state: &'static str,
    /// `finished`, `stopped`, `time` or `failed`.
    pub(crate) reason: &'static str,
    pub(crate) message: Option<String>,
    pub(crate) best: Option<MoveName>,
    pub(crate) learned: LearnedReport,
}

/// What became of the findings.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct LearnedReport {
    pub(crate) added: u64,
    pub(crate) changed: u64,
}

/// An event as it is sent: written once, for however many listen.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) number: u64,
    pub(super) text: Arc<str>,
    /// Whether it is the last.
    pub(super) is_done: bool,
}

impl Event {
    pub(super) fn new(number: u64, name: &str, data: &impl Serialize) -> Self {
        // Nothing in an event cannot be written as JSON.
        let data = serde_json::to_string(data).unwrap_or_default();
        let text = format!("id: {number}\nevent: {name}\ndata: {data}\n\n").into();
        Event { number, text, is_done: name == "done" }
    }
}

impl LineEvent {
    /// A line that the memory knows.
    pub(crate) fn remembered(position: &dyn Position, rank: u32, line: &RememberedLine) -> Self {
        let codes: Vec<u16> = line.moves.iter().map(|&mv| mnemon_chess::to_code(mv).get()).collect();
        LineEvent {
            from: "memory",
            rank,
            depth: line.depth.into(),
            seldepth: None,
            score: score(position, Some(line.window), line.depth),
            nodes: None,
            nps: None,
            ms: 0,
            moves: steps(position, &codes),
        }
    }

    /// A line of the engine; `None` for an `info` that has no line.
    pub(crate) fn searched(position: &dyn Position, info: &Info, ms: u64) -> Option<Self> {
        let depth = info.depth.filter(|_| info.score.is_some() && !info.pv.is_empty())?;
        let kept_depth = u8::try_from(depth).unwrap_or(mnemon_search::MAX_DEPTH).min(mnemon_search::MAX_DEPTH);
        Some(LineEvent {
            from: "engine",
            rank: info.multipv.unwrap_or(1).max(1),
            depth,
            seldepth: info.seldepth,
            score: score(position, info.score.and_then(window), kept_depth),
            nodes: info.nodes,
            nps: info.nps,
            ms: info.time.unwrap_or(ms),
            moves: steps(position, &codes(position, &info.pv)),
        })
    }
}

fn score(position: &dyn Position, window: Option<Window>, depth: u8) -> Option<ScoreReport> {
    ScoreReport::new(position, &Record::between(window?, depth))
}

/// The codes of an engine's moves, as far as they are legal.
fn codes(position: &dyn Position, line: &[String]) -> Vec<u16> {
    let mut codes = Vec::with_capacity(line.len());
    let Some(mut at) = crate::known::chess(position) else { return codes };
    for text in line {
        let Ok(mv) = at.parse_uci(text) else { break };
        codes.push(mnemon_chess::to_code(mv).get());
        at = at.after(mv);
    }
    codes
}

//! The cloud evaluations of lichess, `/api/cloud-eval`, answered from the memory: scores for White, castling as the king's
//! move onto its rook.

use std::cmp::Reverse;

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use mnemon_chess::{Color, Move, Position};
use mnemon_explore::views_of;
use mnemon_memory::{Content, LineSet, Record, Source, Trust};
use mnemon_search::Game;
use mnemon_table::Window;
use mnemon_uci::ScoreValue;
use mnemon_uci::observer::score;
use mnemon_uci::remembered::decoded;
use serde::Serialize;

use crate::app::App;

use crate::error::{ApiError, ApiResult, json};
use crate::params::Params;

/// The most lines, and the most moves of one.
const MOST_LINES: usize = 5;
const MOST_MOVES: usize = 10;

#[derive(Serialize)]
struct CloudEval {
    fen: String,
    knodes: u64,
    depth: u8,
    pvs: Vec<Pv>,
}

#[derive(Serialize)]
struct Pv {
    moves: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
}

#[derive(Serialize)]
struct NotFound {
    error: &'static str,
}

/// `GET /api/cloud-eval`.
pub(crate) async fn answer(State(app): State<App>, RawQuery(query): RawQuery) -> Response {
    let mut response = match evaluated(&app, query).await {
        Ok(Some(eval)) => json(&eval),
        Ok(None) => with_status(StatusCode::NOT_FOUND, "No cloud evaluation available for that position"),
        Err(error) if error.status == StatusCode::BAD_REQUEST => with_status(error.status, "Invalid parameters"),
        Err(error) => with_status(error.status, "The memory cannot be read now"),
    };
    crate::security::allow_reading(&app, response.headers_mut());
    response
}

fn with_status(status: StatusCode, error: &'static str) -> Response<Body> {
    let mut response = json(&NotFound { error });
    *response.status_mut() = status;
    response
}

async fn evaluated(app: &App, query: Option<String>) -> ApiResult<Option<CloudEval>> {
    let params = Params::read(query.as_deref())?;
    let lines = params.number("multiPv", 1, 1000, 1)?.min(MOST_LINES as u64) as usize;
    let is_chess = ["standard", "chess960", "fromPosition"].contains(&params.get("variant").unwrap_or("standard"));
    let fen = params.get("fen").unwrap_or_default().replace('_', " ");
    let position: Position =
        fen.parse().map_err(|_| ApiError::bad_request("invalid_position", "this is no position of chess"))?;
    if !is_chess {
        return Ok(None);
    }
    app.read(move |app| read(app, &position, fen, lines)).await
}

/// The deepest lines of a believed search: the set with as many lines as are asked for, or else the deepest. Blocks.
fn read(app: &App, position: &Position, fen: String, lines: usize) -> ApiResult<Option<CloudEval>> {
    let trust = Trust::recorded(&app.store.contributors()?);
    let mut packed = Vec::new();
    position.pack(&mut packed);
    let mut sets: Vec<(Source, LineSet)> = Vec::new();
    for (source, content) in app.store.annotations(&Position::name(), &packed)? {
        if let (Content::Lines(all), true) = (content, trust.believes(&source)) {
            sets.extend(all.sets().iter().map(|set| (source.clone(), set.clone())));
        }
    }
    sets.sort_by_key(|(_, set)| Reverse((set.lines.len() >= lines, set.depth, set.time)));
    let hidden = app.games.read(&"chess".into(), &position.to_string())?;
    let mut records = views_of(&*app.store, &*hidden)?;
    records.retain(|(source, _)| trust.believes(source));
    for (source, set) in sets {
        let pvs: Vec<Pv> = set
            .lines
            .iter()
            .filter_map(|line| Pv::new(position, line.window(), &decoded(position, line.moves())))
            .take(lines)
            .collect();
        if !pvs.is_empty() {
            let nodes = records.iter().find(|(known, _)| *known == source).map_or(0, |(_, record)| record.nodes);
            return Ok(Some(CloudEval { fen, knodes: nodes / 1000, depth: set.depth, pvs }));
        }
    }
    // Without lines, the deepest record with its best move.
    records.sort_by_key(|(_, record)| Reverse(record.window().1));
    Ok(records.iter().find_map(|(_, record)| one_move(position, &fen, record)))
}

fn one_move(position: &Position, fen: &str, record: &Record) -> Option<CloudEval> {
    let (window, depth) = record.window();
    let pv = Pv::new(position, window, &decoded(position, &[record.best]))?;
    Some(CloudEval { fen: fen.to_owned(), knodes: record.nodes / 1000, depth, pvs: vec![pv] })
}

impl Pv {
    /// The line for White; `None` for a line without moves, or whose score is a mere bound.
    fn new(position: &Position, window: Window, moves: &[Move]) -> Option<Self> {
        let value = score(window).filter(|score| score.bound == mnemon_uci::Bound::Exact)?.value;
        let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
        let (cp, mate) = match value {
            ScoreValue::Centipawns(number) => (Some(sign * number), None),
            ScoreValue::Mate(moves) => (None, Some(sign * moves)),
        };
        let mut at = position.clone().with_chess960(true);
        let mut words = Vec::new();
        for &mv in moves.iter().take(MOST_MOVES) {
            words.push(at.uci(mv));
            at = at.after(mv);
        }
        (!words.is_empty()).then(|| Pv { moves: words.join(" "), cp, mate })
    }
}

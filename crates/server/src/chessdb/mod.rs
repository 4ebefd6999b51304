//! The interface of chessdb.cn, `/cdb.php`, answered from the memory, byte for byte in its forms: text that ends in a zero
//! byte, and JSON. Errors are words with status 200, as programs that ask it expect.
//!
//! What differs: there are no tablebase answers, a best move is not drawn by lot, and one deep search is reason enough to
//! name it. `store` is refused: what is learned comes from this machine's own searches.

mod answer;
mod known;
mod line;
mod query;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use mnemon_chess::Position;

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::params::read_body;
use crate::security::is_foreign;
use answer::Answer;
use query::{Action, Query};

/// Of so many pieces the tables know everything, and chessdb queues nothing.
const TABLEBASE_PIECES: u32 = 7;

/// `GET` or `POST /cdb.php`.
pub(crate) async fn answer(State(app): State<App>, request: Request<Body>) -> Response {
    let (parts, body) = request.into_parts();
    // A page of another site cannot read the answer; it must not fill the queue either.
    let is_foreign = is_foreign(&app, &parts.headers);
    let mut text = parts.uri.query().unwrap_or_default().to_owned();
    if parts.method == Method::POST {
        match read_body(&app, &parts, body, app.limits.body_bytes).await {
            // What is in the body comes later, and counts.
            Ok(body) => text = format!("{text}&{}", String::from_utf8_lossy(&body)),
            Err(error) => return error.into_response(),
        }
    }
    let Some(query) = Query::read(&text) else { return Response::new(Body::empty()) };
    let is_json = query.is_json;
    match answered(&app, query, is_foreign).await {
        Ok(bytes) => respond(bytes, is_json, &app),
        Err(error) => {
            let bytes = answer::failure(&error.message, is_json);
            let mut response = respond(bytes.into(), is_json, &app);
            *response.status_mut() = axum::http::StatusCode::SERVICE_UNAVAILABLE;
            response
        }
    }
}

async fn answered(app: &App, query: Query, is_foreign: bool) -> ApiResult<Bytes> {
    let Some(key) = query.cache_key() else { return looked_up(app, query, is_foreign).await };
    if let Some(bytes) = app.answers.get(&key, app.changes()) {
        return Ok(bytes);
    }
    let flight = app.answers.flight(&key);
    let held = flight.lock().await;
    let answer = match app.answers.get(&key, app.changes()) {
        Some(bytes) => Ok(bytes),
        None => {
            let changes = app.changes();
            let answer = looked_up(app, query, is_foreign).await;
            if let Ok(bytes) = &answer {
                app.answers.put(key.clone(), changes, bytes.clone());
            }
            answer
        }
    };
    drop(held);
    app.answers.land(&key, flight);
    answer
}

async fn looked_up(app: &App, query: Query, is_foreign: bool) -> ApiResult<Bytes> {
    app.read(move |app| {
        let is_json = query.is_json;
        Ok(Bytes::from(look_up(app, &query, is_foreign)?.write(is_json)))
    })
    .await
}

/// The answer to a query. Blocks.
fn look_up(app: &App, query: &Query, is_foreign: bool) -> ApiResult<Answer> {
    let position = &match query.board() {
        None => return Ok(Answer::Word("invalid parameters")),
        Some(Err(())) => return Ok(Answer::Word("invalid board")),
        Some(Ok(position)) => position,
    };
    let may_queue = app.is_writable && !is_foreign && query.is_learning;
    match query.action {
        Action::Store { has_score } => return Ok(if has_score { Answer::TokenError } else { Answer::Nothing }),
        Action::Queue => {
            let is_wanted = position.has_moves() && position.board().occupied().len() > TABLEBASE_PIECES;
            let is_queued = is_wanted && app.is_writable && !is_foreign && enqueue(app, position)?;
            return Ok(if is_queued { Answer::Word("ok") } else { Answer::Nothing });
        }
        Action::Unknown => return Ok(Answer::Nothing),
        _ => {}
    }
    if !position.has_moves() {
        let word = if position.is_check() { "checkmate" } else { "stalemate" };
        let wants_move = matches!(query.action, Action::Best | Action::Good | Action::Search);
        return Ok(Answer::Word(if wants_move { "nobestmove" } else { word }));
    }
    let known = known::KnownPosition::read(app, position, query.source.as_deref(), query.action == Action::All)?;
    if known.moves.is_empty() && may_queue {
        // As chessdb does with a position that it is asked for and does not know. A full queue is no error of the query.
        let _ = enqueue(app, position);
    }
    Ok(match query.action {
        Action::All => Answer::all(known, query),
        Action::Score => Answer::score(&known),
        Action::Pv => line::principal(app, position, &known, query.source.as_deref())?,
        _ if query.is_endgame => Answer::Nothing,
        Action::Best => Answer::best(&known),
        Action::Good => Answer::good(&known),
        _ => Answer::search(&known),
    })
}

fn enqueue(app: &App, position: &Position) -> ApiResult<bool> {
    let position = app.games.read(&"chess".into(), &position.to_string())?;
    app.queue.push(&*position).map_err(|_| ApiError::busy("the queue cannot be written"))
}

fn respond(bytes: Bytes, is_json: bool, app: &App) -> Response {
    let mut response = Response::new(Body::from(bytes));
    let kind = if is_json { "application/json" } else { "text/html; charset=UTF-8" };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    crate::security::allow_reading(app, headers);
    response
}

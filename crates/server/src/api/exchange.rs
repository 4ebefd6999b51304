//! `POST /api/v1/import` and `GET /api/v1/export`: games in, a sub-tree out.

use std::ops::ControlFlow;
use std::path::Path;

use axum::body::Body;
use axum::extract::{RawQuery, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use mnemon_chess::read_line_of_play;
use mnemon_explore::exchange::{
    ExchangeError, FileFormat, Input, Intake, KnownTree, Report, Stop, TreeLimits, TreeRoot, write_pgn,
};
use mnemon_explore::notation::Position;
use mnemon_explore::record_json::{AnnotationLine, Names, RecordLine, json_line};
use mnemon_memory::{Annotation, Identity, Item, MemoryId, Range, Store};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::error::{ApiError, ApiResult, json};
use crate::params::{Params, clip, write_body};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ImportBody {
    pgn: String,
}

#[derive(Serialize)]
struct Imported {
    added: u64,
    changed: u64,
    known: u64,
    notes: u64,
    problems: Vec<String>,
}

/// The name under which pasted games are kept: the contributor of what they say.
const PASTED: &str = "pasted games";

pub(crate) async fn import(State(app): State<App>, request: Request<Body>) -> ApiResult<Response> {
    let body: ImportBody = write_body(&app, request, app.limits.import_bytes).await?;
    let imported = app.write(move |app| read_games(&*app.store, &body.pgn)).await?;
    Ok(json(&imported))
}

fn read_games(store: &dyn Store, pgn: &str) -> ApiResult<Imported> {
    let identity = Identity { id: MemoryId::of_text(&format!("file:{PASTED}")), label: PASTED.to_owned() };
    let mut intake = Intake::new(identity, store).map_err(failed)?;
    let input = Input::new(Path::new("pasted.pgn"), pgn.as_bytes(), Some(FileFormat::Pgn));
    let mut problems = Problems(Vec::new());
    let input = input.map_err(|error| ApiError::bad_request("invalid_pgn", error.to_string()))?;
    let outcome = input.import(&mnemon_chess::Position::start(), &mut intake, &mut problems);
    let (merged, notes) = intake.finish().map_err(failed)?;
    outcome.map_err(failed)?;
    let mnemon_memory::Merged { added, changed, known } = merged;
    Ok(Imported { added, changed, known, notes, problems: problems.0 })
}

/// What could not be read; the rest is.
struct Problems(Vec<String>);

impl Report for Problems {
    fn broken(&mut self, line: u64, error: &str) -> Result<(), Stop> {
        self.left_out(line, error);
        Ok(())
    }

    fn left_out(&mut self, line: u64, what: &str) {
        const MOST: usize = 20;
        if self.0.len() < MOST {
            self.0.push(format!("line {line}: {what}"));
        }
    }
}

fn failed(error: ExchangeError) -> ApiError {
    match error {
        ExchangeError::Memory(error) => error.into(),
        ExchangeError::Pgn(error) => ApiError::bad_request("invalid_pgn", error.to_string()),
        _ => ApiError::internal(),
    }
}

/// The most bytes of an export as JSON lines, and the most positions of one as PGN. Larger ones are the command line's.
const MOST_BYTES: usize = 32 << 20;
const MOST_POSITIONS: usize = 20_000;

pub(crate) async fn export(State(app): State<App>, RawQuery(query): RawQuery) -> ApiResult<Response> {
    let params = Params::only(query.as_deref(), &["position", "game", "format"])?;
    let text = params.get("position").unwrap_or_default().to_owned();
    let position = app.position(params.get("game"), &text)?;
    match params.get("format").unwrap_or("pgn") {
        "pgn" => {
            let pgn = app.scan(move |app| as_pgn(app, &*position, &text)).await?;
            Ok(file(pgn, "application/x-chess-pgn", "attachment; filename=\"mnemon.pgn\""))
        }
        "json" => {
            let lines = app.scan(move |app| as_lines(app, &*position)).await?;
            Ok(file(lines, "application/x-ndjson", "attachment; filename=\"mnemon.jsonl\""))
        }
        other => {
            let message = format!("a format is pgn or json, not '{}'", clip(other));
            Err(ApiError::bad_request("invalid_parameter", message))
        }
    }
}

fn file(text: String, kind: &'static str, disposition: &'static str) -> Response {
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(disposition));
    response
}

/// The known tree as a game with variations.
fn as_pgn(app: &App, position: &dyn Position, text: &str) -> ApiResult<String> {
    if &*position.game() != "chess" {
        return Err(ApiError::bad_request("invalid_parameter", "only trees of chess are written as PGN"));
    }
    let (start, moves) = read_line_of_play(text.replace('_', " ").trim()).map_err(ApiError::invalid_position)?;
    let root = TreeRoot { start, moves };
    let limits = TreeLimits { positions: MOST_POSITIONS, ..TreeLimits::default() };
    let known = KnownTree::read(&*app.store, &root.position(), limits, &|_| true).map_err(failed)?;
    Ok(write_pgn(&known, &root))
}

/// Every record and annotation of the sub-tree, as `mnemon memory export` writes them.
fn as_lines(app: &App, position: &dyn Position) -> ApiResult<String> {
    let subtree = position.subtree(&*app.store)?;
    let mut lines = Lines { text: String::new(), names: Names::abroad(&*app.store)?, app, is_full: false };
    let game = position.game();
    let range = Range { game: Some(&game), ..Range::default() };
    app.store.scan(&range, &mut |item| match subtree.find(&item.key.position) {
        Some(_) => lines.record(&item),
        None => ControlFlow::Continue(()),
    })?;
    app.store.scan_annotations(&range, &mut |annotation| match subtree.find(&annotation.key.position) {
        Some(_) => lines.annotation(&annotation),
        None => ControlFlow::Continue(()),
    })?;
    if lines.is_full {
        let message =
            "the sub-tree is too large to be sent: 'mnemon memory export --from POSITION' writes it to a file";
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message));
    }
    Ok(lines.text)
}

struct Lines<'a> {
    text: String,
    names: Names,
    app: &'a App,
    is_full: bool,
}

impl Lines<'_> {
    fn record(&mut self, item: &Item) -> ControlFlow<()> {
        let position = self.app.games.unpack(&item.key.game, &item.key.position);
        let line = json_line(&RecordLine::new(position.as_deref(), item, &self.names));
        self.add(line)
    }

    fn annotation(&mut self, annotation: &Annotation) -> ControlFlow<()> {
        let position = self.app.games.unpack(&annotation.key.game, &annotation.key.position);
        let line = json_line(&AnnotationLine::new(position.as_deref(), annotation, &self.names));
        self.add(line)
    }

    fn add(&mut self, line: serde_json::Result<String>) -> ControlFlow<()> {
        // Records have no member that cannot be written.
        self.text += &line.unwrap_or_default();
        self.text.push('\n');
        self.is_full = self.text.len() > MOST_BYTES;
        if self.is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

//! `GET /api/v1/status`: what this server can do, and what it is doing.

use axum::extract::{RawQuery, State};
use axum::response::Response;
use serde::Serialize;

use crate::app::App;
use crate::error::{ApiResult, json};
use crate::params::Params;
use crate::search::SearchReport;

#[derive(Serialize)]
struct Status {
    version: &'static str,
    is_writable: bool,
    person: String,
    engines: Vec<EngineStatus>,
    /// Those that run.
    searches: Vec<SearchReport>,
    limits: SearchLimits,
}

#[derive(Serialize)]
struct EngineStatus {
    name: String,
    is_busy: bool,
}

#[derive(Serialize)]
struct SearchLimits {
    seconds: u64,
    threads: u32,
    hash: u32,
    lines: u32,
    searches: usize,
}

pub(crate) async fn get(State(app): State<App>, RawQuery(query): RawQuery) -> ApiResult<Response> {
    Params::only(query.as_deref(), &[])?;
    let searches: Vec<SearchReport> = app.searches.running().iter().map(|search| search.report()).collect();
    let is_busy = |name: &String| searches.iter().any(|search| search.engine == *name);
    let engine = |name: String| EngineStatus { is_busy: is_busy(&name), name };
    let limits = &app.limits;
    Ok(json(&Status {
        version: env!("CARGO_PKG_VERSION"),
        is_writable: app.is_writable,
        person: app.person.clone(),
        engines: app.engine_names().into_iter().map(engine).collect(),
        limits: SearchLimits {
            seconds: limits.search_time.as_secs(),
            threads: limits.search_threads,
            hash: limits.search_hash,
            lines: limits.search_lines,
            searches: limits.searches,
        },
        searches,
    }))
}

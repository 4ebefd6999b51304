//! `/api/v1/search`: starts, shows and stops live searches.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::app::App;
use crate::error::{ApiResult, json};
use crate::params::{Segment, write_body};
use crate::search::{self, SearchBody};

pub(crate) async fn start(State(app): State<App>, request: Request<Body>) -> ApiResult<Response> {
    let body: SearchBody = write_body(&app, request, app.limits.body_bytes).await?;
    let plan = body.plan(&app.limits)?;
    let search = app.searches.start(&app, plan)?;
    let mut response = json(&search.report());
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

pub(crate) async fn get(State(app): State<App>, Segment(id): Segment) -> ApiResult<Response> {
    Ok(json(&app.searches.find(&id)?.report()))
}

/// The body of a stop: nothing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

pub(crate) async fn stop(State(app): State<App>, Segment(id): Segment, request: Request<Body>) -> ApiResult<Response> {
    let Nothing {} = write_body(&app, request, app.limits.body_bytes).await?;
    let search = app.searches.find(&id)?;
    search.stop();
    Ok(json(&search.report()))
}

pub(crate) async fn events(State(app): State<App>, Segment(id): Segment) -> ApiResult<Response> {
    search::events(&app, app.searches.find(&id)?)
}

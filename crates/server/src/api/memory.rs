//! `GET /api/v1/memory` and `/api/v1/recent`: what there is, and what was learned last.

use axum::extract::{RawQuery, State};
use axum::response::Response;
use serde::Serialize;

use crate::app::App;
use crate::error::{ApiResult, json};
use crate::known::{self, Overview, RecentReport};
use crate::params::Params;

pub(crate) async fn overview(State(app): State<App>, RawQuery(query): RawQuery) -> ApiResult<Response> {
    Params::only(query.as_deref(), &[])?;
    let overview = app.scan(Overview::read).await?;
    Ok(json(&overview))
}

#[derive(Serialize)]
struct Recent {
    recent: Vec<RecentReport>,
}

pub(crate) async fn recent(State(app): State<App>, RawQuery(query): RawQuery) -> ApiResult<Response> {
    let params = Params::only(query.as_deref(), &["limit", "game"])?;
    let limit = params.number("limit", 1, 500, 50)? as usize;
    let game = params.get("game").map(str::to_owned);
    let recent = app.read(move |app| known::recent(app, game.as_deref(), limit)).await?;
    Ok(json(&Recent { recent }))
}

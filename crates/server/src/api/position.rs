//! `GET /api/v1/position`: everything that is known of one position.

use axum::extract::{RawQuery, State};
use axum::response::Response;

use crate::app::App;
use crate::error::{ApiResult, json};
use crate::known::PositionReport;
use crate::params::Params;

pub(crate) async fn get(State(app): State<App>, RawQuery(query): RawQuery) -> ApiResult<Response> {
    let params = Params::only(query.as_deref(), &["game", "position"])?;
    let position = app.position(params.get("game"), params.get("position").unwrap_or_default())?;
    let report = app.read(move |app| PositionReport::read(app, &*position)).await?;
    Ok(json(&report))
}

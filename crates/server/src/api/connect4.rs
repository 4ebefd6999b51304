//! `GET /api/v1/connect4`: the exact score of every column.

use axum::extract::{RawQuery, State};
use axum::response::Response;

use crate::app::App;
use crate::error::{ApiResult, json};
use crate::page;
use crate::params::Params;

pub(crate) async fn get(State(app): State<App>, RawQuery(query): RawQuery) -> ApiResult<Response> {
    let params = Params::only(query.as_deref(), &["pos"])?;
    let solved = page::columns(&app, params.get("pos").unwrap_or_default()).await?;
    Ok(json(&solved))
}

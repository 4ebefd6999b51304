//! `GET /api/v1/tree`: the known tree below a position, as `mnemon tree --json` prints it.

use axum::extract::{RawQuery, State};
use axum::response::Response;
use mnemon_explore::tree::{Bounds, TreeQuery};

use crate::app::App;
use crate::error::{ApiResult, json};
use crate::params::Params;

/// The most nodes of an answer.
const MOST_NODES: u64 = 5_000;

pub(crate) async fn get(State(app): State<App>, RawQuery(query): RawQuery) -> ApiResult<Response> {
    let params = Params::only(query.as_deref(), &["game", "position", "plies", "width", "nodes"])?;
    let position = app.position(params.get("game"), params.get("position").unwrap_or_default())?;
    let bounds = Bounds {
        plies: params.number("plies", 1, 64, 4)? as u16,
        width: params.number("width", 1, 256, 3)? as usize,
        within: None,
        nodes: params.number("nodes", 1, MOST_NODES, 2_000)? as usize,
    };
    let tree =
        app.read(move |app| Ok(position.tree(&*app.store, &TreeQuery { bounds, ..TreeQuery::new(&app.own) })?)).await?;
    Ok(json(&tree))
}

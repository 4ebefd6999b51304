//! The JSON API under `/api/v1`. Its shapes are described in the crate's README and in `openapi.json`.

mod position;

use axum::Router;
use axum::routing::get;

use crate::app::App;

/// The addresses below `/api/v1`.
pub(crate) fn routes() -> Router<App> {
    Router::new().route("/position", get(position::get))
}

//! The JSON API under `/api/v1`. Its shapes are described in the crate's README and in `openapi.json`.
//!
//! A `GET` changes nothing. A `POST` passes the checks of [`security`](crate::security) before its body is read.

mod advice;
mod connect4;
mod exchange;
mod memory;
mod note;
mod position;
mod search;
mod status;
mod tree;
mod trust;

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::app::App;

/// The addresses below `/api/v1`.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/openapi.json", get(openapi))
        .route("/status", get(status::get))
        .route("/position", get(position::get))
        .route("/tree", get(tree::get))
        .route("/recent", get(memory::recent))
        .route("/memory", get(memory::overview))
        .route("/connect4", get(connect4::get))
        .route("/import", post(exchange::import))
        .route("/export", get(exchange::export))
        .route("/note", post(note::post))
        .route("/advice", post(advice::post))
        .route("/trust", post(trust::post))
        .route("/search", post(search::start))
        .route("/search/{id}", get(search::get))
        .route("/search/{id}/stop", post(search::stop))
        .route("/search/{id}/events", get(search::events))
}

/// The description of the API, to which the tests hold the server.
async fn openapi() -> Response {
    const DOCUMENT: &str = include_str!("openapi.json");
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], DOCUMENT).into_response()
}

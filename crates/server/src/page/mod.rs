//! The page: HTML made on the server, which is right without a script. What the script needs is in `web/`, served under
//! `/static/`; there is no inline script or style, which the content security policy forbids.
//!
//! A page is a function from the values of [`known`](crate::known) to text; handlers read them by
//! [`App::read`](crate::app::App::read). [`html`] escapes text.

mod chess;
mod connect4;
mod html;
mod memory;

use axum::Router;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use crate::app::App;
use crate::error::ApiError;

/// The page's addresses.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/", get(|| async { Redirect::to("/chess") }))
        .route("/chess", get(chess::get))
        .route("/connect4", get(connect4::get))
        .route("/memory", get(memory::get))
}

/// An error as a page.
fn error_page(error: &ApiError) -> Response {
    let body = format!("<main><h1>{}</h1><p>{}</p></main>", error.status, html::escape(&error.message));
    let mut response = html::page("mnemon", &body);
    *response.status_mut() = error.status;
    response.into_response()
}

//! The page: HTML made on the server, which is right without a script. What the script needs is in `web/`, served under
//! `/static/`; there is no inline script or style, which the content security policy forbids.
//!
//! A page is a function from what the memory knows to text; handlers read it by [`App::read`]. The script fetches the same
//! pages and takes the parts of them that changed, so that nothing is drawn twice.

mod address;
mod chance;
mod chess;
mod connect4;
mod html;
mod memory;
mod plot;

use axum::Router;
use axum::response::Redirect;
use axum::routing::get;

pub(crate) use connect4::{Perfect, columns};

use crate::app::App;

/// The page's addresses.
pub(crate) fn routes() -> Router<App> {
    let start = Router::new().route("/", get(|| async { Redirect::to("/chess") }));
    start.merge(chess::routes()).merge(connect4::routes()).merge(memory::routes())
}

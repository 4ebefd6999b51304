//! `/memory`: what there is, by game, source and contributor.

use axum::extract::State;
use axum::response::Response;

use super::html::page;
use crate::app::App;

pub(crate) async fn get(State(app): State<App>) -> Response {
    let counted = app.read(|app| Ok(app.store.statistics()?.records())).await;
    match counted {
        Ok(records) => page("Memory", &format!("<main><h1>Memory</h1><p>{records} records</p></main>")),
        Err(error) => super::error_page(&error),
    }
}

//! `/chess?fen=FEN`: a chess position.

use axum::extract::{RawQuery, State};
use axum::response::Response;

use super::html::{escape, page};
use crate::app::App;
use crate::error::ApiResult;
use crate::known::PositionReport;
use crate::params::Params;

pub(crate) async fn get(State(app): State<App>, RawQuery(query): RawQuery) -> Response {
    match report(&app, query).await {
        Ok(report) => page("Chess", &body(&report)),
        Err(error) => super::error_page(&error),
    }
}

async fn report(app: &App, query: Option<String>) -> ApiResult<PositionReport> {
    let params = Params::read(query.as_deref())?;
    let position = app.position(Some("chess"), params.get("fen").unwrap_or("startpos"))?;
    app.read(move |app| PositionReport::read(app, &*position)).await
}

fn body(report: &PositionReport) -> String {
    let moves: String = report.moves.iter().map(|known| format!("<li>{}</li>", escape(&known.name.text))).collect();
    format!("<main><h1>Chess</h1><p>{}</p><ul>{moves}</ul></main>", escape(&report.position))
}

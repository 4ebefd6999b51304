//! `/connect4?pos=4455`: a position of Connect Four.

use axum::extract::{RawQuery, State};
use axum::response::Response;

use super::html::{escape, page};
use crate::app::App;
use crate::error::ApiResult;
use crate::known::PositionReport;
use crate::params::Params;

pub(crate) async fn get(State(app): State<App>, RawQuery(query): RawQuery) -> Response {
    match report(&app, query).await {
        Ok(report) => page("Connect Four", &format!("<main><p>{}</p></main>", escape(&report.position))),
        Err(error) => super::error_page(&error),
    }
}

async fn report(app: &App, query: Option<String>) -> ApiResult<PositionReport> {
    let params = Params::read(query.as_deref())?;
    let text = params.get("pos").filter(|text| !text.is_empty()).unwrap_or("-");
    let position = app.position(Some("connect4-7x6"), text)?;
    app.read(move |app| PositionReport::read(app, &*position)).await
}

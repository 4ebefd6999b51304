//! `POST /api/v1/trust`: whether a contributor's scores are believed.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use mnemon_memory::Contributor;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::error::{ApiError, ApiResult, json};
use crate::known::ContributorReport;
use crate::params::{clip, write_body};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TrustBody {
    contributor: String,
    trusted: bool,
}

#[derive(Serialize)]
struct TrustAnswer {
    contributor: ContributorReport,
}

pub(crate) async fn post(State(app): State<App>, request: Request<Body>) -> ApiResult<Response> {
    let body: TrustBody = write_body(&app, request, app.limits.body_bytes).await?;
    let contributor = app.write(move |app| write(app, &body)).await?;
    Ok(json(&TrustAnswer { contributor }))
}

fn write(app: &App, body: &TrustBody) -> ApiResult<ContributorReport> {
    let contributors = app.store.contributors()?;
    let mut named = contributors.iter().filter(|known| known.is_named(&body.contributor));
    let name = clip(&body.contributor);
    let Some(known) = named.next() else {
        return Err(ApiError::not_found(format!("there is no contributor '{name}'")));
    };
    if named.next().is_some() {
        let message = format!("several contributors are named '{name}': give the identity");
        return Err(ApiError::bad_request("ambiguous", message));
    }
    let changed = Contributor { trusted: body.trusted, ..known.clone() };
    app.store.set_contributor(&changed)?;
    app.store.sync()?;
    let counts = app.store.statistics()?.counts;
    let records =
        counts.iter().filter(|count| count.source.contributor() == Some(changed.id)).map(|count| count.records);
    Ok(ContributorReport::new(&changed, records.sum()))
}

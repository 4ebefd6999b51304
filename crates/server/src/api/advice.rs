//! `POST /api/v1/advice`: a move or a score that a person advises, as `mnemon memory put` keeps it.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use mnemon_explore::notation::Position;
use mnemon_explore::views_of;
use mnemon_memory::{Item, Key, Origins, Record, Source};
use mnemon_table::Window;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::error::{ApiError, ApiResult, json};
use crate::known::{RecordReport, Teller};
use crate::params::{clip, write_body};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AdviceBody {
    position: String,
    game: Option<String>,
    #[serde(rename = "move")]
    best: Option<String>,
    score: Option<String>,
    depth: Option<u8>,
    bound: Option<String>,
    by: Option<String>,
}

#[derive(Serialize)]
struct AdviceAnswer {
    record: RecordReport,
    replaced: Option<RecordReport>,
}

pub(crate) async fn post(State(app): State<App>, request: Request<Body>) -> ApiResult<Response> {
    let body: AdviceBody = write_body(&app, request, app.limits.body_bytes).await?;
    let position = app.position(body.game.as_deref(), &body.position)?;
    let answer = app.write(move |app| write(app, &*position, &body)).await?;
    Ok(json(&answer))
}

fn write(app: &App, position: &dyn Position, body: &AdviceBody) -> ApiResult<AdviceAnswer> {
    let source = Source::person(body.by.as_deref().unwrap_or(&app.person));
    let record = body.record(position)?;
    let key = Key::new(&position.game(), position.packed(), &source);
    Item { key: key.clone(), record }.validate()?;
    let of_source = || -> ApiResult<Option<Record>> {
        let found = views_of(&*app.store, position)?.into_iter().find(|(known, _)| *known == source);
        Ok(found.map(|(_, record)| record))
    };
    let before = of_source()?;
    // The later advice replaces the earlier, also within one second or after the clock was set back.
    let time = before.map_or(0, |before| before.time.saturating_add(1)).max(mnemon_memory::unix_time());
    app.store.merge_many(&[Item { key, record: record.found_at(time) }])?;
    app.store.sync()?;
    let kept = of_source()?.filter(|kept| *kept == record.found_at(time)).ok_or_else(|| {
        let message = "earlier advice of this person stays: its time is in the future";
        ApiError::new(StatusCode::CONFLICT, "not_replaced", message)
    })?;
    let teller = Teller::new(&*app.store)?;
    let report = |record: &Record| teller.record(position, position, &source, record);
    Ok(AdviceAnswer { record: report(&kept), replaced: before.as_ref().map(report) })
}

impl AdviceBody {
    /// The advice, without its time.
    fn record(&self, position: &dyn Position) -> ApiResult<Record> {
        if !position.is_known() || self.best.is_none() && self.score.is_none() {
            let message = "advice is a move or a score, in a game whose rules are known here";
            return Err(ApiError::bad_request("no_advice", message));
        }
        if self.score.is_none() && (self.depth.is_some() || self.bound.is_some()) {
            return Err(ApiError::bad_request("no_score", "a depth or a bound needs a score"));
        }
        let best = self.best.as_deref().map(|text| position.read_move(text)).transpose()?;
        let score = self.score.as_deref().map(|text| position.read_score(text)).transpose()?;
        let window = match (score, self.bound.as_deref()) {
            (None, _) => Window::UNKNOWN,
            (Some(score), None | Some("exact")) => Window::exact(score),
            (Some(score), Some("lower")) => Window::at_least(score),
            (Some(score), Some("upper")) => Window::at_most(score),
            (Some(_), Some(other)) => {
                let message = format!("a bound is exact, lower or upper, not '{}'", clip(other));
                return Err(ApiError::bad_request("invalid_bound", message));
            }
        };
        let record = Record::between(window, self.depth.unwrap_or(0));
        Ok(Record { best: best.unwrap_or(0), origins: Origins::ADVICE, ..record })
    }
}

//! What was learned last: searched positions and advice, the newest first.

use std::ops::ControlFlow;

use mnemon_explore::format;
use mnemon_memory::{Age, Range};
use serde::Serialize;

use super::{MoveName, ScoreReport, Teller};
use crate::app::App;
use crate::error::ApiResult;

/// A position that was searched or advised.
#[derive(Serialize)]
pub(crate) struct RecentReport {
    pub(crate) game: String,
    pub(crate) position: String,
    /// The side that the score is for.
    pub(crate) mover: &'static str,
    pub(crate) by: String,
    pub(crate) kind: &'static str,
    pub(crate) score: Option<ScoreReport>,
    pub(crate) best: Option<MoveName>,
    pub(crate) origins: Vec<&'static str>,
    pub(crate) time: u32,
    pub(crate) age: String,
}

/// The newest, of one game or of all.
pub(crate) fn recent(app: &App, game: Option<&str>, limit: usize) -> ApiResult<Vec<RecentReport>> {
    let teller = Teller::new(&*app.store)?;
    let mut items = Vec::new();
    let range = Range { game, roots: Some(Age::NewestFirst), ..Range::default() };
    app.store.scan(&range, &mut |item| {
        items.push(item);
        if items.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    let mut reports = Vec::with_capacity(items.len());
    for item in items {
        let Some(position) = app.games.unpack(&item.key.game, &item.key.position) else { continue };
        let (source, record) = (&item.key.source, &item.record);
        reports.push(RecentReport {
            game: item.key.game.to_string(),
            position: position.text(),
            mover: position.mover(),
            by: source.described(&teller.contributors),
            kind: source.kind().name(),
            score: ScoreReport::new(&*position, record),
            best: MoveName::new(&*position, record.best),
            origins: record.origins.names().collect(),
            time: record.time,
            age: format::age(record.time, teller.now),
        });
    }
    Ok(reports)
}

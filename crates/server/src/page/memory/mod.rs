//! `/memory`: what there is, by game, source and contributor; its growth; recent work.

mod contributors;
mod counts;
mod growth;
mod recent;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use mnemon_memory::{Contributor, Identity, Statistics};

use super::html::{ErrorPage, Fragment, Page, Section, escape};
use crate::app::App;
use crate::error::ApiResult;

/// Up to so many records the growth is drawn with the page; a larger memory is scanned when a script, or a link, asks for it.
const DRAWN_AT_ONCE: u64 = 200_000;

/// The page's addresses.
pub(super) fn routes() -> Router<App> {
    Router::new().route("/memory", get(page)).route("/memory/growth", get(growth_alone))
}

/// What the page is drawn from.
struct View {
    statistics: Statistics,
    identity: Identity,
    contributors: Vec<Contributor>,
    growth: Option<String>,
    recent: String,
    is_writable: bool,
}

async fn page(State(app): State<App>) -> Response {
    match app.read(View::read).await {
        Ok(view) => Page { title: "Memory".to_owned(), section: Section::Memory, main: view.main() }.into_response(),
        Err(error) => ErrorPage { section: Section::Memory, error }.into_response(),
    }
}

/// `/memory/growth`: the plot alone.
async fn growth_alone(State(app): State<App>) -> Response {
    match app.scan(|app| growth::plot(&*app.store)).await {
        Ok(plot) => Fragment(plot).into_response(),
        Err(error) => error.into_response(),
    }
}

impl View {
    fn read(app: &App) -> ApiResult<Self> {
        let store = &*app.store;
        let statistics = store.statistics()?;
        let contributors = store.contributors()?;
        let is_small = statistics.records() <= DRAWN_AT_ONCE;
        Ok(View {
            growth: is_small.then(|| growth::plot(store)).transpose()?,
            recent: recent::panel(app)?,
            identity: store.identity()?,
            contributors,
            statistics,
            is_writable: app.is_writable,
        })
    }

    fn main(&self) -> String {
        format!(
            "<div class=\"panels\">\n{}\n<div class=\"panels pairs\"><div class=\"panels\">{}\n{}</div>\n{}\n{}</div></div>",
            self.summary(),
            counts::panel(&self.statistics, &self.contributors),
            contributors::panel(self),
            self.growth_panel(),
            self.recent,
        )
    }

    fn summary(&self) -> String {
        let Statistics { bytes, counts, .. } = &self.statistics;
        let mut games: Vec<&str> = counts.iter().map(|count| &*count.game).collect();
        games.dedup();
        let figure = |name: &str, value: &str| format!("<div><dt>{name}</dt><dd>{}</dd></div>", escape(value));
        format!(
            "<section class=\"panel\" data-part=\"summary\"><h1 id=\"heading\">Memory</h1><dl class=\"figures-row\">{}{}{}{}{}</dl></section>",
            figure("Name", &self.identity.label),
            figure("Records", &grouped(self.statistics.records())),
            figure("Games", &games.len().to_string()),
            figure("Size", &size(*bytes)),
            figure("Contributors", &self.contributors.len().to_string()),
        )
    }

    fn growth_panel(&self) -> String {
        let plot = match &self.growth {
            Some(plot) => plot.clone(),
            None => "<p><a href=\"/memory/growth\" id=\"growth-link\">Draw the growth</a> (reads all records)</p>"
                .to_owned(),
        };
        format!(
            "<section class=\"panel\" data-part=\"growth\" aria-labelledby=\"growth-title\"><h2 id=\"growth-title\">Growth</h2>\
             <div id=\"growth\">{plot}</div></section>"
        )
    }
}

/// A number with its digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes in its largest unit.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} bytes") } else { format!("{value:.1} {}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([12, 2048, 5 << 20].map(size), ["12 bytes", "2.0 KiB", "5.0 MiB"]);
    }
}

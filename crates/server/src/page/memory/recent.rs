//! Recent work: the positions that were searched last, the newest first.

use std::ops::ControlFlow;

use mnemon_explore::format;
use mnemon_memory::{Age, Contributor, Item, Range, unix_time};

use super::super::html::escape;
use crate::app::App;
use crate::error::ApiResult;

/// How many are shown.
const SHOWN: usize = 20;

/// The panel.
pub(super) fn table(app: &App, contributors: &[Contributor]) -> ApiResult<String> {
    let mut items = Vec::new();
    let range = Range { roots: Some(Age::NewestFirst), ..Range::default() };
    app.store.scan(&range, &mut |item| {
        items.push(item);
        if items.len() < SHOWN { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    let rows: String = items.iter().map(|item| row(app, item, contributors)).collect();
    let body = if rows.is_empty() {
        "<p class=\"muted\">No position was searched yet.</p>".to_owned()
    } else {
        format!(
            "<table><thead><tr><th scope=\"col\">Position</th><th scope=\"col\" class=\"number\">Score</th><th scope=\"col\" \
             class=\"number\">Depth</th><th scope=\"col\" class=\"minor\">Source</th><th scope=\"col\">Age</th></tr></thead>\
             <tbody>{rows}</tbody></table>"
        )
    };
    Ok(format!(
        "<section class=\"panel\" data-part=\"recent\" aria-labelledby=\"recent-title\"><h2 id=\"recent-title\">Recent work</h2>\n\
         {body}</section>"
    ))
}

fn row(app: &App, item: &Item, contributors: &[Contributor]) -> String {
    let Some(position) = app.games.unpack(&item.key.game, &item.key.position) else { return String::new() };
    let text = position.text();
    let shown = match address(&item.key.game, &text) {
        Some(address) => format!("<a href=\"{}\">{}</a>", escape(&address), escape(&text)),
        None => escape(&text),
    };
    format!(
        "<tr><td class=\"position\">{shown}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"minor\">{}\
         </td><td class=\"muted\">{}</td></tr>\n",
        escape(format::score(&*position, &item.record).trim_start_matches("= ")),
        escape(&format::depths(&item.record)),
        escape(&format::source(&item.key.source, contributors)),
        escape(&format::age(item.record.time, unix_time())),
    )
}

/// The page of a position, of a game that has one.
fn address(game: &str, text: &str) -> Option<String> {
    match game {
        "chess" => Some(format!("/chess?fen={}", text.replace(' ', "_"))),
        "connect4-7x6" if text.bytes().all(|byte| byte.is_ascii_digit()) => Some(format!("/connect4?pos={text}")),
        _ => None,
    }
}

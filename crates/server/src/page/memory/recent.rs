//! Recent work: the positions that were searched last, the newest first.

use super::super::chess::score_text;
use super::super::html::escape;
use crate::app::App;
use crate::error::ApiResult;
use crate::known::{RecentReport, recent};

/// How many are shown.
const SHOWN: usize = 20;

/// The panel.
pub(super) fn panel(app: &App) -> ApiResult<String> {
    let rows: String = recent(app, None, SHOWN)?.iter().map(row).collect();
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
        "<section class=\"panel whole\" data-part=\"recent\" aria-labelledby=\"recent-title\"><h2 id=\"recent-title\">Recent \
         work</h2>\n{body}</section>"
    ))
}

fn row(work: &RecentReport) -> String {
    let position = match address(&work.game, &work.position) {
        Some(address) => format!("<a href=\"{}\">{}</a>", escape(&address), escape(&work.position)),
        None => escape(&work.position),
    };
    let score = work.score.as_ref();
    format!(
        "<tr><td class=\"position\">{position}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td \
         class=\"minor\">{}</td><td class=\"when\">{}</td></tr>\n",
        escape(&score.map_or_else(|| "–".to_owned(), |score| score_text(&score.text))),
        escape(score.map_or("–", |score| &score.depth_text)),
        escape(&work.by),
        escape(&work.age),
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

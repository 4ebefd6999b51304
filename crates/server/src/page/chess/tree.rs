//! The known tree below the position: its known moves, each with what is known of it, and those that follow them.

use std::cmp::Reverse;

use mnemon_chess::{Move, Position};
use mnemon_explore::{Views, format, notation, views};
use mnemon_memory::Record;
use mnemon_search::{Game, Notation};

use super::super::address::Line;
use super::super::html::escape;
use super::score_text;
use crate::app::App;
use crate::error::ApiResult;

/// The most moves that are shown of one position.
const WIDEST: usize = 8;

/// The panel around the tree.
pub(super) fn panel(tree: &str) -> String {
    let tree = if tree.is_empty() { "<p class=\"muted\">Nothing is known below this position.</p>" } else { tree };
    format!(
        "<section class=\"panel\" data-part=\"tree\" aria-labelledby=\"tree-title\"><h2 id=\"tree-title\">Tree</h2>\n{tree}\
         </section>"
    )
}

/// A known move of a position.
struct Branch {
    mv: Move,
    /// For the side that plays the move.
    record: Record,
}

/// The known moves of the line's position as a list, with `levels` levels of the best of them unfolded; empty if none is
/// known.
pub(super) fn branches(app: &App, line: &Line, levels: usize) -> ApiResult<String> {
    let position = line.position();
    let known = known(app, &position)?;
    if known.is_empty() {
        return Ok(String::new());
    }
    let mut items = String::new();
    for (index, branch) in known.iter().take(WIDEST).enumerate() {
        let levels = if index == 0 { levels } else { levels.min(1) };
        items += &item(app, line, &position, branch, levels)?;
    }
    let more = known.len().saturating_sub(WIDEST);
    if more > 0 {
        items += &format!("<li class=\"muted\">and {more} more</li>");
    }
    Ok(format!("<ul class=\"tree\">{items}</ul>"))
}

fn item(app: &App, line: &Line, position: &Position, branch: &Branch, levels: usize) -> ApiResult<String> {
    let after = line.after(&[branch.mv]);
    // The address of a branch without what follows elsewhere in the line.
    let below = if levels > 1 { branches(app, &after, levels - 1)? } else { String::new() };
    let has_more = !below.is_empty() || !known(app, &after.position())?.is_empty();
    let san = escape(&position.san(branch.mv));
    let fold = if has_more {
        format!(
            "<button type=\"button\" class=\"fold script\" aria-expanded=\"{}\" data-tree=\"{}\" aria-label=\"Moves after {san}\">\
             </button>",
            !below.is_empty(),
            escape(&after.address_of("/chess/tree")),
        )
    } else {
        "<span class=\"leaf\" aria-hidden=\"true\">·</span>".to_owned()
    };
    Ok(format!(
        "<li>{fold}<a href=\"{}\">{san}</a><span class=\"figures\">{}</span>{below}</li>\n",
        escape(&after.address()),
        escape(&figures(position, &branch.record)),
    ))
}

fn figures(position: &Position, record: &Record) -> String {
    let text = position.to_string();
    let Ok(hidden) = notation::read(&[text], Some("chess")) else { return String::new() };
    format!("{} · depth {}", score_text(&format::score(&*hidden, record)), format::depths(&*hidden, record))
}

/// The known moves, the best first.
fn known(app: &App, position: &Position) -> ApiResult<Vec<Branch>> {
    let moves = position.legal();
    let pack = |&mv: &Move| {
        let mut bytes = Vec::new();
        Game::pack(&position.after(mv), &mut bytes);
        bytes
    };
    let packed: Vec<Vec<u8>> = moves.iter().map(pack).collect();
    let views = views(&*app.store, "chess", &packed)?;
    let branch = |(mv, views): (Move, Views)| Some(Branch { mv, record: deepest(&views)?.from_parent() });
    let mut branches: Vec<Branch> = moves.into_iter().zip(views).filter_map(branch).collect();
    branches.sort_by_key(|branch| Reverse(rank(&branch.record)));
    Ok(branches)
}

/// The record of the deepest search; results of games last.
pub(super) fn deepest(views: &Views) -> Option<Record> {
    let depth = |record: &Record| record.lower.depth.max(record.upper.depth);
    views.iter().max_by_key(|(source, record)| (!source.is_player(), depth(record))).map(|(_, record)| *record)
}

/// Moves that are known to be worth something before those that are known to be worth no more than something.
fn rank(record: &Record) -> (bool, bool, mnemon_table::Score) {
    let (window, _) = record.window();
    match (record.lower.is_known(), record.upper.is_known()) {
        (true, _) => (true, true, window.lower),
        (false, true) => (true, false, window.upper),
        (false, false) => (false, false, 0),
    }
}

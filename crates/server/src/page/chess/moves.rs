//! The legal moves as links: those that something is known of as a table, the others below it; and the best as arrows.

use mnemon_chess::Position;

use super::super::chance;
use super::super::html::escape;
use super::board::Arrow;
use super::{View, legal, score_text};
use crate::known::{MoveReport, PositionReport, RecordReport};

/// The most arrows.
const ARROWS: usize = 4;

/// How much worse than the best, in hundredths of a pawn, a move with an arrow may be.
const ARROW_MARGIN: i32 = 120;

/// The moves that are shown at once; the others unfold.
const SHOWN: usize = 9;

/// The panel.
pub(super) fn table(view: &View) -> String {
    let (mut known, others): (Vec<_>, Vec<_>) = view.report.moves.iter().partition(|known| known.best.is_some());
    known.sort_by_key(|known| is_upper_bound(known));
    let mut text = "<section class=\"panel whole\" data-part=\"moves\" aria-labelledby=\"moves-title\">\
                    <h2 id=\"moves-title\">Moves</h2>\n"
        .to_owned();
    let (first, rest) = known.split_at(known.len().min(SHOWN));
    if first.is_empty() && view.report.ending.is_none() {
        text += "<p class=\"muted\">No move is known yet.</p>\n";
    }
    if !first.is_empty() {
        text += &rows_of(view, first, "Moves");
    }
    if !rest.is_empty() {
        let more = rows_of(view, rest, "More moves");
        text += &format!("<details><summary>{} more</summary>{more}</details>\n", rest.len());
    }
    if !others.is_empty() {
        let links: String = others.iter().map(|other| format!("{} ", link(view, other))).collect();
        let name = if known.is_empty() { "Legal moves" } else { "Not known" };
        text += &format!("<p class=\"others moves\">{name}: {links}</p>\n");
    }
    text + "</section>"
}

fn rows_of(view: &View, moves: &[&MoveReport], name: &str) -> String {
    let rows: String = moves.iter().map(|known| rows(view, known)).collect();
    format!(
        "<table><caption class=\"unseen\">{name}; scores are for {}</caption><thead><tr><th scope=\"col\">Move</th><th \
         scope=\"col\" class=\"number\">Score</th><th scope=\"col\"><span class=\"unseen\">Chance</span></th><th scope=\"col\" \
         class=\"number\">Depth</th><th scope=\"col\">Reply</th><th scope=\"col\" class=\"minor\">Source</th><th scope=\"col\" \
         class=\"minor\">Age</th></tr></thead><tbody>{rows}</tbody></table>\n",
        view.report.mover
    )
}

/// Whether a move is only known to be worth no more than something: those come last.
fn is_upper_bound(known: &MoveReport) -> bool {
    known.best.as_ref().and_then(|best| best.score.as_ref()).is_none_or(|score| score.bound == "upper")
}

fn rows(view: &View, known: &MoveReport) -> String {
    known.records.iter().enumerate().map(|(index, record)| row(view, known, record, index == 0)).collect()
}

fn row(view: &View, known: &MoveReport, record: &RecordReport, is_first: bool) -> String {
    let score = record.score.as_ref();
    let text = score.map_or_else(|| "–".to_owned(), |score| score_text(&score.text));
    let bar = score.map_or_else(String::new, |score| chance::bar(score.value));
    let reply = record.best.as_ref().map_or("–", |reply| &reply.text);
    let games = record.games.map_or_else(String::new, |games| format!(", {games} games"));
    let doubt = if record.is_believed { "" } else { " <span class=\"doubt\">not believed</span>" };
    format!(
        "<tr{}><td class=\"move\">{}</td><td class=\"number\">{}</td><td>{bar}</td><td class=\"number\">{}</td><td>{}</td>\
         <td class=\"minor\">{}{games}{doubt}</td><td class=\"minor when\">{}</td></tr>\n",
        if is_first { "" } else { " class=\"further\"" },
        if is_first { link(view, known) } else { format!("<span class=\"muted\">{}</span>", escape(&known.name.text)) },
        escape(&text),
        score.map_or("–", |score| &score.depth_text),
        escape(reply),
        escape(&record.by),
        escape(&record.age),
    )
}

/// The move as a link to the position after it.
fn link(view: &View, known: &MoveReport) -> String {
    let name = escape(&known.name.text);
    let Some(mv) = legal(&view.position, known.code) else { return name };
    let uci = known.name.uci.as_deref().unwrap_or_default();
    let (address, fen) = (escape(&view.after(mv)), escape(&known.position));
    format!("<a href=\"{address}\" data-uci=\"{uci}\" data-fen=\"{fen}\">{name}</a>")
}

/// Arrows for the best moves, the best last, so that it lies on top.
pub(super) fn arrows(report: &PositionReport) -> Vec<Arrow> {
    let Ok(position) = report.position.parse::<Position>() else { return Vec::new() };
    // An upper bound does not say that a move is good.
    let scored = report.moves.iter().filter(|known| !is_upper_bound(known)).filter_map(|known| {
        let score = known.best.as_ref()?.score.as_ref()?;
        Some((legal(&position, known.code)?, i32::from(score.value)))
    });
    let scored: Vec<_> = scored.take(ARROWS).collect();
    let Some(&(_, best)) = scored.first() else { return Vec::new() };
    let near = scored.into_iter().filter(|(_, score)| best - score <= ARROW_MARGIN);
    let arrow = |(mv, score)| Arrow { mv, weight: (-f64::from(best - score) / 40.0).exp() };
    let mut arrows: Vec<Arrow> = near.map(arrow).collect();
    arrows.reverse();
    arrows
}

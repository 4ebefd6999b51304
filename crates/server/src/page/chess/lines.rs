//! The deepest lines. Each move is a link to the position after it, and carries that position: a script shows it on the board
//! as the pointer or the keyboard goes along.

use mnemon_chess::{Color, variation};

use super::super::html::escape;
use super::{View, read_steps, score_text};
use crate::known::{LineSetReport, ScoreReport, Step};

/// The panel.
pub(super) fn panel(view: &View) -> String {
    let mut text = "<section class=\"panel whole\" data-part=\"lines\" aria-labelledby=\"lines-title\">\
                    <h2 id=\"lines-title\">Lines</h2>\n"
        .to_owned();
    let value = view.report.value.as_ref().filter(|value| !value.line.is_empty());
    if value.is_none() && view.report.lines.is_empty() {
        return text + "<p class=\"muted\">No line is known yet: a search finds them.</p></section>";
    }
    if let Some(value) = value {
        let by = format!("Backed up, to a position searched by {}", value.leaf_sources.join(", "));
        text += &format!(
            "<h3>{}</h3><ul class=\"lines\">{}</ul>",
            escape(&by),
            item(view, Some(&value.score), &value.line)
        );
    }
    for set in &view.report.lines {
        text += &block(view, set);
    }
    text + "</section>"
}

/// The lines of one search.
fn block(view: &View, set: &LineSetReport) -> String {
    let items: String = set.lines.iter().map(|line| item(view, line.score.as_ref(), &line.moves)).collect();
    let doubt = if set.is_believed { "" } else { " <span class=\"doubt\">not believed</span>" };
    format!(
        "<h3>{}, depth {}, {}{doubt}</h3><ul class=\"lines\">{items}</ul>",
        escape(&set.by),
        set.depth,
        escape(&set.age)
    )
}

fn item(view: &View, score: Option<&ScoreReport>, steps: &[Step]) -> String {
    let score = score.map_or_else(|| "–".to_owned(), |score| score_text(&score.text));
    format!(
        "<li><span class=\"score\">{}</span> <span class=\"moves line\">{}</span></li>",
        escape(&score),
        links(view, steps)
    )
}

/// The moves as links, with their numbers.
fn links(view: &View, steps: &[Step]) -> String {
    let moves = read_steps(&view.position, steps.iter().map(|step| &*step.name.text));
    let (mut position, mut text) = (view.position.clone(), String::new());
    for (index, step) in steps.iter().take(moves.len()).enumerate() {
        if index == 0 || position.side_to_move() == Color::White {
            text += &format!("<span class=\"place\">{}</span> ", variation::move_number(&position));
        }
        text += &format!(
            "<a href=\"{}\" data-last=\"{}\" data-fen=\"{}\">{}</a> ",
            escape(&view.line.after(&moves[..=index]).address()),
            escape(step.name.uci.as_deref().unwrap_or_default()),
            escape(&step.position),
            escape(&step.name.text),
        );
        position = position.after(moves[index]);
    }
    text
}

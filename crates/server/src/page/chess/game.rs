//! The moves of the line, each a link.

use mnemon_chess::{Color, variation};

use super::super::address::Line;
use super::super::html::escape;

/// The moves; the one on the board is marked.
pub(super) fn moves(line: &Line) -> String {
    if line.moves.is_empty() {
        return "<div data-part=\"game\"></div>".to_owned();
    }
    let (mut position, mut text) = (line.start.clone(), String::new());
    for (index, &mv) in line.moves.iter().enumerate() {
        if index == 0 || position.side_to_move() == Color::White {
            text += &format!("<span class=\"place\">{}</span> ", variation::move_number(&position));
        }
        let current = if line.at == index + 1 { " aria-current=\"true\"" } else { "" };
        let address = escape(&line.at(index + 1).address());
        text += &format!("<a href=\"{address}\"{current}>{}</a> ", escape(&position.san(mv)));
        position = position.after(mv);
    }
    format!(
        "<div class=\"game moves\" data-part=\"game\" role=\"group\" aria-label=\"Moves of the game\" tabindex=\"0\">{text}</div>"
    )
}

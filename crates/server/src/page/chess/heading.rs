//! What stands around the board: whose move it is, the value in words and as a scale, and the links that go through the line.

use mnemon_chess::pgn::{GameResult, PgnWriter};
use mnemon_chess::{Color, Position, variation};

use super::super::address::Line;
use super::super::chance;
use super::super::html::escape;
use super::{View, score_text};

/// The title of the page: the last move, or the start.
pub(super) fn title(line: &Line) -> String {
    last_move(line).unwrap_or_else(|| "Chess".to_owned())
}

/// `12.Nf3` for the last move on the board.
fn last_move(line: &Line) -> Option<String> {
    let before = line.at.checked_sub(1)?;
    let position = line.at(before).position();
    Some(variation::text(&position, &[line.moves[before]], None))
}

/// Whose move it is, and what the position is worth.
pub(super) fn heading(view: &View) -> String {
    let report = &view.report;
    let state = match report.ending {
        Some(ending) => format!("{}{}", ending[..1].to_uppercase(), &ending[1..]),
        None => format!("{} to move", report.mover),
    };
    let title = match last_move(&view.line) {
        Some(last) => format!("{last} · {state}"),
        None => state,
    };
    let value = value_text(view);
    format!(
        "<div data-part=\"heading\"><h1 id=\"heading\" data-announce=\"{} {}\">{}</h1>\n<p class=\"muted\">{}</p></div>",
        escape(&title.replace('·', "")),
        escape(&value),
        escape(&title),
        escape(&value)
    )
}

fn value_text(view: &View) -> String {
    let Some(value) = &view.report.value else {
        let known = view.report.moves.iter().any(|known| known.best.is_some());
        return if known { "No value that is believed." } else { "Nothing is known here yet." }.to_owned();
    };
    let positions = match value.positions {
        1 => "one known position".to_owned(),
        count => format!("{count} known positions"),
    };
    let score = score_text(&value.score.text);
    format!("Value {score} for {}, depth {}, from {positions}.", view.report.mover, value.score.depth_text)
}

/// The value as a scale: White's part of it is white.
pub(super) fn scale(view: &View) -> String {
    let value = view.report.value.as_ref().map_or(0.5, |value| chance::of_score(value.score.value));
    let for_white = if view.position.side_to_move() == Color::White { value } else { 1.0 - value };
    let white = 800.0 * for_white.clamp(0.02, 0.98);
    let (y, black_y) = if view.line.is_flipped { (0.0, white) } else { (800.0 - white, 0.0) };
    format!(
        "<svg class=\"scale\" viewBox=\"0 0 10 800\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect \
         class=\"black-part\" y=\"{black_y:.0}\" width=\"10\" height=\"{:.0}\"/><rect class=\"white-part\" y=\"{y:.0}\" \
         width=\"10\" height=\"{white:.0}\"/><path class=\"middle\" d=\"M0 400h10\"/></svg>",
        800.0 - white
    )
}

/// The links and buttons below the board.
pub(super) fn controls(view: &View) -> String {
    let line = &view.line;
    let end = line.moves.len();
    let step = |id: &str, name: &str, sign: &str, to: Option<usize>| {
        let address = to.map_or_else(String::new, |to| format!(" href=\"{}\"", escape(&line.at(to).address())));
        // A link without an address is no link: its role says what it would be.
        let disabled = if to.is_none() { " role=\"link\" aria-disabled=\"true\"" } else { "" };
        format!("<a class=\"button\" id=\"{id}\"{address}{disabled} aria-label=\"{name}\" title=\"{name}\">{sign}</a>")
    };
    let before = (line.at > 0).then(|| line.at - 1);
    let after = (line.at < end).then_some(line.at + 1);
    format!(
        "<div class=\"controls\" data-part=\"controls\" role=\"group\" aria-label=\"Go through the line\">{}{}{}{}\
         <a class=\"button\" id=\"flip\" href=\"{}\">Flip</a>\
         <button type=\"button\" class=\"script\" id=\"copy-fen\" data-copy=\"{}\">Copy FEN</button>\
         <button type=\"button\" class=\"script\" id=\"copy-pgn\" data-copy=\"{}\">Copy PGN</button></div>",
        step("first", "First position", "«", before.map(|_| 0)),
        step("back", "Back", "‹", before),
        step("forward", "Forward", "›", after),
        step("final", "Last position", "»", after.map(|_| end)),
        escape(&line.flipped().address()),
        escape(&view.position.to_string()),
        escape(&pgn(line)),
    )
}

/// The whole line as a game.
fn pgn(line: &Line) -> String {
    let mut writer = PgnWriter::new(&line.start);
    writer.tag("Event", "?").tag("Site", "?").tag("Date", "????.??.??").tag("Round", "?");
    writer.tag("White", "?").tag("Black", "?").tag("Result", "*");
    if line.start != Position::start() {
        writer.setup_tags();
    }
    for &mv in &line.moves {
        writer.play(mv);
    }
    writer.finish(GameResult::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_game_in_pgn() {
        let (start, moves) = mnemon_chess::read_line_of_play("startpos moves e4 e5 Nf3").expect("a line");
        let line = Line::new(start, moves);
        assert!(pgn(&line).contains("1. e4 e5 2. Nf3 *") || pgn(&line).contains("1.e4 e5 2.Nf3 *"), "{}", pgn(&line));
        assert_eq!((title(&line), title(&line.at(0))), ("2.Nf3".to_owned(), "Chess".to_owned()));
    }
}

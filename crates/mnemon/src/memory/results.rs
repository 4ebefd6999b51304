//! What the results of games say of a position and its moves, beside what searches say.

use mnemon_explore::Views;
use mnemon_explore::notation::Position;
use mnemon_memory::{Contributor, Record, Source};

use crate::columns::aligned;
use crate::format;

/// The records of searches, advice and files, and those of players.
pub(super) fn split(views: &Views) -> (Views, Views) {
    views.iter().cloned().partition(|(source, _)| !source.is_player())
}

/// The players' records as a block of text; empty without any. `here` are those of the position, `moves` those of each move.
pub(super) fn text(
    position: &dyn Position,
    here: &Views,
    moves: &[(String, Views)],
    contributors: &[Contributor],
) -> String {
    let row = |name: &str, (source, record): &(Source, Record), played: Option<String>| {
        let played = played.map(|mv| format!("played {mv}"));
        let parts: Vec<String> = results(position, record).into_iter().chain(played).collect();
        let text = format!("{}: {}", source.described(contributors), parts.join(", "));
        (!parts.is_empty()).then(|| [name.to_owned(), text])
    };
    let of_position = here.iter().filter_map(|view| row("here", view, position.write_move(view.1.best)));
    let of_moves = moves.iter().flat_map(|(name, views)| views.iter().filter_map(|view| row(name, view, None)));
    let rows: Vec<[String; 2]> = of_position.chain(of_moves).collect();
    if rows.is_empty() {
        String::new()
    } else {
        "\nResults of games\n".to_owned() + &aligned(["move", "player"], &rows)
    }
}

/// The value of a player's record, if it has one.
fn results(position: &dyn Position, record: &Record) -> Option<String> {
    let is_known = record.lower.is_known() && record.lower.score == record.upper.score;
    is_known.then(|| format::results(&position.write_score(record.lower.score), record.nodes))
}

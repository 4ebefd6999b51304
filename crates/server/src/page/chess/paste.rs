//! A pasted FEN or PGN: which line of play it is.

use axum::body::Body;
use axum::extract::State;
use axum::http::Request;
use axum::response::{IntoResponse, Response};
use mnemon_chess::Color;
use mnemon_chess::pgn::PgnReader;
use serde::{Deserialize, Serialize};

use super::super::address::Line;
use super::super::html::escape;
use super::View;
use crate::app::App;
use crate::error::{ApiError, ApiResult, json};
use crate::params;

/// The longest text.
const MAX_BYTES: usize = 1 << 20;

/// The panel with the form. Without a script the text becomes a part of the address, which is enough for a FEN or a short game.
pub(super) fn panel(view: &View) -> String {
    let flip = if view.line.is_flipped { "<input type=\"hidden\" name=\"flip\" value=\"1\">" } else { "" };
    format!(
        "<section class=\"panel\" aria-labelledby=\"paste-title\"><h2 id=\"paste-title\">Paste a FEN or a PGN</h2>\n\
         <form id=\"paste-form\" action=\"/chess\" method=\"get\">{flip}<label class=\"unseen\" for=\"paste-text\">FEN or \
         PGN</label><textarea id=\"paste-text\" name=\"text\" rows=\"3\" spellcheck=\"false\" placeholder=\"{}\"></textarea>\n\
         <div class=\"row\"><button type=\"submit\">Show</button></div>\n<p id=\"paste-state\" role=\"status\"></p></form></section>",
        escape("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1, or 1. e4 e5 2. Nf3 Nc6")
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pasted {
    text: String,
}

#[derive(Serialize)]
struct Address {
    address: String,
    moves: usize,
}

/// `POST /chess/read`: the address of a pasted text. Nothing is kept.
pub(super) async fn read_posted(State(app): State<App>, request: Request<Body>) -> Response {
    let answer = async {
        let (parts, body) = request.into_parts();
        let pasted: Pasted = params::parse(&params::read_body(&app, &parts, body, MAX_BYTES).await?)?;
        read(&pasted.text)
    };
    match answer.await {
        Ok(line) => json(&Address { address: line.address(), moves: line.moves.len() }),
        Err(error) => error.into_response(),
    }
}

/// The position of a FEN, or the first game of a PGN.
pub(super) fn read(text: &str) -> ApiResult<Line> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ApiError::bad_request("invalid_position", "there is nothing to show: paste a FEN or a PGN"));
    }
    let is_fen =
        text.lines().count() == 1 && text.split_whitespace().next().is_some_and(|word| word.matches('/').count() == 7);
    if is_fen || text.starts_with("startpos") || text.starts_with("position ") {
        let (start, moves) = mnemon_chess::read_line_of_play(text).map_err(ApiError::invalid_position)?;
        return Ok(Line::new(start, moves));
    }
    read_game(text)
}

fn read_game(text: &str) -> ApiResult<Line> {
    let invalid = |message: String| ApiError::bad_request("invalid_game", message);
    let game = PgnReader::new("the text", text.as_bytes()).next();
    let game = game.ok_or_else(|| invalid("this is neither a FEN nor a PGN with a game".to_owned()))?;
    let game = game.map_err(|error| invalid(error.to_string()))?;
    if let Some(error) = &game.error {
        return Err(invalid(format!("this is neither a FEN nor a PGN: {error}")));
    }
    if game.moves.is_empty() {
        return Err(invalid("this is neither a FEN nor a PGN with moves".to_owned()));
    }
    let mut line = Line::new(game.start.clone(), game.moves.clone());
    let is_white = |ply: usize| (game.start.side_to_move() == Color::White) == ply.is_multiple_of(2);
    // A comment's score is for the side that moved.
    let for_white = |(ply, score): (usize, &Option<mnemon_table::Score>)| {
        score.map(|score| if is_white(ply) { score } else { -score })
    };
    line.scores = game.scores.iter().enumerate().map(for_white).collect();
    line.at = 0;
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fen_is_a_position_and_a_game_is_a_line() {
        let address = |text: &str| read(text).map(|line| line.address()).expect(text);
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(address(fen), "/chess?fen=4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1");
        assert_eq!(address("startpos moves e2e4"), "/chess?moves=e2e4");
        assert_eq!(
            address("1. e4 {[%eval 0.25]} e5 {[%eval 0.3]} 2. Nf3 *"),
            "/chess?moves=e2e4,e7e5,g1f3&at=0&scores=25,30,"
        );
    }

    #[test]
    fn what_is_neither_is_refused_with_a_reason() {
        for (text, reason) in
            [("", "nothing"), ("hello", "neither"), ("1. e5", "neither"), ("8/8/8/8/8/8/8/8 w - -", "king")]
        {
            let error = read(text).err().unwrap_or_else(|| panic!("{text}"));
            assert!(error.message.contains(reason), "{text}: {}", error.message);
        }
    }
}

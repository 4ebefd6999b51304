//! The address of a chess position: where a line of play begins, its moves, and the place in it that is looked at.
//!
//! `/chess` is the start of the game, `/chess?fen=…` a position, with `_` for the spaces of the FEN, and
//! `&moves=e2e4,e7e5&at=1` a line of play and how many of its moves are on the board. Whoever has the address has the
//! whole line: a page needs no memory of its own to go forward and backward.

use mnemon_chess::{Move, Position};
use mnemon_table::Score;

use crate::error::{ApiError, ApiResult};
use crate::params::Params;

/// The most plies of an address: longer than any game that was ever played.
const MAX_PLIES: usize = 1200;

/// A line of play, and a place in it.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
    /// The number of moves on the board.
    pub(super) at: usize,
    /// Whether Black's side of the board is below.
    pub(super) is_flipped: bool,
    /// The score after each move, for White, where the game's text gave one.
    pub(super) scores: Vec<Option<Score>>,
}

impl Line {
    /// The line that the parameters of an address describe.
    ///
    /// # Errors
    /// A FEN or a move that is none.
    pub(super) fn read(params: &Params) -> ApiResult<Self> {
        let text = |name: &str| params.get(name).map(str::trim).unwrap_or_default();
        let fen = text("fen").replace('_', " ");
        let start = if matches!(fen.trim(), "" | "startpos") { Position::start() } else { read_fen(&fen)? };
        let moves = read_moves(&start, text("moves"))?;
        let at = text("at").parse().unwrap_or(moves.len()).min(moves.len());
        let scores = text("scores").split(',').map(|score| score.parse().ok()).take(moves.len()).collect();
        Ok(Line { start, moves, at, is_flipped: text("flip") == "1", scores })
    }

    /// A line of a game from the start.
    pub(super) fn new(start: Position, moves: Vec<Move>) -> Self {
        Line { start, at: moves.len(), moves, is_flipped: false, scores: Vec::new() }
    }

    /// The positions of the whole line, the first one first.
    pub(super) fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start.clone()];
        for &mv in &self.moves {
            positions.extend(positions.last().map(|position| position.after(mv)));
        }
        positions
    }

    /// The position that is looked at.
    pub(super) fn position(&self) -> Position {
        self.moves[..self.at].iter().fold(self.start.clone(), |position, &mv| position.after(mv))
    }

    /// The same line at another place.
    pub(super) fn at(&self, at: usize) -> Self {
        Line { at: at.min(self.moves.len()), ..self.clone() }
    }

    /// The line seen from the other side.
    pub(super) fn flipped(&self) -> Self {
        Line { is_flipped: !self.is_flipped, ..self.clone() }
    }

    /// The line after these moves from the place that is looked at. What followed there stays if it is the same.
    pub(super) fn after(&self, moves: &[Move]) -> Self {
        let end = self.at + moves.len();
        if self.moves.get(self.at..end) == Some(moves) {
            return self.at(end);
        }
        let mut longer = Line { moves: [&self.moves[..self.at], moves].concat(), at: end, ..self.clone() };
        longer.scores.truncate(self.at);
        longer
    }

    /// The address.
    pub(super) fn address(&self) -> String {
        self.address_of("/chess")
    }

    /// The address of another view of the line.
    pub(super) fn address_of(&self, path: &str) -> String {
        let mut parameters = Vec::new();
        if self.start != Position::start() {
            parameters.push(format!("fen={}", self.start.to_string().replace(' ', "_")));
        }
        if !self.moves.is_empty() {
            parameters.push(format!("moves={}", self.uci().join(",")));
        }
        if self.at < self.moves.len() {
            parameters.push(format!("at={}", self.at));
        }
        if self.scores.iter().any(Option::is_some) {
            let scores = self.scores.iter().map(|score| score.map(|score| score.to_string()).unwrap_or_default());
            parameters.push(format!("scores={}", scores.collect::<Vec<_>>().join(",")));
        }
        if self.is_flipped {
            parameters.push("flip=1".to_owned());
        }
        if parameters.is_empty() { path.to_owned() } else { format!("{path}?{}", parameters.join("&")) }
    }

    /// The position that is looked at, with the moves that led to it, as `position` has it in UCI.
    pub(super) fn text(&self) -> String {
        let moves = &self.uci()[..self.at];
        if moves.is_empty() { self.start.to_string() } else { format!("{} moves {}", self.start, moves.join(" ")) }
    }

    fn uci(&self) -> Vec<String> {
        let positions = self.positions();
        self.moves.iter().zip(&positions).map(|(&mv, position)| position.uci(mv)).collect()
    }
}

fn read_fen(fen: &str) -> ApiResult<Position> {
    fen.trim().parse().map_err(|error: mnemon_chess::ChessError| invalid(&error.to_string()))
}

fn read_moves(start: &Position, text: &str) -> ApiResult<Vec<Move>> {
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
        if moves.len() == MAX_PLIES {
            return Err(invalid("the line is too long"));
        }
        let mv = position.parse_uci(word).map_err(|error| invalid(&error.to_string()))?;
        position = position.after(mv);
        moves.push(mv);
    }
    Ok(moves)
}

fn invalid(message: &str) -> ApiError {
    ApiError::bad_request("invalid_position", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(parameters: &[(&str, &str)]) -> ApiResult<Line> {
        let query: Vec<String> = parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Line::read(&Params::read(Some(&query.join("&")))?)
    }

    #[test]
    fn an_address_is_read_as_it_was_written() {
        let line =
            read(&[("moves", "e2e4,e7e5,g1f3"), ("at", "1"), ("scores", "20,,31"), ("flip", "1")]).expect("a line");
        assert_eq!(line.address(), "/chess?moves=e2e4,e7e5,g1f3&at=1&scores=20,,31&flip=1");
        assert!(line.text().ends_with(" moves e2e4"), "{}", line.text());
        assert_eq!(read(&[]).expect("the start").address(), "/chess");
        let fen = "4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1";
        assert_eq!(read(&[("fen", fen)]).expect("a position").address(), format!("/chess?fen={fen}"));
    }

    #[test]
    fn another_move_ends_the_line_and_the_same_move_keeps_it() {
        let line = read(&[("moves", "e2e4,e7e5,g1f3"), ("at", "1")]).expect("a line");
        let position = line.position();
        let to = |uci: &str| line.after(&[position.parse_uci(uci).expect(uci)]).address();
        assert_eq!(to("e7e5"), "/chess?moves=e2e4,e7e5,g1f3&at=2");
        assert_eq!(to("c7c5"), "/chess?moves=e2e4,c7c5");
    }

    #[test]
    fn what_is_no_position_is_refused() {
        for bad in [("fen", "nonsense"), ("moves", "e2e5"), ("moves", "<script>"), ("fen", "8/8/8/8/8/8/8/8 w - -")] {
            assert!(read(&[bad]).is_err(), "{bad:?}");
        }
        let long = "g1f3,g8f6,f3g1,f6g8,".repeat(400);
        assert!(read(&[("moves", &long)]).is_err());
    }
}

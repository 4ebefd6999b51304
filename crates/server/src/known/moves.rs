//! Moves and lines with the positions that they lead to.

use mnemon_explore::notation::Position;
use serde::Serialize;

/// A move in the game's notation and, in chess, in UCI's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct MoveName {
    pub(crate) text: String,
    pub(crate) uci: Option<String>,
}

/// A move of a line, with the position after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Step {
    #[serde(flatten)]
    pub(crate) name: MoveName,
    /// The position after the move.
    pub(crate) position: String,
}

impl MoveName {
    /// The legal move with this code; `None` if there is none.
    pub(crate) fn new(position: &dyn Position, code: u16) -> Option<Self> {
        let text = position.write_move(code)?;
        Some(MoveName { text, uci: uci(position, code) })
    }
}

fn uci(position: &dyn Position, code: u16) -> Option<String> {
    let board: mnemon_chess::Position = chess(position)?;
    let mv = mnemon_chess::from_code(std::num::NonZeroU16::new(code)?)?;
    board.is_legal(mv).then(|| board.uci(mv))
}

/// The position as one of chess; `None` if it is of another game.
pub(crate) fn chess(position: &dyn Position) -> Option<mnemon_chess::Position> {
    (&*position.game() == "chess").then(|| position.notation()?.parse().ok())?
}

/// The moves with these codes, as far as they are legal.
pub(crate) fn steps(position: &dyn Position, codes: &[u16]) -> Vec<Step> {
    let mut steps = Vec::with_capacity(codes.len());
    let mut at: Option<Box<dyn Position>> = None;
    for &code in codes {
        let here = at.as_deref().unwrap_or(position);
        let Some(name) = MoveName::new(here, code) else { break };
        let Some((_, after)) = here.children().into_iter().find(|(known, _)| *known == code) else { break };
        steps.push(Step { name, position: after.text() });
        at = Some(after);
    }
    steps
}

/// The codes of moves in the game's notation, as far as they are legal.
pub(crate) fn codes(position: &dyn Position, line: &[String]) -> Vec<u16> {
    let mut codes = Vec::with_capacity(line.len());
    let mut at: Option<Box<dyn Position>> = None;
    for text in line {
        let here = at.as_deref().unwrap_or(position);
        let Ok(code) = here.read_move(text) else { break };
        let Some((_, after)) = here.children().into_iter().find(|(known, _)| *known == code) else { break };
        codes.push(code);
        at = Some(after);
    }
    codes
}

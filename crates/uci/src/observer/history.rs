//! The game that leads to the position of a search.

use mnemon_chess::{Move, Position};

use crate::PositionCommand;

/// From this halfmove clock on the fifty-move rule may decide, which a position alone does not show: nothing is learned and
/// nothing is given back.
pub const CLOCK_LIMIT: u8 = 60;

/// The positions of a game, the last of which is searched.
///
/// ```
/// use mnemon_uci::PositionCommand;
/// use mnemon_uci::observer::GameHistory;
///
/// let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].map(str::to_owned).to_vec();
/// let game = GameHistory::read(&PositionCommand { fen: None, moves }, false).expect("a legal game");
/// assert!(game.root_is_repeated());
/// ```
#[derive(Clone, Debug)]
pub struct GameHistory {
    /// Each position before the root with the move that was played in it.
    played: Vec<(Position, Move)>,
    root: Position,
}

impl GameHistory {
    /// The game of a `position` command; `None` if it has an illegal move or no legal position. With `chess960`, moves are
    /// written in that notation.
    pub fn read(command: &PositionCommand, chess960: bool) -> Option<Self> {
        let start = match &command.fen {
            Some(fen) => fen.parse::<Position>().ok()?,
            None => Position::start(),
        };
        let mut history = Self::at(start.with_chess960(chess960));
        for text in &command.moves {
            let mv = history.root.parse_uci(text).ok()?;
            history.play(mv);
        }
        Some(history)
    }

    /// A position without a game before it.
    pub fn at(root: Position) -> Self {
        GameHistory { played: Vec::new(), root }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        let after = self.root.after(mv);
        self.played.push((std::mem::replace(&mut self.root, after), mv));
    }

    /// The position to be searched.
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// The positions before the root, each with its move.
    pub fn played(&self) -> &[(Position, Move)] {
        &self.played
    }

    /// Whether the position stood on the board before the root.
    pub fn contains(&self, position: &Position) -> bool {
        self.played.iter().any(|(before, _)| before == position)
    }

    /// Whether the root stood on the board before.
    pub fn root_is_repeated(&self) -> bool {
        self.contains(&self.root)
    }

    /// Whether the root's value is its own: it stood not on the board before, and the fifty-move rule is far.
    pub fn is_plain(&self) -> bool {
        self.root.halfmove_clock() < CLOCK_LIMIT && !self.root_is_repeated()
    }

    /// The root's ply in its game.
    pub(crate) fn ply(&self) -> u16 {
        let moves = self.root.fullmove_number().saturating_sub(1).saturating_mul(2);
        moves.saturating_add((self.root.side_to_move() == mnemon_chess::Color::Black).into())
    }
}

//! The notation of a game: positions, moves and scores as text.

use mnemon_table::Score;

use crate::Game;

/// Why a text is not valid notation. Each variant carries the reason, for the person who typed it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// The text is not a position of the game.
    #[error("{0}")]
    Position(String),
    /// The text is not a legal move of the position.
    #[error("{0}")]
    Move(String),
    /// The text is not a score of the game.
    #[error("{0}")]
    Score(String),
}

/// A [`Game`] with a notation, for command lines, files and web pages.
pub trait Notation: Game + 'static {
    /// Whether a position is written as a sequence of moves that leads to it. Different sequences lead to one position, so
    /// callers show a position in the sequence that was typed.
    const WRITTEN_AS_LINES: bool = false;

    /// Scores that differ by no more than this are the same to a person: 0 where every point counts.
    const NEAR: Score = 0;

    /// The position that a text describes.
    ///
    /// # Errors
    /// [`NotationError::Position`], or [`NotationError::Move`] for a move in it that cannot be played.
    fn read(text: &str) -> Result<Self, NotationError>;

    /// The positions of the line that a text describes, in the order of the game: the last is the one that
    /// [`read`](Self::read) returns, and the only one if the text has no moves.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_line(text: &str) -> Result<Vec<Self>, NotationError> {
        Ok(vec![Self::read(text)?])
    }

    /// The position in which the game begins; `None` if there are several.
    fn initial() -> Option<Self> {
        None
    }

    /// The number of moves that were played before this position; `None` if it does not tell.
    fn game_ply(&self) -> Option<u16> {
        None
    }

    /// A text that [`read`](Self::read) turns into this position; `None` if there is none.
    fn write(&self) -> Option<String>;

    /// A drawing of the position, of several lines.
    fn draw(&self) -> String;

    /// The name of the side to move.
    fn mover(&self) -> &'static str;

    /// Why the game is over, in words; `None` if it goes on.
    fn ending(&self) -> Option<&'static str>;

    /// The moves that the rules allow, even where a draw ends the [`Game`].
    fn legal(&self) -> Vec<Self::Move>;

    /// The position after a legal move; `None` if a memory cannot hold it.
    fn after(&self, mv: Self::Move) -> Option<Self>;

    /// The legal move that a text describes.
    ///
    /// # Errors
    /// [`NotationError::Move`].
    fn read_move(&self, text: &str) -> Result<Self::Move, NotationError>;

    /// A legal move in notation.
    fn write_move(&self, mv: Self::Move) -> String;

    /// A legal move as it stands in a line, with its number where the game has such and `ply`, the number of moves before
    /// it, is known: `2.Nf3`, `2...d6` at the beginning of a line, `d6` within one.
    fn write_in_line(&self, mv: Self::Move, _ply: Option<u16>, _is_first: bool) -> String {
        self.write_move(mv)
    }

    /// The score that a text describes, for the side to move.
    ///
    /// # Errors
    /// [`NotationError::Score`].
    fn read_score(text: &str) -> Result<Score, NotationError>;

    /// A score for the side to move as text.
    fn write_score(score: Score) -> String;

    /// What the exact value `score` for the side to move means in words; `None` if the number says it all.
    fn verdict(&self, score: Score) -> Option<String>;
}

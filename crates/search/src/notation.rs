//! A game as people write it: positions, moves and scores as text.

use mnemon_table::Score;

use crate::Game;

/// Why a text is not what it should be. Each kind carries the reason in words for the person who typed it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// The text is no position of the game.
    #[error("{0}")]
    Position(String),
    /// The text is no legal move of the position.
    #[error("{0}")]
    Move(String),
    /// The text is no score of the game.
    #[error("{0}")]
    Score(String),
}

/// A [`Game`] with a notation: what command lines, files and pages need of it.
pub trait Notation: Game + 'static {
    /// Whether positions are written as the moves that lead to them. One position has many such lines: what was typed
    /// is shown again as it was typed.
    const WRITTEN_AS_LINES: bool = false;

    /// The position that a text describes.
    ///
    /// # Errors
    /// [`NotationError::Position`], or [`NotationError::Move`] for a move in it that cannot be played.
    fn read(text: &str) -> Result<Self, NotationError>;

    /// Text that [`read`](Self::read) turns into this position again; `None` if no text does.
    fn write(&self) -> Option<String>;

    /// The position as a picture of several lines.
    fn draw(&self) -> String;

    /// The side to move.
    fn mover(&self) -> &'static str;

    /// Why there is nothing to search here, if so.
    fn ending(&self) -> Option<&'static str>;

    /// The moves that the rules allow, also where the [`Game`] counts as over.
    fn legal(&self) -> Vec<Self::Move>;

    /// The position after a legal move, if there is one that a memory can hold.
    fn after(&self, mv: Self::Move) -> Option<Self>;

    /// The legal move that a text describes.
    ///
    /// # Errors
    /// [`NotationError::Move`].
    fn read_move(&self, text: &str) -> Result<Self::Move, NotationError>;

    /// A legal move as people write it.
    fn write_move(&self, mv: Self::Move) -> String;

    /// The score that a text describes, for the side to move.
    ///
    /// # Errors
    /// [`NotationError::Score`].
    fn read_score(text: &str) -> Result<Score, NotationError>;

    /// A score for the side to move.
    fn write_score(score: Score) -> String;

    /// What the exact value `score`, for the side to move, means here, if the number does not say so.
    fn verdict(&self, score: Score) -> Option<String>;
}

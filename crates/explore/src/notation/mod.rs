//! Positions, moves and scores of any game as text.
//!
//! Each game implements [`Notation`](mnemon_search::Notation). The commands see positions through [`Position`], which
//! hides the game, so that each command is written once, also for games whose rules are not known here.

mod games;
mod hidden;

use std::sync::Arc;

use mnemon_connect4::sequence::EMPTY_BOARD;
use mnemon_memory::subtree::Subtree;
use mnemon_memory::{Source, Store};
use mnemon_search::NotationError;
use mnemon_table::Score;

use crate::backed_up::BackedUp;
use crate::tree::{Tree, TreeQuery};

pub use games::{Games, read};

/// A position of any game.
pub trait Position: Send + Sync {
    /// The game's name.
    fn game(&self) -> Arc<str>;

    /// Whether the game's rules are known here. If not, there are no moves, and positions are hexadecimal numbers.
    fn is_known(&self) -> bool;

    /// The packed form, which memories keep.
    fn packed(&self) -> Vec<u8>;

    /// The position in the game's notation, if it can be written so.
    fn notation(&self) -> Option<String>;

    /// The position as a picture of several lines.
    fn draw(&self) -> String;

    /// The side to move.
    fn mover(&self) -> &'static str;

    /// Why there is nothing to search here, if so.
    fn ending(&self) -> Option<&'static str>;

    /// The legal moves that lead to other positions, by their codes, with those positions.
    fn children(&self) -> Vec<(u16, Box<dyn Position>)>;

    /// The code of the legal move that a text describes.
    fn read_move(&self, text: &str) -> Result<u16, NotationError>;

    /// The legal move with this code in the game's notation; `None` if no legal move has it.
    fn write_move(&self, code: u16) -> Option<String>;

    /// The score that a text describes, for the side to move.
    fn read_score(&self, text: &str) -> Result<Score, NotationError>;

    /// A score for the side to move.
    fn write_score(&self, score: Score) -> String;

    /// The meaning of the exact value `score`, for the side to move, if the number does not give it: "wins in 3 moves".
    fn verdict(&self, score: Score) -> Option<String>;

    /// Scores that differ by no more than this are the same to a person.
    fn near(&self) -> Score;

    /// The known tree below the position, within the bounds and the budget of the query; without rules, the position alone.
    ///
    /// # Errors
    /// A store that cannot be read.
    fn tree(&self, store: &dyn Store, query: &TreeQuery<'_>) -> mnemon_memory::Result<Tree>;

    /// The position's value by negamax over the records below it; `None` if there are none.
    fn backed_up(&self, store: &dyn Store, own: &Source) -> mnemon_memory::Result<Option<BackedUp>>;

    /// The position's sub-tree among what the memory knows, the moves that led to it considered; without rules, the
    /// position alone.
    fn subtree(&self, store: &dyn Store) -> mnemon_memory::Result<Subtree>;

    /// The moves with these codes, from this position on, as far as they are legal.
    fn moves_text(&self, codes: &[u16]) -> String;

    /// The position in one line that [`read`] understands: its notation, or its packed form.
    fn text(&self) -> String {
        self.notation().unwrap_or_else(|| format!("{HEX}{}", to_hex(&self.packed())))
    }
}

/// The prefix of a packed position in text.
pub const HEX: &str = "hex:";

/// A line of moves that is a position's notation, after one more move.
pub(crate) fn longer_line(line: &str, mv: &str) -> String {
    let line = if line == EMPTY_BOARD { "" } else { line };
    format!("{line}{mv}")
}

/// Bytes as hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes that hexadecimal digits stand for; `None` if these are none.
pub fn from_hex(digits: &str) -> Option<Vec<u8>> {
    let value = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
    let pair = |pair: &[u8]| Some(value(pair[0])? << 4 | value(pair[1])?);
    digits.len().is_multiple_of(2).then(|| digits.as_bytes().chunks_exact(2).map(pair).collect())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_digits_are_one_to_one() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(from_hex(&to_hex(&bytes)), Some(bytes));
        assert_eq!(from_hex("0aF0"), Some(vec![10, 240]));
        for bad in ["0", "0g", "+1", "é"] {
            assert_eq!(from_hex(bad), None, "{bad}");
        }
    }
}

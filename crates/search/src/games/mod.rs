//! Small games: for tests, for examples, and for laboratory measurements.

mod nim;
mod synthetic;
mod tictactoe;

pub use nim::Nim;
pub use synthetic::{Rules, Synthetic};
pub use tictactoe::TicTacToe;

//! Small games for tests, examples and measurements.

mod maze;
mod nim;
mod synthetic;
mod tictactoe;

pub use maze::{Maze, MazeRules};
pub use nim::Nim;
pub use synthetic::{Rules, Synthetic};
pub use tictactoe::TicTacToe;

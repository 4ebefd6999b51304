#![doc = include_str!("../README.md")]

pub mod analysis;
pub mod board;
mod bounds;
mod bracket;
pub mod drawing;
mod error;
mod expand;
mod game;
pub mod geometry;
mod node;
mod notation;
#[cfg(test)]
mod oracle;
mod order;
mod parallel;
mod replacement;
pub mod report;
mod search;
pub mod sequence;
mod shared;
pub mod solver;
pub mod tables;
pub mod technique;

pub use analysis::{Analysis, Verdict};
pub use board::{Board, MoveError, MoveFault};
pub use error::SolverError;
pub use geometry::{HEIGHT, WIDTH};
pub use replacement::{KeepBigger, SolverScheme};
pub use report::{Progress, Report, Silent};
pub use solver::{Precision, Solution, Solver};
pub use technique::{Technique, Techniques};

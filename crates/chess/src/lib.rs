#![doc = include_str!("../README.md")]

mod ahead;
pub mod bench;
pub mod clock;
pub mod engine;
mod error;
pub mod eval;
mod fen;
mod game;
mod men;
mod moves;
mod notation;
mod pack;
mod perft;
mod position;
mod san;
mod scatter;
pub mod search;
mod setup;
pub mod tablebase;
#[cfg(test)]
mod walk;

pub use cozy_chess;
pub use cozy_chess::{Board, Color, File, Move, Piece, Rank, Square};
pub use error::{ChessError, Field};
pub use eval::evaluate;
pub use moves::{from_code, to_code};
pub use pack::LONGEST;
pub use perft::perft;
pub use position::Position;

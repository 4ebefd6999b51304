#![doc = include_str!("../README.md")]

pub mod epd;
mod error;
mod fen;
mod game;
mod mailbox;
mod material;
mod moves;
mod notation;
mod pack;
mod perft;
pub mod pgn;
pub mod polyglot;
mod position;
pub mod random_games;
mod san;
mod typed;
mod uci_move;
mod validate;
pub mod variation;
mod zobrist;

pub use cozy_chess;
pub use cozy_chess::{Board, Color, File, Move, Piece, Rank, Square};
pub use error::{ChessError, Field};
pub use mailbox::Mailbox;
pub use material::piece_value;
pub use moves::{from_code, to_code};
pub use pack::MAX_PACKED_BYTES;
pub use perft::perft;
pub use position::Position;
pub use typed::{read_line_of_play, without_move_number};

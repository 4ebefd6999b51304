#![doc = include_str!("../README.md")]

mod answers;
mod api;
mod app;
mod assets;
mod chessdb;
mod connections;
mod error;
mod known;
mod lichess;
mod limits;
mod open_files;
mod page;
mod params;
mod routes;
mod search;
mod security;
mod server;

pub use limits::Limits;
pub use security::Token;
pub use server::{ServeError, Server, Settings, Stop, listen};

//! The server over real sockets: its API, the interfaces of others, live searches, and requests that mean harm.

mod api;
mod chessdb;
mod client;
mod hostile;
mod lichess;
mod page;
mod search;
mod security;

#![doc = include_str!("../README.md")]

pub mod bench;
pub mod book;
mod divide;
mod engine;
pub mod eval;
mod event;
mod game;
mod game_history;
mod game_log;
mod go;
mod memory_reports;
mod recall;
pub mod search;
mod settings;
mod signals;
mod state;
pub mod tablebase;
pub mod time;

pub use engine::{Engine, Forgotten};
pub use eval::evaluate;
pub use event::{Event, Listener};
pub use game::EvaluatedPosition;
pub use game_history::GameHistory;
pub use go::GoParams;
pub use settings::Settings;
pub use time::{Allotment, Clock};

/// Scores within ±16,383, and as many bits of check as there are: what a long analysis learns is kept for ever.
type TableLayout = mnemon_table::TwoWord<15, 0>;

const _: () = assert!(mnemon_search::WINS.fits::<TableLayout>(), "the table keeps every mate score");

/// The table that the engine searches with. Its replacement scheme is chosen at run time; the default is
/// [`Aged`](mnemon_table::replace::Aged).
pub type Table = mnemon_table::Table<TableLayout, mnemon_table::replace::AnyScheme>;

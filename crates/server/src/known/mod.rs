//! What the memory knows, as plain values that the JSON API writes and the page draws: one model for both. The shapes are
//! described in the crate's README.
//!
//! Everything here reads the store and blocks: call it within [`App::read`](crate::app::App::read).

mod moves;
mod position;
mod records;
mod score;

#[allow(unused_imports)] // for the page
pub(crate) use moves::{MoveName, Step};
#[allow(unused_imports)] // for the page
pub(crate) use position::{LineReport, LineSetReport, MoveReport, NoteReport, PositionReport, ValueReport};
#[allow(unused_imports)] // for the page
pub(crate) use records::RecordReport;
pub(crate) use score::ScoreReport;

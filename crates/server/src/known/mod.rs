//! What the memory knows, as plain values that the JSON API writes and the page draws: one model for both. The shapes are
//! described in the crate's README.
//!
//! Everything here reads the store and blocks: call it within [`App::read`](crate::app::App::read).

mod moves;
mod overview;
mod position;
mod recent;
mod records;
mod score;

pub(crate) use moves::{MoveName, Step, chess, steps};
pub(crate) use overview::{ContributorReport, Overview};
pub(crate) use position::PositionReport;
pub(crate) use recent::{RecentReport, recent};
pub(crate) use records::{RecordReport, Teller};
pub(crate) use score::ScoreReport;
#[allow(unused_imports)] // for the page
pub(crate) use {
    overview::{GameCount, GrowthPoint, SourceCount},
    position::{LineReport, LineSetReport, MoveReport, NoteReport, ValueReport},
};

#![doc = include_str!("../README.md")]

mod backed_up;
mod estimate;
pub mod exchange;
pub mod format;
pub mod grow;
pub mod notation;
pub mod openings;
pub mod queue;
pub mod record_json;
pub mod tree;
mod views;

pub use backed_up::BackedUp;
pub use estimate::Estimate;
pub use views::{Views, views, views_of};

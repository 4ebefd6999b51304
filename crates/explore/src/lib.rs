#![doc = include_str!("../README.md")]

mod backed_up;
pub mod format;
pub mod grow;
pub mod notation;
pub mod record_json;
mod views;

pub use backed_up::BackedUp;
pub use views::{Views, views, views_of};

#![doc = include_str!("../README.md")]

mod entry;
mod error;
#[cfg(feature = "snapshot")]
pub mod file;
#[allow(unsafe_code, reason = "maps memory and reads it as atomics")]
mod pages;
#[allow(unsafe_code, reason = "a processor's hint has no safe form")]
mod prefetch;
pub mod replace;
mod score;
mod slot;
#[cfg(feature = "snapshot")]
mod snapshot;
mod sync;
mod table;

pub use entry::{Entry, Origin};
pub use error::TableError;
pub use score::{Bound, Mates, Score, Window};
pub use slot::{Compact, Dense, Full, Layout, TwoWord, Wide, Words};
#[cfg(feature = "snapshot")]
pub use snapshot::SnapshotError;
pub use table::{Lookup, Table};

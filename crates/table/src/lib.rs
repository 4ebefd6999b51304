#![doc = include_str!("../README.md")]

mod entry;
mod error;
pub mod file;
#[allow(unsafe_code, reason = "maps memory and reads it as atomics")]
mod pages;
#[allow(unsafe_code, reason = "a processor's hint has no safe form")]
mod prefetch;
pub mod replace;
mod score;
mod slot;
mod snapshot;
mod sync;
mod table;

pub use entry::{Entry, Origin};
pub use error::{SnapshotError, TableError};
pub use score::{Bound, Mates, Score, Window};
pub use slot::{Compact, Layout, Wide, Words};
pub use table::{Lookup, Table};

#![doc = include_str!("../README.md")]

pub mod codec;
mod error;
mod key;
mod merge;
mod record;
mod store;

pub use error::{MemoryError, Result};
pub use key::{Key, Source};
pub use merge::merge;
pub use record::{Claim, Flags, Origins, PROVEN, Record};
pub use store::{Compacted, Count, Item, Merged, RamStore, Range, SqliteStore, Statistics, Store, Verified};

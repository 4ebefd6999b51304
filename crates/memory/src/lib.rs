#![doc = include_str!("../README.md")]

mod batch;
pub mod codec;
mod error;
mod key;
mod memory;
mod merge;
pub mod policy;
mod record;
mod session;
mod store;
pub mod walk;
mod writer;

pub use batch::Batch;
pub use error::{MemoryError, Result};
pub use key::{Key, Source};
pub use memory::Memory;
pub use merge::merge;
pub use record::{Claim, Flags, Origins, PROVEN, Record};
pub use session::{Session, Thought};
pub use store::{Compacted, Count, Item, Merged, RamStore, Range, SqliteStore, Statistics, Store, Verified};
pub use writer::Learned;

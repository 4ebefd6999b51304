#![cfg_attr(feature = "sqlite", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "sqlite"), doc = "A long-term memory for game-tree search, built without its file store.")]

mod batch;
mod clock;
pub mod codec;
mod error;
mod flags;
mod key;
pub mod learn;
mod memory;
mod merge;
pub mod policy;
pub mod recall;
mod record;
mod session;
mod store;
pub mod subtree;
mod writer;

pub use batch::Batch;
pub use clock::unix_time;
pub use error::{MemoryError, Result};
pub use flags::{Flags, Origins};
pub use key::{Key, Source};
pub use memory::Memory;
pub use merge::merge;
pub use record::{Claim, PROVEN, Record};
pub use session::{Session, SessionOutcome};
pub use store::{
    Access, Compacted, Count, Item, Merged, RamStore, Range, Statistics, Store, Upkeep, Verified, open, restore,
};
pub use writer::Learned;

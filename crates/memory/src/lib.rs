#![cfg_attr(feature = "sqlite", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "sqlite"), doc = "A long-term memory for game-tree search, built without its file store.")]

mod annotation;
mod batch;
mod clock;
pub mod codec;
mod error;
mod flags;
mod key;
pub mod learn;
mod memory;
mod merge;
mod move_rank;
mod opening;
pub mod policy;
pub mod recall;
mod record;
mod session;
mod source;
mod store;
mod store_slot;
pub mod subtree;
mod trust;
mod writer;

pub use annotation::{Annotation, Content, Line, LineSet, Lines, Note};
pub use batch::{Batch, merge_memory};
pub use clock::unix_time;
pub use error::{MemoryError, Result};
pub use flags::{Flags, Origins};
pub use key::Key;
pub use memory::Memory;
pub use merge::merge;
pub use move_rank::MoveRank;
pub use opening::{OpenedStore, Opening};
pub use record::{Claim, PROVEN, Record};
pub use session::{Session, SessionOutcome};
pub use source::{InvalidMemoryId, MemoryId, Source, SourceKind};
pub use store::{
    Access, Age, Compacted, Contributor, Count, Identity, Item, Merged, RamStore, Range, Statistics, Store, Upkeep,
    Verified, open, restore,
};
pub use trust::Trust;
pub use writer::Learned;

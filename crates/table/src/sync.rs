//! The crate's atomics: the standard library's, or loom's where its model checker runs the crate (`../loom`).

#[cfg(mnemon_loom)]
pub(crate) use loom::sync::atomic::{AtomicU8, AtomicU64, Ordering};
#[cfg(not(mnemon_loom))]
pub(crate) use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

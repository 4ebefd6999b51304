//! The memory of an analysis: which file, and by which policy.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use mnemon_memory::policy::Policy;
use mnemon_memory::{MemoryError, Store};

use crate::Result;
use crate::memory_location::MemoryLocation;

/// A memory on the command line.
#[derive(Args)]
#[group(id = "memory_args")]
pub(crate) struct MemoryArgs {
    /// The memory's file; it is created if it does not exist
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
    /// What is learned, and how it comes back; docs/uci.md says what each policy does
    #[arg(long, value_name = "POLICY", default_value = "resume", value_parser = policy())]
    learning: Policy,
    /// Neither recall nor learn; no file is opened or created
    #[arg(long, conflicts_with_all = ["memory", "learning"])]
    no_memory: bool,
}

fn policy() -> impl TypedValueParser<Value = Policy> {
    PossibleValuesParser::new(Policy::NAMES).try_map(|name| Policy::named(&name).ok_or("no such policy"))
}

/// An open memory.
pub(super) struct OpenMemory {
    pub(super) store: Arc<dyn Store>,
    pub(super) policy: Policy,
    pub(super) path: PathBuf,
}

impl MemoryArgs {
    /// Opens the memory; `None` without one.
    pub(super) fn open(&self) -> Result<Option<OpenMemory>> {
        if self.no_memory || self.learning == Policy::Off {
            return Ok(None);
        }
        let location = MemoryLocation::choose(self.memory.as_deref())?;
        let store = match self.learning {
            Policy::ReadOnly(_) => location.for_reading(),
            _ => location.for_adding(),
        };
        let (store, path) = (store.map_err(with_read_only_hint)?, location.path().to_path_buf());
        Ok(Some(OpenMemory { store, policy: self.learning, path }))
    }
}

/// Adds what to do about a memory that cannot be written: it can still be read.
fn with_read_only_hint(error: Box<dyn std::error::Error>) -> Box<dyn std::error::Error> {
    match error.downcast_ref::<MemoryError>() {
        Some(MemoryError::ReadOnly { .. }) => {
            format!("{error}: add --learning read-only, or name another file with --memory").into()
        }
        _ => error,
    }
}

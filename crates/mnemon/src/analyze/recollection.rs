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
#[group(id = "recollection")]
pub(crate) struct Arguments {
    /// The memory's file; it is made if it is not there
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
    /// What is learned, and how it comes back; docs/uci.md says what each policy does
    #[arg(long, value_name = "POLICY", default_value = "resume", value_parser = policy())]
    learning: Policy,
    /// Neither recall nor learn; no file is opened or made
    #[arg(long, conflicts_with_all = ["memory", "learning"])]
    no_memory: bool,
}

fn policy() -> impl TypedValueParser<Value = Policy> {
    PossibleValuesParser::new(Policy::NAMES).try_map(|name| Policy::named(&name).ok_or("no such policy"))
}

/// A memory that is open.
pub(super) struct Opened {
    pub(super) store: Arc<dyn Store>,
    pub(super) policy: Policy,
    pub(super) path: PathBuf,
}

impl Arguments {
    /// Opens the memory; `None` if there is to be none.
    pub(super) fn open(&self) -> Result<Option<Opened>> {
        if self.no_memory || self.learning == Policy::Off {
            return Ok(None);
        }
        let place = MemoryLocation::choose(self.memory.as_deref())?;
        let store = match self.learning {
            Policy::ReadOnly(_) => place.for_reading(),
            _ => place.for_adding(),
        };
        let (store, path) = (store.map_err(with_a_way_out)?, place.path().to_path_buf());
        Ok(Some(Opened { store, policy: self.learning, path }))
    }
}

/// A memory that cannot be written can still be read.
fn with_a_way_out(error: Box<dyn std::error::Error>) -> Box<dyn std::error::Error> {
    match error.downcast_ref::<MemoryError>() {
        Some(MemoryError::ReadOnly { .. }) => {
            format!("{error}: add --learning read-only, or name another file with --memory").into()
        }
        _ => error,
    }
}

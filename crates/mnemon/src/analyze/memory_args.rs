//! The memory of an analysis: which file, and by which policy.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use mnemon_memory::policy::{Policy, Resume};
use mnemon_memory::{Access, OpenedStore, Store, Trust};

use crate::memory_location::MemoryLocation;
use crate::output::escape_controls;
use crate::{Result, UsageError, memory_hints};

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
    /// Believe the scores of this contributor to the memory, for this analysis; may be repeated
    #[arg(long, value_name = "CONTRIBUTOR", conflicts_with = "no_memory")]
    trust: Vec<String>,
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

/// A memory for another engine's lines.
#[derive(Clone)]
pub(super) struct EngineMemory {
    pub(super) store: Arc<dyn Store>,
    pub(super) trust: Trust,
    pub(super) is_writable: bool,
}

impl MemoryArgs {
    /// The memory for other engines, which know no policies but these three.
    pub(super) fn for_other_engines(&self, opened: Option<&OpenMemory>) -> Result<Option<EngineMemory>> {
        let Some(opened) = opened else { return Ok(None) };
        let is_writable = matches!(opened.policy, Policy::Resume(_));
        if !is_writable && !matches!(opened.policy, Policy::ReadOnly(_)) {
            let name = opened.policy.name();
            let reason =
                format!("--learning {name} is for mnemon's own engine; with --engine it is off, read-only or resume");
            return Err(UsageError(reason).into());
        }
        let contributors = opened.store.contributors()?;
        let mut trust = Trust::recorded(&contributors);
        let named = contributors.iter().filter(|known| self.trust.iter().any(|name| known.is_named(name)));
        trust.merge(Trust::of(named.map(|contributor| contributor.id)));
        Ok(Some(EngineMemory { store: Arc::clone(&opened.store), trust, is_writable }))
    }

    /// The contributors that are trusted in this analysis.
    pub(super) fn trusted(&self) -> &[String] {
        &self.trust
    }

    /// Opens the memory; `None` without one. A memory that cannot be written is read, and that is said.
    pub(super) fn open(&self) -> Result<Option<OpenMemory>> {
        if self.no_memory || self.learning == Policy::Off {
            return Ok(None);
        }
        let location = MemoryLocation::choose(self.memory.as_deref())?;
        let path = location.path().to_path_buf();
        if let Policy::ReadOnly(_) = self.learning {
            let store = location.for_reading()?;
            self.check_trusted(&*store)?;
            return Ok(Some(OpenMemory { store, policy: self.learning, path }));
        }
        let OpenedStore { store, read_only } = location.for_engine(Access::Create)?;
        self.check_trusted(&*store)?;
        let policy = match (&read_only, self.learning) {
            (None, policy) => policy,
            (Some(_), Policy::Resume(resume)) => Policy::ReadOnly(resume),
            (Some(_), _) => Policy::ReadOnly(Resume::default()),
        };
        if let Some(why) = read_only {
            eprintln!("mnemon: {}", escape_controls(&memory_hints::reading_only(&why)));
        }
        Ok(Some(OpenMemory { store, policy, path }))
    }

    /// Every name after --trust must be a contributor's.
    fn check_trusted(&self, store: &dyn Store) -> Result {
        if self.trust.is_empty() {
            return Ok(());
        }
        let contributors = store.contributors()?;
        let is_unknown = |name: &&String| !contributors.iter().any(|contributor| contributor.is_named(name));
        self.trust
            .iter()
            .find(is_unknown)
            .map_or(Ok(()), |name| Err(UsageError(crate::contributors::unknown(name, &contributors)).into()))
    }
}

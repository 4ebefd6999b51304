//! The engine's memory: which file, by which policy, opened when it is first needed.

use std::path::Path;
use std::sync::Arc;

use mnemon_engine::Engine;
use mnemon_memory::Store;
use mnemon_memory::policy::{Policy, Resume, Tree};

use crate::Result;
use crate::memory_location::MemoryLocation;

/// What a GUI has chosen about the memory.
pub(super) struct Recollection {
    /// The file; empty for the one that `mnemon memory` uses, too.
    file: String,
    policy: Policy,
    /// The least depth that is kept; 0 leaves it to the policy.
    depth: u8,
    /// What was chosen is not in use yet.
    is_stale: bool,
}

impl Recollection {
    pub(super) fn new() -> Self {
        Recollection { file: String::new(), policy: Policy::Resume(Resume::default()), depth: 0, is_stale: true }
    }

    /// The file that is used if none is named; empty if there is no such place.
    pub(super) fn default_file() -> String {
        MemoryLocation::choose(None).map(|place| place.path().display().to_string()).unwrap_or_default()
    }

    pub(super) fn set_file(&mut self, file: &str) {
        // A GUI may send the default back: then it is the default, whose folder is made for the user alone.
        let file = if file == Self::default_file() { "" } else { file };
        self.is_stale |= self.file != file;
        self.file = file.to_owned();
    }

    pub(super) fn set_policy(&mut self, name: &str) {
        if let Some(policy) = Policy::named(name) {
            self.is_stale |= self.policy.name() != name;
            self.policy = policy;
        }
    }

    pub(super) fn set_depth(&mut self, depth: u8) {
        self.depth = depth;
        self.is_stale = true;
    }

    /// Gives the engine the memory that was chosen, if it does not have it yet. On failure the engine has none, and it is
    /// not tried again before something else is chosen.
    pub(super) fn apply(&mut self, engine: &mut Engine) -> Result {
        if !std::mem::take(&mut self.is_stale) {
            return Ok(());
        }
        engine.set_memory(None);
        let policy = self.policy();
        let store = match policy {
            Policy::Off => return Ok(()),
            _ => self.open()?,
        };
        engine.set_memory(Some((store, policy)));
        Ok(())
    }

    fn open(&self) -> Result<Arc<dyn Store>> {
        let named = Some(self.file.as_str()).filter(|file| !file.is_empty()).map(Path::new);
        let place = MemoryLocation::choose(named)?;
        Ok(match self.policy {
            Policy::ReadOnly(_) => place.for_reading()?,
            _ => place.for_adding()?,
        })
    }

    fn policy(&self) -> Policy {
        match self.policy {
            policy if self.depth == 0 => policy,
            Policy::Resume(resume) => Policy::Resume(Resume { least_depth: self.depth, ..resume }),
            Policy::Tree(tree) => Policy::Tree(Tree { least_depth: self.depth, ..tree }),
            policy => policy,
        }
    }
}
